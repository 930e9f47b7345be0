import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()

function endAll(): void {
  for (const child of running) signalGroup(child, 'SIGKILL')
}

/** Kills the group of a child when the host exits. Returns a function that ends this. */
export function guard(child: ChildProcess): () => void {
  if (running.size === 0) process.on('exit', endAll)
  running.add(child)
  return () => {
    if (running.delete(child) && running.size === 0) process.off('exit', endAll)
  }
}

/** Sends a signal to a child and to everything that it started. */
export function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  const { pid } = child
  if (pid === undefined) return
  if (process.platform === 'win32') {
    child.kill(signal)
    return
  }
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // ESRCH: the group has ended. EPERM: its id belongs to a process of another user by now.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
