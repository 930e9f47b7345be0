/** The reason why no input can be checked against a schema, with the path to the mistake. */
export class UnusableSchema extends Error {
  constructor(path: string, reason: string) {
    super(path ? `${path} ${reason}` : `it ${reason}`)
  }
}
