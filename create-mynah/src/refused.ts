// Why no project is written: one line, and no stack.

export class Refused extends Error {
  override readonly name = 'Refused'
  /** Whether the command line itself was wrong. */
  readonly isUsage: boolean

  constructor(message: string, isUsage = false) {
    super(message)
    this.isUsage = isUsage
  }
}
