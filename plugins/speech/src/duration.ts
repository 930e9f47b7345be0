// How long a recording is, as its own bytes say.
import { messageOf, type Logger } from '@mynah/kernel'
import type { Recording } from '@mynah/plugin-agent/api'

/** Seconds; `undefined` where the bytes do not tell: then their number is the only limit. */
export async function secondsOf({ bytes, mediaType }: Recording, log: Logger): Promise<number | undefined> {
  // Loaded when the first recording comes.
  const { parseBuffer } = await import('music-metadata')
  try {
    const { format } = await parseBuffer(
      bytes,
      { mimeType: mediaType, size: bytes.length },
      { duration: true, skipCovers: true },
    )
    return format.duration
  } catch (error) {
    log.debug(`the length of a recording is not known: ${messageOf(error)}`)
    return undefined
  }
}
