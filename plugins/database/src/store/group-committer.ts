import { isWireError } from '@mynah/contract'
import type { Step } from '../api.js'
import type { Draft } from './announcements.js'
import type { RunJob, WriteQueue, WriteJob } from './write-queue.js'

/** Steps and events that are written all or not at all. */
export interface Unit {
  readonly steps: readonly Step[]
  /** For each step, the events of its rows. */
  readonly events: readonly (readonly (Draft | undefined)[])[]
  /** Events without a row. */
  readonly published: readonly Draft[]
}

/** For each step and row, whether it was written. */
export type Written = readonly (readonly boolean[])[]

interface Waiting {
  readonly unit: Unit
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
}

/** Units that are committed together. */
interface Group {
  readonly turn: unknown
  readonly waiting: Waiting[]
  rows: number
}

/** Maximum rows of one commit, so that no commit takes long. */
const MAX_ROWS = 5_000

/** Commits units that arrive while an earlier commit runs in one group. */
export class GroupCommitter {
  readonly #queue: WriteQueue
  readonly #workOf: (units: readonly Unit[]) => WriteJob<readonly Written[]>
  /** The group that has not started yet. */
  #open: Group | undefined

  /** @param workOf returns the job that writes units, all or none */
  constructor(queue: WriteQueue, workOf: (units: readonly Unit[]) => WriteJob<readonly Written[]>) {
    this.#queue = queue
    this.#workOf = workOf
  }

  /** Adds a unit. Resolves when it is committed, after all earlier calls and before all later ones. */
  add(unit: Unit): Promise<Written> {
    const rows = unit.steps.reduce((sum, step) => sum + step.rows.length, unit.published.length)
    return new Promise((resolve, reject) => {
      const group = this.#joinable(rows) ?? this.#group()
      group.rows += rows
      group.waiting.push({ unit, resolve, reject })
    })
  }

  /** Returns the open group if it has room and no other job was enqueued after it, which the unit would overtake. */
  #joinable(rows: number): Group | undefined {
    const group = this.#open
    return group && group.turn === this.#queue.latest && group.rows + rows <= MAX_ROWS ? group : undefined
  }

  #group(): Group {
    const waiting: Waiting[] = []
    const closed = (): void => {
      if (this.#open?.waiting === waiting) this.#open = undefined
    }
    const turn = this.#queue.enqueue((perform) => {
      closed()
      return this.#commit(waiting, perform)
    })
    turn.catch((error: unknown) => {
      closed()
      for (const { reject } of waiting) reject(error)
    })
    return (this.#open = { turn: this.#queue.latest, waiting, rows: 0 })
  }

  async #commit(batch: readonly Waiting[], perform: RunJob): Promise<void> {
    try {
      const written = await perform(this.#workOf(batch.map(({ unit }) => unit)))
      for (const [index, { resolve }] of batch.entries()) resolve(written[index] as Written)
    } catch (error) {
      const isOwn = batch.length === 1 || (isWireError(error) && error.code === 'not_ready')
      if (isOwn) for (const { reject } of batch) reject(error)
      // One unit cannot be written. Commits each unit alone, so that only that one fails.
      else for (const one of batch) await this.#commit([one], perform)
    }
  }
}

/** Returns whether a unit has no events. */
export function hasNoEvents({ events, published }: Unit): boolean {
  return published.length === 0 && events.every((drafts) => drafts.every((draft) => draft === undefined))
}

/** Announces the events of written rows and the events without a row. */
export function announceWritten(
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
