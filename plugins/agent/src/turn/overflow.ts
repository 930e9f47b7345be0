import { mayBeByContent, type Candidate, type ModelError, type ModelMessage, type Usage } from '@mynah/plugin-ai/api'
import type { CompactionReason } from '../compaction/compacted.js'
import { trimmableResults, type Compactor } from '../compaction/compactor.js'
import { trimmableMediaBefore } from '../compaction/media-trim.js'
import type { AgentRuntime } from '../runtime.js'
import type { Entry, NewEntry, Shortened } from '../session/types.js'
import { buildView } from '../view/view.js'
import type { LiveTurn } from './live-turn.js'
import { mayBeTooLong } from './loop-end.js'
import { keepWords } from './long-words.js'
import type { TurnEntries } from './turn-entries.js'
import { isAnswer } from './turn-reply.js'

/** Tokens that stay free for an answer. */
const RESERVED_TOKENS = 16_384
/** How much is left of long texts, in bytes: less each time. */
const TEXT_BYTES = [32_000, 8_000, 2_000] as const
/** Room for the mark of what is left out. */
const MARK_BYTES = 500

/** Keeps the requests of a turn within the context window of its model. */
export class ContextWindow {
  readonly #runtime: AgentRuntime
  readonly #compactor: Compactor
  readonly #live: LiveTurn
  readonly #entries: TurnEntries
  readonly #candidates: readonly Candidate[]
  /** The next way to free context. */
  #stage = 0
  /** Whether a refusal without a reason was taken for one of the length in this turn. */
  #wasShortened = false
  /** Messages without an answer that requests leave out, until a model has answered one. */
  #leftOut: readonly number[] | undefined

  constructor(
    runtime: AgentRuntime,
    compactor: Compactor,
    live: LiveTurn,
    entries: TurnEntries,
    candidates: readonly Candidate[],
  ) {
    this.#runtime = runtime
    this.#compactor = compactor
    this.#live = live
    this.#entries = entries
    this.#candidates = candidates
  }

