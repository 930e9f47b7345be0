// Visits all states of a scenario, breadth first, so that the first violation has the shortest history.
import { actionsOf } from './actions.mjs'
import { keyOf } from './key.mjs'
import { Quiet } from './quiet.mjs'
import { check } from './work.mjs'
import { copyOf, firstWorld } from './world.mjs'

/**
 * @param without the names of rules that are taken away
 * @param about the beginning of a sentence: violations of others are left out
 * @returns the number of states, and the first violation with its history
 */
export function explore(scenario, { without, about = '' } = {}) {
  const began = performance.now()
  const search = new Search(firstWorld(scenario, without), about)
  while (!search.violation && search.frontier.length > 0) search.goOn()
  return { states: search.states, seconds: (performance.now() - began) / 1000, violation: search.violation }
}

class Search {
  violation
  frontier
  #about
  #keys
  /** The state before each one, and the action between them. */
  #parents = [-1]
  #names = ['']
  #quiet = new Quiet()

  constructor(first, about) {
    this.#about = about
    this.#keys = new Set([keyOf(first)])
    this.frontier = [{ number: 0, world: first }]
  }

  get states() {
    return this.#keys.size
  }

  /** Visits the states that are one action further. */
  goOn() {
    const next = []
    for (const { number, world } of this.frontier)
      for (const action of actionsOf(world)) {
        const found = this.#visit(number, world, action)
        if (this.violation) return
        if (found) next.push(found)
      }
    this.frontier = next
  }

  #visit(number, world, { name, run, isFault }) {
    const copy = copyOf(world)
    if (isFault) copy.faults--
    run(copy)
    check(copy)
    if (copy.broken) return this.#note(copy.broken, () => [...this.#history(number), name])
    const key = keyOf(copy)
    if (this.#keys.has(key)) return undefined
    const child = this.#keys.size
    this.#keys.add(key)
    this.#parents.push(number)
    this.#names.push(name)
    const waits = this.#quiet.waits(copy)
    if (waits) this.#note(waits.sentence, () => [...this.#history(child), ...waits.history])
    return { number: child, world: copy }
  }

  #note(sentence, history) {
    if (sentence.startsWith(this.#about)) this.violation = { sentence, history: history() }
  }

  #history(number) {
    const names = []
    for (let at = number; at > 0; at = this.#parents[at]) names.unshift(this.#names[at])
    return names
  }
}
