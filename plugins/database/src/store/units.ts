// Units: what is written whole or not at all. Those that arrive while a commit runs go into the next one together.
import { isWireError } from '@mynah/contract'
import type { Step } from '../api.js'
import type { Draft } from './announcements.js'

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

/** Runs units when it is their turn: what `take` gives then, all of them or none. */
export type RunUnits = (take: () => readonly Unit[]) => Promise<readonly Written[]>

interface Waiting { readonly unit: Unit; readonly rows: number; readonly resolve: (written: Written) => void; readonly reject: (error: unknown) => void }

/** Rows of one commit at most, so that no commit takes long. */
const MAX_ROWS = 5_000

export class Units {
  readonly #run: RunUnits
  #waiting: Waiting[] = []
  #running = false

  /** @param run Calls `take` once, when earlier commits have ended. */
  constructor(run: RunUnits) {
    this.#run = run
  }

  /** Adds a unit; resolves when it is committed. */
  add(unit: Unit): Promise<Written> {
    const rows = unit.steps.reduce((sum, step) => sum + step.rows.length, unit.published.length)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ unit, rows, resolve, reject })
      if (!this.#running) void this.#runAll()
    })
  }

  async #runAll(): Promise<void> {
    this.#running = true
    while (this.#waiting.length) {
      let batch: readonly Waiting[] = []
      try {
        const written = await this.#run(() => (batch = this.#take()).map(({ unit }) => unit))
        for (const [index, { resolve }] of batch.entries()) resolve(written[index] as Written)
      } catch (error) {
        if (batch.length === 0) batch = this.#take()
        if (batch.length > 1 && !(isWireError(error) && error.code === 'not_ready')) await this.#apart(batch)
        else for (const { reject } of batch) reject(error)
      }
    }
    this.#running = false
  }

  #take(): Waiting[] {
    let rows = 0
    let count = 0
    for (const { rows: own } of this.#waiting) {
      if (count > 0 && rows + own > MAX_ROWS) break
      rows += own
      count++
    }
    return this.#waiting.splice(0, count)
  }

  /** One of them cannot be kept: each on its own, so that only that one fails. */
  async #apart(batch: readonly Waiting[]): Promise<void> {
    for (const { unit, resolve, reject } of batch) {
      try {
        const [written] = await this.#run(() => [unit])
        resolve(written as Written)
      } catch (error) {
        reject(error)
      }
    }
  }
}

/** Whether a unit has no events. */
export function isSilent({ events, published }: Unit): boolean {
  return published.length === 0 && events.every((drafts) => drafts.every((draft) => draft === undefined))
}

/** Announces the events of rows that were written, and those of the units themselves. */
export function announceUnits(units: readonly Unit[], written: readonly Written[], announce: (draft: Draft) => void): void {
  for (const [at, { events, published }] of units.entries()) {
    for (const [step, drafts] of events.entries()) {
      for (const [row, draft] of drafts.entries()) if (draft && written[at]?.[step]?.[row]) announce(draft)
    }
    for (const draft of published) announce(draft)
  }
}
