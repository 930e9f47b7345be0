import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()

function endAll(): void {
  for (const child of running) signalGroup(child, 'SIGKILL')
}

/** Remembers a child that leads a group of its own; returns the end of that. */
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
    // Nobody of the group is left, which is what was wanted; of EPERM the same: it is somebody else's group by now.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
