import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Segment } from '@mynah/contract/types'

const MAX_BYTES = 1024 * 1024

/** Returns the segments without paths of this machine. Small files are sent as bytes, larger ones by name. */
export function embedFiles(segments: readonly Segment[]): Promise<Segment[]> {
  return Promise.all(
    segments.map(async (segment) => {
      const { file, ...data } = segment.data
      if (segment.type === 'text' || typeof file !== 'string' || /^(https?|data|base64):/.test(file)) return segment
      const path = file.startsWith('file:') ? fileURLToPath(file) : file
      const known = await stat(path).catch(() => undefined)
      const base64 =
        known?.isFile() && known.size <= MAX_BYTES ? { base64: (await readFile(path)).toString('base64') } : {}
      return { type: segment.type, data: { name: basename(path), ...data, ...base64 } }
    }),
  )
}
