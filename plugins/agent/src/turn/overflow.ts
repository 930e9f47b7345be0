import type { Candidate, Usage } from '@mynah/plugin-ai/api'
import type { CompactionReason } from '../compaction/compacted.js'
import { trimmableResults, type Compactor } from '../compaction/compactor.js'
import { trimmableMediaBefore } from '../compaction/media-trim.js'
import type { AgentRuntime } from '../runtime.js'
import type { LiveTurn } from './live-turn.js'
import type { TurnEntries } from './turn-entries.js'

/** How many overflows of one turn are handled before it fails. */
export const OVERFLOW_STAGES = 3
/** Tokens that stay free for an answer. */
const RESERVED_TOKENS = 16_384

/** Keeps the requests of a turn within the context window of its model. */
export class ContextWindow {
  readonly #runtime: AgentRuntime
  readonly #compactor: Compactor
  readonly #live: LiveTurn
  readonly #entries: TurnEntries
  readonly #candidates: readonly Candidate[]

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

  /** Frees context after an overflow: tool results and old media first, then by a summary, then the oldest messages. */
  async freeContext(stage: number): Promise<void> {
    const { events, store, config } = this.#runtime
    const { journal, message, signal } = this.#live
    events.emit('phase', this.#live, 'overflow', { stage })
    message?.step('model', this.#candidates[0]?.model ?? '', 'overflow', `stage ${stage + 1}`)
    if (stage === 0 && (await this.#trimResults())) return
    const session = await store.byId(journal.session)
    if (!session) return
    if (stage <= 1 && (await this.#compactor.compact(session, 'overflow', this.#candidates, { signal })))
      return this.#rebase()
    const keepTokens = Math.floor(config['ai.agent'].compaction.keepRecentTokens / 4)
    if (await this.#compactor.trimOldest(session, keepTokens)) {
      events.emit('prefixBroken', 'cut')
      await this.#rebase()
    }
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

  /** Continues below the current leaf, unless the session was switched meanwhile. */
  async #rebase(): Promise<void> {
    const { store } = this.#runtime
    const { journal } = this.#live
    const session = await store.byId(journal.session)
    if (!session || session.branchVersion !== journal.branchVersion) return
    await this.#entries.rebase(await store.path(session.id, session.leaf), session.leaf)
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
