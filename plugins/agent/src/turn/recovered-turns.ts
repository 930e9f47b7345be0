/** How many of the open turns without work on them continue, deliver their answer, or are interrupted. */
export interface RecoveredTurns {
  readonly continued: number
  readonly delivered: number
  readonly interrupted: number
}