  /**
   * Changes what is sent after a refusal. Returns whether that may be accepted.
   *
   * @param isWhole whether the refusal came before the answer began
   */
  async makeAcceptable(refusal: ModelError, isWhole: boolean): Promise<boolean> {
    if (refusal.class === 'overflow' && (await this.#freeContext())) return true
    if (isWhole && mayBeTooLong(refusal) && (await this.#shorten())) return true
    return mayBeByContent(refusal) && this.#leaveUnanswered()
  }

  /**
   * Frees context after an overflow: tool results and old media first, then by a summary, then the oldest messages,
   * then the middle of long texts. Each way is tried once in a turn. Returns whether the next request is smaller.
   */
  async #freeContext(): Promise<boolean> {
    const { events } = this.#runtime
    const ways = [
      () => this.#trimResults(),
      () => this.#summarise(),
      () => this.#trimOldest(),
      ...TEXT_BYTES.map((bytes) => () => this.#shortenTexts(bytes)),
    ]
    while (this.#stage < ways.length) {
      const stage = this.#stage++
      events.emit('phase', this.#live, 'overflow', { stage })
      this.#live.trace.step('model', this.#candidates[0]?.model ?? '', 'overflow', `stage ${stage + 1}`)
      if (await ways[stage]?.()) return true
    }
    return false
  }

  /**
   * Shortens a conversation whose request was refused in words that do not say why, once in a turn: servers name their
   * windows in many ways. Returns whether the next request is smaller.
   */
  async #shorten(): Promise<boolean> {
    if (this.#wasShortened || this.#stage > 0) return false
    this.#wasShortened = true
    const hasGrown = this.#entries.basePath.some((entry) => entry.kind === 'message' && entry.role === 'assistant')
    const hasLess = hasGrown && ((await this.#summarise()) || (await this.#trimOldest()))
    const isShorter = (await this.#shortenTexts(TEXT_BYTES[1])) || hasLess
    const model = this.#candidates[0]?.model ?? ''
    this.#live.trace.step('model', model, 'refused', isShorter ? 'shortened' : 'not shortened')
    return isShorter
  }

  /** Entries that requests leave out besides the entries that are stored. */
  get trial(): readonly NewEntry[] {
    return this.#leftOut?.length ? [{ kind: 'cut', content: { unanswered: this.#leftOut } }] : []
  }

  /**
   * Leaves out earlier messages that got no answer, once in a turn: the model may refuse one of them each time. Returns
   * whether there are any.
   */
  #leaveUnanswered(): boolean {
    if (this.#leftOut) return false
    this.#leftOut = unansweredIn(this.#entries.basePath)
    if (this.#leftOut.length === 0) return false
    this.#runtime.events.emit('prefixBroken', 'cut')
    this.#live.trace.step('model', this.#candidates[0]?.model ?? '', 'refused', 'without what got no answer')
    return true
  }

  /** Stores that messages are left out, since a model has answered without them. */
  async keepTrial(): Promise<void> {
    const cut = this.trial
    this.#leftOut &&= []
    if (cut.length) await this.#entries.append(cut)
  }

  async #summarise(): Promise<boolean> {
    const { journal, signal } = this.#live
    const session = await this.#runtime.store.byId(journal.session)
    if (!session || !(await this.#compactor.compact(session, 'overflow', this.#candidates, { signal }))) return false
    return this.#rebase()
  }

  async #trimOldest(): Promise<boolean> {
    const { events, store, config } = this.#runtime
    const session = await store.byId(this.#live.journal.session)
    const keepTokens = Math.floor(config['ai.agent'].compaction.keepRecentTokens / 4)
    if (!session || !(await this.#compactor.trimOldest(session, keepTokens))) return false
    events.emit('prefixBroken', 'cut')
    return this.#rebase()
  }

  async #trimResults(): Promise<boolean> {
    const { path } = this.#entries
    const results = trimmableResults(path, 1)
    const mediaBefore = trimmableMediaBefore(path)
    if (results.length === 0 && mediaBefore === undefined) return false
    this.#runtime.events.emit('prefixBroken', 'cut')
    const content = { results, ...(mediaBefore === undefined ? {} : { mediaBefore }) }
    await this.#entries.append([{ kind: 'cut', content }])
    return true
  }

  /** Leaves the beginning and the end of long texts. The message that is answered becomes a file as a whole. */
  async #shortenTexts(bytes: number): Promise<boolean> {
    const { path } = this.#entries
    const isLong = (text: string): boolean => Buffer.byteLength(text) > bytes + MARK_BYTES
    if (!buildView(path).messages.some((message) => textsOf(message).some(isLong))) return false
    this.#runtime.events.emit('prefixBroken', 'cut')
    const shortened = { before: (path.at(-1)?.seq ?? 0) + 1, bytes, ...(await this.#keepLast(isLong)) }
    await this.#entries.append([{ kind: 'cut', content: { shortened: [shortened] } }])
    return true
  }

  /** Stores the newest message of the user as a file, where it is long. */
  async #keepLast(isLong: (text: string) => boolean): Promise<Pick<Shortened, 'file'>> {
    const last = this.#entries.path.findLast((entry) => entry.kind === 'message' && entry.role === 'user')
    const said = last?.kind === 'message' ? last.meta.said : undefined
    if (last === undefined || said === undefined || !isLong(said)) return {}
    const path = await keepWords(this.#runtime, this.#live, said)
    return path === undefined ? {} : { file: { seq: last.seq, path } }
  }

  /** Continues below the current leaf. Returns `false` when the session was switched meanwhile. */
  async #rebase(): Promise<boolean> {
    const { store } = this.#runtime
    const { journal } = this.#live
    const session = await store.byId(journal.session)
    if (!session || session.branchVersion !== journal.branchVersion) return false
    await this.#entries.rebase(await store.path(session.id, session.leaf), session.leaf)
    return true
  }

  /** Starts a compaction when the answer has filled the window, or the conversation has many messages. */
  async compactAfterTurn(usage: Usage | undefined): Promise<void> {
    // Nothing of a request without a session is used again.
    if (this.#live.request?.sessionKey === undefined && !this.#live.message) return
    const reason = this.#compactionReason(usage)
    const session = reason && (await this.#runtime.store.byId(this.#live.journal.session))
    if (session) void this.#compactor.compact(session, reason, this.#candidates)
  }

  #compactionReason(usage: Usage | undefined): CompactionReason | undefined {
    const { compaction, maxHistoryShare, contextTokens } = this.#runtime.config['ai.agent']
    const context = this.#runtime.config['ai.context']
    const [best] = this.#candidates
    const window = (best && this.#runtime.models?.model(best)?.contextWindow) ?? contextTokens
    const used = usage ? usage.input + usage.output : 0
    const isFull = used > window * maxHistoryShare || used > window - Math.min(RESERVED_TOKENS, window / 4)
    if (compaction.enabled && compaction.auto && isFull) return 'window'
    const messages = this.#entries.path.filter((entry) => entry.kind === 'message' && entry.role !== 'tool').length
    return context.enabled && messages > context.summaryThreshold ? 'count' : undefined
  }
}

/** Returns the numbers of the messages of turns without a whole answer, as far as they are sent. */
function unansweredIn(path: readonly Entry[]): number[] {
  const known = new Set(path.flatMap((entry) => (entry.kind === 'cut' ? (entry.content.unanswered ?? []) : [])))
  const turns = new Map<string | number, Entry[]>()
  for (const entry of path) {
    if (entry.kind !== 'message') continue
    const turn = entry.meta.turn ?? entry.seq
    turns.set(turn, [...(turns.get(turn) ?? []), entry])
  }
  const isAnswered = (entries: readonly Entry[]): boolean => entries.some((one) => isAnswer(one) && !one.meta.broken)
  return Array.from(turns.values(), (entries) => (isAnswered(entries) ? [] : entries))
    .flat()
    .map(({ seq }) => seq)
    .filter((seq) => !known.has(seq))
}

/** Returns the texts of a message that may be shortened. */
function textsOf(message: ModelMessage): string[] {
  if (message.role !== 'user' && message.role !== 'tool') return []
  const parts = typeof message.content === 'string' ? [message.content] : message.content
  return parts.flatMap((part) =>
    typeof part !== 'string' && part.type === 'tool-result' ? [part.output].flat().flatMap(textOf) : textOf(part),
  )
}

function textOf(part: string | { readonly type: string; readonly text?: string }): string[] {
  const text = typeof part === 'string' ? part : part.text
  return text === undefined ? [] : [text]
}
