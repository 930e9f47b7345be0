/**
 * A step of a turn was not stored: the turn has ended, or another start has taken it. The code that gets this must not
 * act.
 */
export class TurnLost extends Error {
  override readonly name = 'TurnLost'

  constructor(turn: string) {
    super(`the turn ${turn} has ended or belongs to another start`)
  }
}
