// Whose files a backup and a restore make, where root runs them for a host of another user.
import { lchown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Gives what root has just made at `path` to the owner of the host's folder `root`: the host, and its nightly backup, must
 * be able to write there. Does nothing for other users.
 */
export async function giveToOwner(root: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(root)
  if (uid === 0) return
  const found = await readdir(path, { recursive: true })
  for (const name of ['', ...found]) await lchown(join(path, name), uid, gid)
}
