// Decides how each call to the outside goes: how long it takes, and whether it goes wrong. The decision for call number
// n of a boundary depends on nothing else, so that a history can be shortened without changing the rest of it.
import { draw } from '../core/random.mjs'

/**
 * What may go wrong at each boundary.
 *
 * - `late`: the answer takes long
 * - `refuse`: nothing happens, and the error says so
 * - `taken`: it happens, and the caller gets an error that does not say so
 * - `lost`: nothing happens, and the caller gets an error that does not say so
 * - `crash`: it happens, and the host dies before it hears of it
 * - `limited`: refused for the rate, with the time to wait
 * - `never`: a person does not answer
 * - `offline`: the connection is found to be gone
 */
export const FAULTS = {
  read: ['late', 'refuse'],
  statement: ['late', 'refuse', 'crash'],
  write: ['late', 'refuse', 'taken', 'crash'],
  commit: ['late', 'refuse', 'taken', 'crash'],
  send: ['late', 'limited', 'taken', 'lost', 'offline', 'crash', 'refuse'],
  edit: ['late', 'limited', 'taken', 'lost', 'offline', 'crash', 'refuse'],
  acknowledge: ['lost', 'crash'],
  connect: ['refuse', 'late'],
  model: ['late', 'refuse', 'crash'],
  tool: ['late', 'refuse', 'crash'],
  answer: ['late', 'never'],
}

export class Boundaries {
  /** Faults that have happened, as `boundary:number` and kind. */
  used = []
  #plan
  #seed
  #counts = new Map()
  #explicit
  #isQuiet = false

  constructor(plan) {
    this.#plan = plan
    this.#seed = plan.seed
    this.#explicit = plan.faults && new Map(plan.faults)
  }

  /** From now on everything goes well, and soon. */
  quiet() {
    this.#isQuiet = true
  }

  /** Decides on the next call of a boundary. */
  decide(boundary) {
    const count = this.#counts.get(boundary) ?? 0
    this.#counts.set(boundary, count + 1)
    const fault = this.#isQuiet ? undefined : this.#faultOf(boundary, count)
    if (fault !== undefined) this.used.push([`${boundary}:${count}`, fault])
    const chance = draw(this.#seed, `${boundary} delay`, count)
    const [least, most] = this.#plan.latency[boundary] ?? [1, 5]
    const delay = fault === 'late' ? this.#plan.late * (0.5 + chance) : least + chance * chance * (most - least)
    return { delay, fault, isInstant: draw(this.#seed, `${boundary} instant`, count) < 0.9 }
  }

  /** Another draw for a call that was decided on, such as the time that a platform asks to wait. */
  extra(boundary) {
    return draw(this.#seed, `${boundary} extra`, this.#counts.get(boundary))
  }

  #faultOf(boundary, count) {
    if (this.#explicit) return this.#explicit.get(`${boundary}:${count}`)
    let left = draw(this.#seed, `${boundary} fault`, count)
    for (const [kind, rate] of Object.entries(this.#plan.rates[boundary] ?? {})) if ((left -= rate) < 0) return kind
    return undefined
  }
}
