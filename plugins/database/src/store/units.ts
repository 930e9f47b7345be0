// Units: what is written whole or not at all. Those that wait side by side for their turn are committed together.
import { isWireError } from '@mynah/contract'
import type { Step } from '../api.js'
import type { Draft } from './announcements.js'
import type { Perform, Turns, Work } from './turns.js'

/** Steps, and the events that go with their rows, or with none. */
export interface Unit {
  readonly steps: readonly Step[]
  /** Of each step, the events of its rows. */
  readonly events: readonly (readonly (Draft | undefined)[])[]
  /** Events of the unit itself. */
  readonly published: readonly Draft[]
}

/** Of each step and row, whether it was written. */
export type Written = readonly (readonly boolean[])[]

interface Waiting {
  readonly unit: Unit
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
}

/** Units that have one turn. */
interface Group {
  readonly turn: unknown
  readonly waiting: Waiting[]
  rows: number
}

/** Rows of one commit at most, so that no commit takes long. */
const MAX_ROWS = 5_000

export class Units {
  readonly #turns: Turns
  readonly #workOf: (units: readonly Unit[]) => Work<readonly Written[]>
  /** The group whose turn has not come. */
  #open: Group | undefined

  /** @param workOf What writes units, all of them or none. */
  constructor(turns: Turns, workOf: (units: readonly Unit[]) => Work<readonly Written[]>) {
    this.#turns = turns
    this.#workOf = workOf
  }

  /** Adds a unit; resolves when it is committed: after all that was asked for before, and before all that is asked for later. */
  add(unit: Unit): Promise<Written> {
    const rows = unit.steps.reduce((sum, step) => sum + step.rows.length, unit.published.length)
    return new Promise((resolve, reject) => {
      const group = this.#joinable(rows) ?? this.#group()
      group.rows += rows
      group.waiting.push({ unit, resolve, reject })
    })
  }

  /** A group with room, unless somebody asked for a turn after it, who must not be overtaken. */
  #joinable(rows: number): Group | undefined {
    const group = this.#open
    return group && group.turn === this.#turns.latest && group.rows + rows <= MAX_ROWS ? group : undefined
  }

  #group(): Group {
    const waiting: Waiting[] = []
    const closed = (): void => {
      if (this.#open?.waiting === waiting) this.#open = undefined
    }
    const turn = this.#turns.inTurn((perform) => {
      closed()
      return this.#commit(waiting, perform)
    })
    turn.catch((error: unknown) => {
      closed()
      for (const { reject } of waiting) reject(error)
    })
    return (this.#open = { turn: this.#turns.latest, waiting, rows: 0 })
  }

  async #commit(batch: readonly Waiting[], perform: Perform): Promise<void> {
    try {
      const written = await perform(this.#workOf(batch.map(({ unit }) => unit)))
      for (const [index, { resolve }] of batch.entries()) resolve(written[index] as Written)
    } catch (error) {
      const isOwn = batch.length === 1 || (isWireError(error) && error.code === 'not_ready')
      if (isOwn) for (const { reject } of batch) reject(error)
      // One of them cannot be kept: each on its own, so that only that one fails.
      else for (const one of batch) await this.#commit([one], perform)
    }
  }
}

/** Whether a unit has no events. */
export function isSilent({ events, published }: Unit): boolean {
  return published.length === 0 && events.every((drafts) => drafts.every((draft) => draft === undefined))
}

/** Announces the events of rows that were written, and those of the units themselves. */
export function announceUnits(
  units: readonly Unit[],
  written: readonly Written[],
  announce: (draft: Draft) => void,
): void {
  for (const [at, { events, published }] of units.entries()) {
    for (const [step, drafts] of events.entries()) {
      for (const [row, draft] of drafts.entries()) if (draft && written[at]?.[step]?.[row]) announce(draft)
    }
    for (const draft of published) announce(draft)
  }
}
