// Work that Ctrl-C does not cut in two: it ends at its next step, with what it began undone.
import { EXIT } from './exit-codes.js'
import { UserError } from './user-error.js'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs `work`, which calls `step` where it may end. A second signal ends the process at once.
 *
 * @throws UserError where it was ended.
 */
export async function unbroken<T>(work: (step: () => void) => Promise<T>): Promise<T> {
  let stopped = false
  const stop = (): void => {
    if (stopped) process.exit(EXIT.interrupted)
    stopped = true
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    return await work(() => {
      if (stopped) throw new UserError('stopped; what was begun is undone', { exitCode: EXIT.interrupted })
    })
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}
