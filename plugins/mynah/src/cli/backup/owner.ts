import { lchown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Changes the owner of a new file, or of a new folder with its files, to the owner of the folder `root` of the host, so
 * that the host can write them.
 * Does nothing unless the process runs as root.
 */
export async function giveToOwner(root: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(root)
  if (uid === 0) return
  const found = (await stat(path)).isDirectory() ? await readdir(path, { recursive: true }) : []
  for (const name of ['', ...found]) await lchown(join(path, name), uid, gid)
}
