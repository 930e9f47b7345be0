// Why no project is written: one line, and no stack.

/** How a run ends. */
export const EXIT = { ok: 0, failed: 1, usage: 64, stopped: 130 } as const

export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}
