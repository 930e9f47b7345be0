import { messageOf } from '@mynah/kernel'
import { SECOND_MS } from '@mynah/kernel/util'
import type { Candidate } from '@mynah/plugin-ai/api'
import type { AgentRuntime } from '../runtime.js'
import type { Entry, NewEntry, PromptEntry, Session } from '../session/types.js'
import type { Compacted, CompactionReason } from './compacted.js'
import { FailedCompactions } from './failed-compactions.js'
import { mediaTrimmedBefore, trimmableMediaBefore } from './media-trim.js'
import { estimateEntryTokens, planCompaction, renderTranscript, type Plan } from './plan.js'

const TIMEOUT_MS = 90 * SECOND_MS
/** Characters of each message that the summarising model reads, from whole messages to their beginnings. */
const CLIPS = [8_000, 2_000, 500, 120] as const
/** Share of a window that the transcript may take. */
const INPUT_SHARE = 0.6
/** A token has about three characters. */
const CHARS_PER_TOKEN = 3

export interface CompactionOptions {
  /** The topics that the summary should keep. */
  readonly focus?: string
  readonly signal?: AbortSignal
}

/** The steps of a compaction that other parts of the agent do. */
export interface CompactionHooks {
  /** Builds the new prompts of the session: one for each audience, that of the newest one last. */
  buildPrompts(session: Session, path: readonly Entry[]): Promise<readonly PromptEntry[]>
  /** Runs before anything is removed. */
  beforeCompaction(
    session: Session,
    path: readonly Entry[],
    candidates: readonly Candidate[],
    signal: AbortSignal,
  ): Promise<void>
}

/** Replaces older messages of a session with a summary, or removes the oldest where no summary can be made. */
export class Compactor {
  readonly #runtime: AgentRuntime
  readonly #hooks: CompactionHooks
  /** By session. */
  readonly #running = new Map<string, Promise<Compacted | undefined>>()
  readonly #failed: FailedCompactions

  constructor(runtime: AgentRuntime, hooks: CompactionHooks) {
    this.#runtime = runtime
    this.#hooks = hooks
    this.#failed = new FailedCompactions(runtime.clock)
  }

