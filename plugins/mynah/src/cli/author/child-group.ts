import type { ChildProcess } from 'node:child_process'

/** Options that give a child process a group of its own, which {@link endGroup} ends with all that it started. */
export const OWN_GROUP = { detached: process.platform !== 'win32' } as const

/** Ends a child process and what it started. Resolves when it has ended. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  try {
    if (OWN_GROUP.detached) process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch (error) {
    // It has ended in the meantime, and its event comes.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  await ended
}
