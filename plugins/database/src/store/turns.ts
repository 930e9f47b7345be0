// Turns at writing: whoever asks first commits first.
import type { Writes } from '../api.js'
import type { Draft } from './announcements.js'

/** Work for a turn. */
export interface Work<T> {
  /** Whether it is one statement that announces nothing, which needs no transaction around it. */
  readonly bare: boolean
  run(db: Writes, announce: (draft: Draft) => void): Promise<T>
}

/** Does work in the turn it is given for. */
export type Perform = <T>(work: Work<T>) => Promise<T>

/** Turns at writing, in the order in which they were asked for. */
export interface Turns {
  /** The turn that was asked for last, compared by identity. */
  readonly latest: unknown
  /** Asks for a turn at once, in which `job` does its work in one transaction or several; rejects where there is none to be had. */
  inTurn<T>(job: (perform: Perform) => Promise<T>): Promise<T>
}
