// What a command ends with where its user can mend it: one line, a remedy, an exit code, and no stack.
import { messageOf } from '@mynah/kernel'

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

/** A failure that nobody foresaw: its message, and its stack only where that is wanted. */
export function told(error: unknown, verbose: boolean): string {
  if (verbose) return error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error)
  return `${messageOf(error)}\n    This was not foreseen; --verbose tells where it happened`
}
