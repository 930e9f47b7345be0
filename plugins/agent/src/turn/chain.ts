// The entries of one turn: a chain below the leaf at which it began, seen by nobody else until it closes.
import type { AssistantMessage, ToolOutcome, Usage } from '@mynah/plugin-ai/api'
import type { Entry, NewEntry, ResultPart, SessionStore, StoredMedium, Turn } from '../session/types.js'
import type { MediaFolder } from '../view/media.js'
import type { RunnerDeps } from './deps.js'
import type { LiveTurn } from './live.js'

interface Deps {
  readonly store: () => SessionStore
  readonly media: MediaFolder | undefined
  readonly changed: (live: LiveTurn) => void
  readonly withdraw: RunnerDeps['withdraw']
}

export class Chain {
  readonly #deps: Deps
  readonly #live: LiveTurn
  /** The path at which it began. */
  base: readonly Entry[] = []
  readonly own: Entry[] = []
  /** The answer of a step without calls: written with the end, in one commit. */
  #pending: NewEntry | undefined

  constructor(deps: Deps, live: LiveTurn) {
    this.#deps = deps
    this.#live = live
  }

  get path(): readonly Entry[] {
    return [...this.base, ...this.own]
  }

  /** What an earlier start has written. */
  async load(): Promise<void> {
    const { session, chain, base } = this.#live.journal
    this.own.push(...(await this.#deps.store().entries(session, chain)))
    this.base = await this.#deps.store().path(session, base)
  }

  /** The journal as it now stands, in the store too unless only those who watch are to know. */
  known(changes: Partial<Turn>): void {
    this.#live.journal = { ...this.#live.journal, ...changes }
    this.#deps.changed(this.#live)
  }

  async change(changes: Partial<Turn>): Promise<void> {
    const written = this.#deps.store().advance(this.#live.journal.id, changes)
    this.#live.written = written.catch(() => {
      /* Told by the await below. */
    })
    await written
    this.known(changes)
  }

  /** Adds entries, in one commit with what changes of the journal. */
  async append(list: readonly NewEntry[], changes: Partial<Turn> = {}): Promise<void> {
    const { id, session, chain, base } = this.#live.journal
    const numbers = await this.#deps
      .store()
      .advance(id, changes, { session, parent: chain.at(-1) ?? base, chain, list })
    this.own.push(
      ...list.map(
        (entry, index) => ({ meta: {}, ...entry, n: numbers[index] as number, parent: null, at: 0 }) as Entry,
      ),
    )
    this.known({ ...changes, chain: [...chain, ...numbers] })
  }

  /** Holds an answer until it is known what follows it. */
  hold(message: AssistantMessage, usage: Usage, model: string): void {
    const content =
      typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content
    this.#pending = content.length
      ? ({
          kind: 'message',
          role: 'assistant',
          content,
          meta: { turn: this.#live.journal.id, model, usage },
        } as NewEntry)
      : undefined
  }

  async settle(): Promise<void> {
    const entry = this.#pending
    this.#pending = undefined
    if (entry) await this.append([entry])
  }

  /** Writes a result, and what else changes with it. */
  async result(result: ToolOutcome['result'], more: readonly NewEntry[]): Promise<void> {
    const {
      journal: { id },
      waits,
    } = this.#live
    const left = waits.settle(result.id)
    await this.append(
      [{ kind: 'message', role: 'tool', content: [await this.#kept(result)], meta: { turn: id } }, ...more],
      left ? { waiting: waits.journalled() } : {},
    )
    // It waited before a start, and did not run again.
    if (left?.kind === 'approval') await this.#deps.withdraw([left.id])
  }

  /** A result whose media are named by their hash. */
  async #kept(result: ToolOutcome['result']): Promise<ResultPart> {
    const { media } = this.#deps
    if (typeof result.output === 'string') return result as ResultPart
    const output = await Promise.all(
      result.output.map(async (part) => {
        if (part.type === 'text') return part
        if (part.data === undefined || !media)
          return { type: 'text' as const, text: `[${part.mediaType} ${part.url ?? ''}]` }
        return media.keep(Buffer.from(part.data, 'base64'), part.mediaType) as Promise<StoredMedium>
      }),
    )
    return { ...result, output }
  }

  /** Writes the end: the last entry, the place of the chain below the leaf of now, and the journal, in one commit. `aside`: what comes next does not go on from it. */
  async close(ending: Partial<Turn>, aside = false): Promise<void> {
    const turn = this.#live.journal
    // Told while it ran, written once: who asked, and how often, is not worth a commit of its own.
    const changes: Partial<Turn> = { model: turn.model, step: turn.step, ...ending }
    const entry = this.#pending
    this.#pending = undefined
    if (turn.chain.length === 0 && !entry) return this.change(changes)
    const { chain } = await this.#deps
      .store()
      .close(turn, entry ? [entry] : [], turn.chain.at(-1) ?? turn.base, changes, aside)
    this.known({ ...changes, chain })
  }
}
