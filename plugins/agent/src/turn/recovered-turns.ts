/** How many of the turns that an earlier start left open continue, deliver their answer, or are interrupted. */
export interface RecoveredTurns {
  readonly continued: number
  readonly delivered: number
  readonly interrupted: number
}
