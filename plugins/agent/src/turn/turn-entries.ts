import type { AssistantMessage, ToolOutcome, Usage } from '@mynah/plugin-ai/api'
import type { AgentRuntime } from '../runtime.js'
import type { ClosedTurn, Entry, NewEntry, ResultPart, StoredMedium, Turn, TurnAppend } from '../session/types.js'
import { TurnLost } from '../session/turn-lost.js'
import type { LiveTurn } from './live-turn.js'
import { untilStored } from './until-stored.js'

/** The greatest number that an integer column of every database takes. */
const MAX_CLAIM = 2 ** 31 - 1

/** Draws a claim, so that no two starts have the same one. */
const newClaim = (): number => 1 + Math.floor(Math.random() * MAX_CLAIM)

interface HeldAnswer {
  readonly message: AssistantMessage
  readonly usage: Usage
  readonly model: string
  /** Whether the model has not ended it. */
  readonly broken: boolean
}

/** The entries of one turn. They stand below the leaf at which the turn began, and join the path when it closes. */
export class TurnEntries {
  readonly #runtime: AgentRuntime
  readonly #live: LiveTurn
  readonly #written: Entry[] = []
  #basePath: readonly Entry[] = []
  /** The answer of a step without calls. It is written in one commit with the end of the turn. */
  #pendingAnswer: NewEntry | undefined

  constructor(runtime: AgentRuntime, live: LiveTurn) {
    this.#runtime = runtime
    this.#live = live
  }

  /** The entries that the turn has written. */
  get written(): readonly Entry[] {
    return this.#written
  }

  /** The path at which the turn began. */
  get basePath(): readonly Entry[] {
    return this.#basePath
  }

