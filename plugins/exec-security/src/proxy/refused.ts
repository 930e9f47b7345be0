/** A request that is not passed on, or has no answer, with the status that says so. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Returns the answer to a client. Errors of the machine say nothing of it. */
export function answerOf(error: unknown): { readonly status: number; readonly text: string } {
  return error instanceof Refused
    ? { status: error.status, text: `mynah: ${error.message}\n` }
    : { status: 502, text: 'mynah: no connection, or no answer that is understood\n' }
}
