import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FILE = 'host'

/**
 * Records that this process begins to use a folder for its commands. Sandboxes that show something of it are ended: one
 * that a dead process was just starting may have outlived it.
 *
 * @throws Error if another living process uses it
 */
export async function claimFolder(folder: string): Promise<void> {
  const path = join(folder, FILE)
  const owner = await readFile(path, 'utf8').catch(() => '')
  const own = await identityOf(process.pid)
  if (owner !== '') {
    const pid = Number(owner.split(' ', 1)[0])
    if (owner !== own && owner === (await identityOf(pid)))
      throw new Error('another process runs commands for the same host folder')
    await endSandboxes(folder)
  }
  await writeFile(path, own, { mode: 0o600 })
}

/** The number of a process with the time of its start, since numbers are used again. */
async function identityOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // The name in parentheses may hold anything. The start is the 20th field after it.
  return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`
}

/** Ends the sandboxes that show something of a folder. */
async function endSandboxes(folder: string): Promise<number> {
  let ended = 0
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const args = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0')
    if (!/(?:^|\/)bwrap$/.test(args[0] ?? '') || !args.some((arg) => arg.startsWith(`${folder}/`))) continue
    try {
      process.kill(Number(name), 'SIGKILL')
      ended++
    } catch {
      // It has ended, or belongs to another user who copied the arguments.
    }
  }
  return ended
}