  /**
   * Compacts a session. A call while one runs gets the outcome of that one. After a failure only a command tries again
   * before a pause is over. Returns `undefined` when nothing was gained. Never rejects.
   */
  compact(
    session: Session,
    reason: CompactionReason,
    candidates: readonly Candidate[],
    options: CompactionOptions = {},
  ): Promise<Compacted | undefined> {
    const running = this.#running.get(session.id)
    if (running) return running
    if (reason !== 'command' && this.#failed.isPaused(session.id)) return Promise.resolve(undefined)
    const started = this.#compact(session.id, reason, candidates, options)
      .catch((error: unknown) => {
        this.#runtime.log.warn(`failed to compact a session: ${messageOf(error)}`, { session: session.key })
        // A turn that was stopped says nothing about the summary.
        if (!options.signal?.aborted) this.#failed.note(session.id)
        return undefined
      })
      .finally(() => this.#running.delete(session.id))
    this.#running.set(session.id, started)
    return started
  }

  /** Returns whether a command has something to compact. */
  async hasWork({ id }: Pick<Session, 'id'>): Promise<boolean> {
    const { store } = this.#runtime
    const session = await store.byId(id)
    const path = session ? await store.path(id, session.leaf) : []
    return planCompaction(path, this.#budgetFor('command', path)) !== undefined
  }

  async #compact(
    id: string,
    reason: CompactionReason,
    candidates: readonly Candidate[],
    { focus, signal }: CompactionOptions,
  ): Promise<Compacted | undefined> {
    const { store } = this.#runtime
    const session = await store.byId(id)
    if (!session || session.state !== 'active') return undefined
    const path = await store.path(id, session.leaf)
    const plan = planCompaction(path, this.#budgetFor(reason, path))
    if (!plan) return undefined
    return this.#withTimeout(signal, async (until) => {
      if (!this.#failed.wasPrepared(id)) {
        await this.#hooks.beforeCompaction(session, path, candidates, until)
        this.#failed.notePrepared(id)
      }
      const summary = await this.#summarise(plan, candidates, focus, until)
      const kept = await store.entries(id, plan.kept)
      const prompts = await this.#hooks.buildPrompts(session, path)
      const sizes = measure(path, kept, prompts.at(-1), summary)
      // A manual /compact always runs; automatic ones must shrink the context.
      if (sizes.tokensAfter >= sizes.tokensBefore && (reason === 'window' || reason === 'overflow'))
        throw new Error('the summary is no shorter than what it replaces')
      await this.#commit(session, [
        { kind: 'summary', content: { text: summary, kept: plan.kept, reason } },
        ...trimKept(path, kept),
        ...prompts,
      ])
      this.#failed.clear(id)
      const compacted: Compacted = { session, reason, ...sizes, summary }
      this.#runtime.events.emit('compacted', compacted)
      return compacted
    })
  }

  /**
   * Returns how much of the path stays: a number of messages, or tokens, which are fewer the more urgent the reason.
   */
  #budgetFor(reason: CompactionReason, path: readonly Entry[]): Parameters<typeof planCompaction>[1] {
    const { keepRecentTokens, minKeepCount } = this.#runtime.config['ai.agent'].compaction
    const { keepAfterSummary } = this.#runtime.config['ai.context']
    if (reason === 'count') return { count: keepAfterSummary, least: minKeepCount }
    if (reason === 'window') return { tokens: keepRecentTokens, least: minKeepCount }
    const all = path.reduce((sum, entry) => sum + (entry.kind === 'message' ? estimateEntryTokens(entry) : 0), 0)
    const most = reason === 'overflow' ? Math.floor(keepRecentTokens / 2) : keepRecentTokens
    // These run however short the conversation is.
    return { tokens: Math.min(most, Math.floor(all / 4)), least: minKeepCount }
  }

  /** @throws when the session was switched meanwhile */
  async #commit({ id, branchVersion }: Session, entries: readonly NewEntry[]): Promise<void> {
    if (!(await this.#runtime.store.append(id, branchVersion, entries)))
      throw new Error('the session was switched meanwhile')
  }

  async #withTimeout<T>(signal: AbortSignal | undefined, run: (until: AbortSignal) => Promise<T>): Promise<T> {
    const expiry = new AbortController()
    const cancel = this.#runtime.clock.setTimeout(
      () => expiry.abort(new Error(`timed out after ${TIMEOUT_MS / SECOND_MS} s`)),
      TIMEOUT_MS,
    )
    try {
      return await run(signal ? AbortSignal.any([signal, expiry.signal]) : expiry.signal)
    } finally {
      cancel()
    }
  }

  /** Returns a summary of a branch that was left, oldest entry first, or `undefined`. Never rejects. */
  async branchSummary(
    session: Session,
    left: readonly Entry[],
    candidates: readonly Candidate[],
  ): Promise<string | undefined> {
    const plan = planCompaction(left, { count: 0, least: 0 })
    if (!plan) return undefined
    const focus = 'this branch was left, and the conversation goes on from before it'
    try {
      return await this.#withTimeout(undefined, (until) => this.#summarise(plan, candidates, focus, until))
    } catch (error) {
      this.#runtime.log.warn(`failed to summarise a branch: ${messageOf(error)}`, { session: session.key })
      return undefined
    }
  }

  async #summarise(
    plan: Plan,
    candidates: readonly Candidate[],
    focus: string | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    const { models, config } = this.#runtime
    const [first] = candidates
    if (!models || !first) throw new Error('no model is available')
    const { maxContextTokens } = config['ai.context']
    const window = models.model(first)?.contextWindow ?? config['ai.agent'].contextTokens
    const transcript = fittingTranscript(plan, Math.floor(window * INPUT_SHARE) * CHARS_PER_TOKEN)
    const prompt = summaryPrompt(plan.previousSummary, transcript, focus, maxContextTokens)
    let text = ''
    for await (const part of models.stream(
      { messages: [{ role: 'user', content: prompt }], maxOutputTokens: maxContextTokens, purpose: 'summary' },
      { candidates, signal },
    )) {
      if (part.type !== 'finish') continue
      const { content } = part.message
      text =
        typeof content === 'string'
          ? content
          : content.map((inner) => (inner.type === 'text' ? inner.text : '')).join('')
    }
    if (text.trim() === '') throw new Error('the model returned an empty summary')
    return text.trim()
  }

  /** Appends a new prompt, for which files are read again. Returns whether the session was not switched meanwhile. */
  async refreshPrompt(session: Session): Promise<boolean> {
    const { store } = this.#runtime
    const prompts = await this.#hooks.buildPrompts(session, await store.path(session.id, session.leaf))
    return (await store.append(session.id, session.branchVersion, prompts)) !== undefined
  }

  /** Trims the oldest messages without a summary. Returns whether anything was trimmed. */
  async trimOldest(session: Session, keepTokens: number): Promise<boolean> {
    const { store } = this.#runtime
    const current = await store.byId(session.id)
    if (!current) return false
    const path = await store.path(session.id, current.leaf)
    const from = planCompaction(path, { tokens: keepTokens, least: 1 })?.kept[0]
    const results = trimmableResults(path, 0)
    const mediaBefore = trimmableMediaBefore(path)
    if (from === undefined && results.length === 0 && mediaBefore === undefined) return false
    const content = {
      ...(from === undefined ? {} : { from }),
      ...(mediaBefore === undefined ? {} : { mediaBefore }),
      results,
    }
    return (await store.append(session.id, current.branchVersion, [{ kind: 'cut', content }])) !== undefined
  }
}

