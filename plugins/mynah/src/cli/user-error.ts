import { messageOf } from '@mynah/kernel'

/** An error that the user can fix. It is shown as one line with a hint, without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly exitCode: number
  readonly remedy: string | undefined

  constructor(
    message: string,
    { exitCode, remedy, cause }: { readonly exitCode: number; readonly remedy?: string; readonly cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.exitCode = exitCode
    this.remedy = remedy
  }
}

/** Formats an unexpected error: its message, or its stack if `verbose`. */
export function describeUnexpected(error: unknown, verbose: boolean): string {
  if (verbose) return error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error)
  return `${messageOf(error)}\n    This error is unexpected; --verbose shows where it happened`
}
