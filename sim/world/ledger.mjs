// How often each thing was done: handlers of messages, and effects of tools that must happen once.
export class Ledger {
  /** Times that the handler of a message ran, by the id of the message. */
  handled = new Map()
  /** Times that an effect happened, by its name. */
  effects = new Map()
  /** Lives of the host in which a model worked for a turn, by the id of the turn. */
  worked = new Map()
  #world

  constructor(world) {
    this.#world = world
  }

  ran(id) {
    this.#world.recorder.line(`the handler of ${id} runs`)
    this.handled.set(id, (this.handled.get(id) ?? 0) + 1)
  }

  effect(name) {
    this.#world.recorder.line(`EFFECT ${name}`)
    this.effects.set(name, (this.effects.get(name) ?? 0) + 1)
  }

  /** A model is asked on behalf of a turn. */
  asked(turn) {
    const lives = this.worked.get(turn) ?? new Set()
    this.worked.set(turn, lives.add(this.#world.scheduler.life))
  }
}