/** Counts messages and tokens before and after a compaction. */
function measure(
  path: readonly Entry[],
  kept: readonly Entry[],
  prompt: PromptEntry | undefined,
  summary: string,
): Pick<Compacted, 'messagesBefore' | 'messagesAfter' | 'tokensBefore' | 'tokensAfter'> {
  const tokensOf = (entries: readonly NewEntry[]): number =>
    entries.reduce((sum, entry) => sum + estimateEntryTokens(entry), 0)
  const messagesOf = (entries: readonly Entry[]): number => entries.filter(({ kind }) => kind === 'message').length
  // Only the newest prompt of a path is sent.
  const oldPrompt = path.findLast(({ kind }) => kind === 'prompt')
  const summaryTokens = Math.ceil(summary.length / CHARS_PER_TOKEN)
  return {
    messagesBefore: messagesOf(path),
    messagesAfter: messagesOf(kept),
    tokensBefore: tokensOf(path.filter((entry) => entry.kind !== 'prompt' || entry === oldPrompt)),
    tokensAfter: tokensOf(kept) + summaryTokens + (prompt ? estimateEntryTokens(prompt) : 0),
  }
}

/**
 * Returns the transcript with the longest messages that fits. One that is too long would block the session for good.
 */
function fittingTranscript({ summarised }: Plan, maxChars: number): string {
  for (const clip of CLIPS) {
    const text = renderTranscript(summarised, clip)
    if (text.length <= maxChars) return text
  }
  return renderTranscript(summarised, CLIPS[3]).slice(-maxChars)
}

function summaryPrompt(
  previous: string | undefined,
  transcript: string,
  focus: string | undefined,
  maxContextTokens: number,
): string {
  const instructions = [
    'Below is a conversation between users and an assistant, as a record.',
    'Write a summary by which the assistant can go on as if it had read all of it:',
    'goals, decisions and their reasons, facts with exact names, numbers and addresses,',
    'what is done, what is open, what people asked for.',
    ...(focus ? [`Pay attention to: ${focus.slice(0, 500)}.`] : []),
    `At most ${Math.floor(maxContextTokens * 0.6)} words. Only the summary.`,
  ].join(' ')
  const earlier = previous
    ? `<summary so far>\n${previous}\n</summary so far>\n` +
      'It stays true unless the record says otherwise; take it into the new summary.\n\n'
    : ''
  return `${instructions}\n\n${earlier}<record>\n${transcript}\n</record>`
}

/** Returns the trim of the kept entries: old media, and all that earlier trims, now in the summary, had removed. */
function trimKept(path: readonly Entry[], kept: readonly Entry[]): NewEntry[] {
  const trimmed = new Set(path.flatMap((entry) => (entry.kind === 'cut' ? (entry.content.results ?? []) : [])))
  const results = kept.flatMap((entry) =>
    entry.kind === 'message' && entry.role === 'tool'
      ? entry.content.map(({ id }) => id).filter((id) => trimmed.has(id))
      : [],
  )
  const mediaBefore = trimmableMediaBefore(path) ?? mediaTrimmedBefore(path)
  const shortened = path.flatMap((entry) => (entry.kind === 'cut' ? (entry.content.shortened ?? []) : []))
  const unanswered = path.flatMap((entry) => (entry.kind === 'cut' ? (entry.content.unanswered ?? []) : []))
  const content = {
    ...(results.length ? { results } : {}),
    ...(mediaBefore ? { mediaBefore } : {}),
    ...(unanswered.length ? { unanswered } : {}),
    ...(shortened.length ? { shortened } : {}),
  }
  return Object.keys(content).length ? [{ kind: 'cut', content }] : []
}

/** Returns the ids of results that can be trimmed: longer ones, older than the last `rounds` assistant messages. */
export function trimmableResults(entries: readonly Entry[], rounds: number): string[] {
  const trimmed = new Set(entries.flatMap((entry) => (entry.kind === 'cut' ? (entry.content.results ?? []) : [])))
  let seen = 0
  const old: string[] = []
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at] as Entry
    if (entry.kind !== 'message') continue
    if (entry.role === 'assistant') seen++
    if (entry.role === 'tool' && seen >= rounds)
      for (const { id, output } of entry.content)
        if (!trimmed.has(id) && (typeof output !== 'string' || output.length > 200)) old.push(id)
  }
  return old
}
