// How often each thing was done: handlers of messages, and effects of tools that must happen once.
export class Ledger {
  /** Times that the handler of a message ran, by the id of the message. */
  handled = new Map()
  /** Times that an effect happened, by its name. */
  effects = new Map()
  /**
   * Lives of the host that are attempts of a turn, by the id of the turn: a model or a tool was called for it, or the
   * life ended while it did not wait.
   */
  attempts = new Map()
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

  /** A model or a tool is called on behalf of a turn. */
  worksFor(turn) {
    this.#attempted(turn, this.#world.scheduler.life)
  }

  crashed() {
    const { file, scheduler } = this.#world
    for (const { id } of file.rows("SELECT id FROM agent_turn WHERE ended_at IS NULL AND state <> 'waiting'"))
      this.#attempted(id, scheduler.life - 1)
  }

  #attempted(turn, life) {
    const lives = this.attempts.get(turn) ?? new Set()
    this.attempts.set(turn, lives.add(life))
  }
}
