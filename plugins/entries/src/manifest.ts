import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { EntryManifest } from '@mynah/contract'
import { mistakesIn } from '@mynah/contract/validate'
import { messageOf } from '@mynah/kernel'

const FILE = 'manifest.json'
const MAX_BYTES = 65_536

/**
 * Reads the manifest of an entry: its pages and tools. Returns nothing if there is none, or a mistake if it is invalid.
 */
export async function manifestIn(
  folder: string,
): Promise<{ readonly manifest?: EntryManifest; readonly mistake?: string }> {
  let text: string
  try {
    const file = await open(join(folder, FILE), 'r')
    try {
      const { size } = await file.stat()
      if (size > MAX_BYTES) return { mistake: `${FILE} is longer than ${MAX_BYTES} bytes` }
      text = await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? {} : { mistake: `${FILE}: ${messageOf(error)}` }
  }
  try {
    const value: unknown = JSON.parse(text)
    const [first] = mistakesIn(EntryManifest, value)
    return first ? { mistake: `${FILE}: ${first.path} ${first.message}` } : { manifest: value as EntryManifest }
  } catch (error) {
    return { mistake: `${FILE}: ${messageOf(error)}` }
  }
}
