import { messageOf, type Logger } from '@mynah/kernel'
import type { Recording } from '@mynah/plugin-agent/api'

/** Returns the length of a recording in seconds, or `undefined` when its bytes do not tell. */
export async function durationOf({ bytes, mediaType }: Recording, log: Logger): Promise<number | undefined> {
  // Load the parser with the first recording.
  const { parseBuffer } = await import('music-metadata')
  try {
    const { format } = await parseBuffer(
      bytes,
      { mimeType: mediaType, size: bytes.length },
      { duration: true, skipCovers: true },
    )
    return format.duration
  } catch (error) {
    log.debug(`failed to read the length of a recording: ${messageOf(error)}`)
    return undefined
  }
}
