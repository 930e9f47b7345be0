// A folder that strangers fill stays within its size: the oldest files go first.
import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

export interface Room { readonly bytes: number; readonly files: number }

/** What another turn has removed meanwhile is gone as wished. */
function gone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}

/** Removes files of a folder, the oldest first, until one more of that many bytes has room. */
export async function makeRoomFor(more: number, folder: string, most: Room): Promise<void> {
  const files: { path: string; size: number; mtimeMs: number }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(gone)
    if (found?.isFile()) files.push({ path, size: found.size, mtimeMs: found.mtimeMs })
  }
  let bytes = more + files.reduce((sum, { size }) => sum + size, 0)
  let count = 1 + files.length
  for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (bytes <= most.bytes && count <= most.files) return
    await unlink(path).catch(gone)
    bytes -= size
    count--
  }
}