  /** The whole path that the turn sees. */
  get path(): readonly Entry[] {
    return [...this.#basePath, ...this.#written]
  }

  /** Places the turn below a leaf, without storing that. */
  startAt(path: readonly Entry[], baseSeq: number | null, branchVersion: number): void {
    this.#basePath = path
    this.#live.update({ baseSeq, branchVersion })
  }

  /** Places the turn below another leaf. */
  async rebase(path: readonly Entry[], baseSeq: number | null): Promise<void> {
    this.#basePath = path
    await this.save({ baseSeq })
  }

  /** Loads what an earlier attempt has written. */
  async load(): Promise<void> {
    const { session, entrySeqs, baseSeq } = this.#live.journal
    const { store } = this.#runtime
    const written = await this.untilStored(() => store.entries(session, entrySeqs))
    this.#basePath = await this.untilStored(() => store.path(session, baseSeq))
    this.#written.push(...written)
  }

  /**
   * Takes the turn for this start. An answer that comes meanwhile is recorded under the new claim.
   *
   * @throws TurnLost where it has ended or another start has taken it
   */
  claim(changes: Partial<Turn>): Promise<void> {
    const claiming = this.#claim(changes)
    this.#live.track(claiming)
    return claiming
  }

  async #claim(changes: Partial<Turn>): Promise<void> {
    const { journal } = this.#live
    const claiming = { ...changes, claim: newClaim() }
    const claimed = await this.untilStored(() => this.#runtime.store.claimTurn(journal, claiming))
    if (!claimed) throw new TurnLost(this.#live.journal.id)
    // Only what this call has changed: an answer may be in the journal by now.
    this.note(claiming)
  }

  /** Changes the journal in memory and notifies listeners, without a commit. */
  note(changes: Partial<Turn>): void {
    this.#live.update(changes)
    this.#runtime.events.emit('turnChanged', this.#live.journal)
  }

  /** Runs a call of the store. Waits while the store is unavailable, until the turn is aborted. */
  untilStored<T>(call: () => Promise<T>): Promise<T> {
    return untilStored(call, this.#runtime.clock, this.#live.signal)
  }

  /** Changes the journal in the store, after all earlier changes, then in memory. Waits while it is unavailable. */
  async save(changes: Partial<Turn>, signal = this.#live.signal): Promise<void> {
    const { store, clock } = this.#runtime
    const write = this.#live.pendingWrite.then(() =>
      untilStored(() => store.updateTurn(this.#live.journal, changes), clock, signal),
    )
    this.#live.track(write)
    await write
    this.note(changes)
  }

  /** Ends a turn that is closed. Waits while the store is unavailable, also where the turn was aborted. */
  end(changes: Partial<Turn>): Promise<void> {
    return this.save(changes, this.#live.leaving)
  }

  /**
   * Appends entries and changes the journal, in one commit, which `ends` another turn where that is given. Waits while
   * the store is unavailable.
   */
  async append(list: readonly NewEntry[], changes: Partial<Turn> = {}, ends?: TurnAppend['ends']): Promise<void> {
    const { session, entrySeqs, baseSeq } = this.#live.journal
    const parent = entrySeqs.at(-1) ?? baseSeq
    const append = { session, parent, entrySeqs, list, ...(ends ? { ends } : {}) }
    let isTried = false
    const seqs = await this.untilStored(async () => {
      const known = isTried ? await this.#appended(list.length) : undefined
      if (known) return known
      isTried = true
      return this.#runtime.store.updateTurn(this.#live.journal, changes, append)
    })
    for (const [index, entry] of list.entries())
      this.#written.push({ meta: {}, ...entry, seq: seqs[index], parent: null, at: 0 } as Entry)
    this.note({ ...changes, entrySeqs: [...entrySeqs, ...seqs] })
  }

  /** Returns the numbers of the last `count` entries that a try without an answer has appended, if it has. */
  async #appended(count: number): Promise<readonly number[] | undefined> {
    const { id, claim, entrySeqs } = this.#live.journal
    const stored = await this.#runtime.store.turn(id)
    const isMade = stored?.claim === claim && stored.entrySeqs.length === entrySeqs.length + count
    return isMade ? stored.entrySeqs.slice(entrySeqs.length) : undefined
  }

  /** Holds an answer back until its successor is known: more entries, or the end of the turn. */
  holdAnswer({ message, usage, model, broken }: HeldAnswer): void {
    const content =
      typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content
    const meta = { turn: this.#live.journal.id, model, usage, ...(broken ? { broken: true as const } : {}) }
    this.#pendingAnswer = content.length
      ? ({ kind: 'message', role: 'assistant', content, meta } as NewEntry)
      : undefined
  }

  /** Forgets an answer that is held back, since the model is asked again. */
  dropAnswer(): void {
    this.#pendingAnswer = undefined
  }

  /** Holds the beginning of an answer back that the end of the turn has cut off. */
  holdPartial(text: string): void {
    const { id, model } = this.#live.journal
    const meta = { turn: id, partial: true as const, ...(model === null ? {} : { model }) }
    this.#pendingAnswer ??= { kind: 'message', role: 'assistant', content: [{ type: 'text', text }], meta }
  }

  /** Appends the answer that is held back. */
  async flush(): Promise<void> {
    const entry = this.#pendingAnswer
    this.#pendingAnswer = undefined
    if (entry) await this.append([entry])
  }

  /** Appends a tool result together with the entries in `more`. */
  async appendResult(result: ToolOutcome['result'], more: readonly NewEntry[]): Promise<void> {
    const { journal, waits } = this.#live
    const unfinished = waits.resolve(result.id)
    const content = [await this.#storeMedia(result)]
    await this.append(
      [{ kind: 'message', role: 'tool', content, meta: { turn: journal.id } }, ...more],
      unfinished ? { waiting: waits.journalled() } : {},
    )
    // The call waited for an approval before a restart and did not run again.
    if (unfinished?.kind === 'approval') await this.#runtime.withdrawApprovals([unfinished.id])
  }

  /** Returns the result with its media stored and named by their hash. */
  async #storeMedia(result: ToolOutcome['result']): Promise<ResultPart> {
    const { media } = this.#runtime
    if (typeof result.output === 'string') return result as ResultPart
    const output = await Promise.all(
      result.output.map(async (part) => {
        if (part.type === 'text') return part
        if (part.data === undefined || !media)
          return { type: 'text' as const, text: `[${part.mediaType} ${part.url ?? ''}]` }
        return media.store(Buffer.from(part.data, 'base64'), part.mediaType) as Promise<StoredMedium>
      }),
    )
    return { ...result, output }
  }

  /**
   * Closes the turn in one commit: the last entry, the move below the current leaf, and the journal. The first close
   * counts: later the journal shows what that one has stored. Waits while the store is unavailable.
   *
   * @param aside leaves the entries where the turn began, so that the conversation does not continue from them
   */
  async close(ending: Partial<Turn>, aside = false): Promise<void> {
    const turn = this.#live.journal
    // Model and step were only noted while the turn ran: they are not worth commits of their own.
    const changes: Partial<Turn> = { model: turn.model, step: turn.step, ...ending }
    const entry = this.#pendingAnswer
    const parent = turn.entrySeqs.at(-1) ?? turn.baseSeq
    const { store, clock } = this.#runtime
    const close = (): Promise<ClosedTurn> => store.closeTurn(turn, entry ? [entry] : [], parent, changes, aside)
    const { turn: closed } = await untilStored(close, clock, this.#live.leaving)
    this.#pendingAnswer = undefined
    this.note(closed)
  }
}
