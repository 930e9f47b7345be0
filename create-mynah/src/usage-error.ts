/** Exit codes. */
export const EXIT = { ok: 0, failed: 1, usage: 64, stopped: 130 } as const

/** Ends the command with a message, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}
