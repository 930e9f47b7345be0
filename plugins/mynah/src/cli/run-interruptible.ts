import { EXIT } from './exit-codes.js'
import { UserError } from './user-error.js'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs `work`, which calls `step` where it may be cancelled. Ctrl-C cancels it at the next step. A second signal ends
 * the
 * process at once.
 *
 * @throws UserError if it was cancelled
 */
export async function runInterruptible<T>(work: (step: () => void) => Promise<T>): Promise<T> {
  let stopped = false
  const stop = (): void => {
    if (stopped) process.exit(EXIT.interrupted)
    stopped = true
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    return await work(() => {
      if (stopped) throw new UserError('cancelled; all changes were undone', { exitCode: EXIT.interrupted })
    })
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}
