import type { Tool } from '@mynah/plugin-ai/api'
import type { TurnFacts } from '../api.js'
import type { LiveTurn } from './live-turn.js'

/** The tools of a running turn and its model, for the tools that it calls. */
export interface TurnToolbox {
  /** The limits of the model, once it is chosen. */
  readonly facts: TurnFacts | undefined
  /** The tools that the user of the turn may call. */
  readonly callableTools: readonly Tool[]
  /** Adds tools to the prompt. Returns the names of those that can be called in the next step. */
  offerTools(found: readonly Tool[]): readonly string[]
}

export interface ActiveTurn {
  readonly live: LiveTurn
  readonly toolbox: TurnToolbox
  /** Resolves when the turn has ended or is suspended. Never rejects. */
  readonly ended: Promise<void>
}

/** The turns that run in this process, by id. */
export class ActiveTurns {
  readonly #turns = new Map<string, ActiveTurn>()

  /** Returns the turns that run, the newest last. */
  all(): readonly LiveTurn[] {
    return Array.from(this.#turns.values(), ({ live }) => live)
  }

  /** Returns whether a turn runs, or its message was added to one that runs. */
  holds(id: string): boolean {
    return this.#turns.has(id) || this.all().some((live) => live.holds(id))
  }

  get(id: string): ActiveTurn | undefined {
    return this.#turns.get(id)
  }

  add(turn: ActiveTurn): void {
    this.#turns.set(turn.live.journal.id, turn)
  }

  delete(id: string): void {
    this.#turns.delete(id)
  }

  ofSession(session: string): readonly LiveTurn[] {
    return this.all().filter(({ journal }) => journal.session === session)
  }

  /** Returns the other turns of the same session that have left the queue. */
  othersThan({ journal: { id, session } }: LiveTurn): readonly LiveTurn[] {
    return this.ofSession(session).filter(({ journal }) => journal.id !== id && journal.state !== 'queued')
  }

  /** Resolves when every turn that is left waits for a person. */
  async idle(): Promise<void> {
    for (;;) {
      const busy = Array.from(this.#turns.values()).filter(({ live }) => live.journal.state !== 'waiting')
      if (busy.length === 0) return
      await Promise.race(busy.flatMap(({ live, ended }) => [ended, live.whenWaiting()]))
    }
  }

  async allEnded(): Promise<void> {
    await Promise.allSettled(Array.from(this.#turns.values(), ({ ended }) => ended))
  }
}
