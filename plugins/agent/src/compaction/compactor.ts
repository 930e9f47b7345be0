// Compaction: a summary in the place of what was said before, made by a model within a deadline, or a plain cut where none can be had.
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import type { Candidate, Models } from '@mynah/plugin-ai/api'
import { viewOf } from '../view/view.js'
import type { Config } from '../config.js'
import type { Entry, NewEntry, Session, SessionStore } from '../session/types.js'
import { mediaCut, oldMedia } from './old-media.js'
import { planOf, roughTokens, transcriptOf, type Plan } from './plan.js'

const DEADLINE_MS = 90_000
const CLIPS = [8_000, 2_000, 500, 120] as const
/** Share of a window that the text to be summarised may take. */
const INPUT_SHARE = 0.6

export interface Compacted {
  readonly session: Session
  readonly reason: string
  readonly messagesBefore: number
  readonly messagesAfter: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly summary: string
}

export interface CompactorDeps {
  readonly store: () => SessionStore
  readonly models: () => Models | undefined
  readonly config: () => Config
  readonly clock: Clock
  readonly log: Logger
  /** A new head for the session. */
  readonly head: (session: Session, path: readonly Entry[]) => Promise<NewEntry>
  /** Before anything is lost; waited for. */
  readonly before: (
    session: Session,
    path: readonly Entry[],
    candidates: readonly Candidate[],
    signal: AbortSignal,
  ) => Promise<void>
  readonly done: (compacted: Compacted) => void
}

export type CompactionReason = 'command' | 'window' | 'count' | 'overflow'

export class Compactor {
  readonly #deps: CompactorDeps
  readonly #running = new Map<string, Promise<Compacted | undefined>>()

  constructor(deps: CompactorDeps) {
    this.#deps = deps
  }

  /** Compacts a session; who comes while one runs gets its outcome. `undefined` where there is nothing to gain. Never rejects. */
  compact(
    session: Session,
    reason: CompactionReason,
    candidates: readonly Candidate[],
    options: { readonly focus?: string; readonly signal?: AbortSignal } = {},
  ): Promise<Compacted | undefined> {
    let running = this.#running.get(session.id)
    if (!running) {
      running = this.#compact(session.id, reason, candidates, options)
        .catch((error: unknown) => {
          this.#deps.log.warn(`a session could not be compacted: ${messageOf(error)}`, { session: session.key })
          return undefined
        })
        .finally(() => this.#running.delete(session.id))
      this.#running.set(session.id, running)
    }
    return running
  }

  async #compact(
    id: string,
    reason: CompactionReason,
    candidates: readonly Candidate[],
    { focus, signal }: { readonly focus?: string; readonly signal?: AbortSignal },
  ): Promise<Compacted | undefined> {
    const store = this.#deps.store()
    const session = await store.byId(id)
    if (!session || session.state !== 'active') return undefined
    const path = await store.path(id, session.leaf)
    const { compaction } = this.#deps.config()['ai.agent']
    const context = this.#deps.config()['ai.context']
    const all = path.reduce((sum, entry) => sum + (entry.kind === 'message' ? roughTokens(entry) : 0), 0)
    const { keepRecentTokens } = compaction
    // Who asks for it, or has no room, gets it however short the conversation is.
    const tokens =
      reason === 'count'
        ? undefined
        : reason === 'window'
          ? keepRecentTokens
          : Math.min(reason === 'overflow' ? Math.floor(keepRecentTokens / 2) : keepRecentTokens, Math.floor(all / 4))
    const plan = planOf(path, {
      ...(tokens === undefined ? { count: context.keepAfterSummary } : { tokens }),
      least: compaction.minKeepCount,
    })
    if (!plan) return undefined
    const late = new AbortController()
    const cancel = this.#deps.clock.setTimeout(
      () => late.abort(new Error(`not within ${DEADLINE_MS / 1000} s`)),
      DEADLINE_MS,
    )
    const until = signal ? AbortSignal.any([signal, late.signal]) : late.signal
    try {
      await this.#deps.before(session, path, candidates, until)
      const text = await this.#summary(plan, candidates, focus, until)
      const kept = await store.entries(id, plan.kept)
      const head = await this.#deps.head(session, path)
      // As requests are: only the last head of a path is sent.
      const old = path.findLast(({ kind }) => kind === 'head')
      const tokensBefore = path.reduce(
        (sum, entry) => sum + (entry.kind === 'head' && entry !== old ? 0 : roughTokens(entry)),
        0,
      )
      const tokensAfter =
        kept.reduce((sum, entry) => sum + roughTokens(entry), 0) + Math.ceil(text.length / 3) + roughTokens(head)
      // Who asks for a summary gets it; elsewhere it is to make room.
      if (tokensAfter >= tokensBefore && (reason === 'window' || reason === 'overflow'))
        throw new Error('the summary is no shorter than what it stands for')
      const placed = await store.place(id, session.branch, [
        { kind: 'summary', content: { text, kept: plan.kept, reason } },
        ...cutWith(path, kept),
        head,
      ])
      if (!placed) throw new Error('the session was switched meanwhile')
      const counted = (entries: readonly Entry[]): number => entries.filter(({ kind }) => kind === 'message').length
      const compacted: Compacted = {
        session,
        reason,
        messagesBefore: counted(path),
        messagesAfter: counted(kept),
        tokensBefore,
        tokensAfter,
        summary: text,
      }
      this.#deps.done(compacted)
      return compacted
    } finally {
      cancel()
    }
  }

  /** A summary of a branch that was left, or nothing. Never rejects. */
  async branchSummary(
    session: Session,
    left: readonly Entry[],
    candidates: readonly Candidate[],
  ): Promise<string | undefined> {
    const plan = planOf(left, { count: 0, least: 0 })
    if (!plan) return undefined
    const late = new AbortController()
    const cancel = this.#deps.clock.setTimeout(
      () => late.abort(new Error(`not within ${DEADLINE_MS / 1000} s`)),
      DEADLINE_MS,
    )
    try {
      return await this.#summary(
        plan,
        candidates,
        'this branch was left, and the conversation goes on from before it',
        late.signal,
      )
    } catch (error) {
      this.#deps.log.warn(`the branch that was left could not be summarised: ${messageOf(error)}`, {
        session: session.key,
      })
      return undefined
    } finally {
      cancel()
    }
  }

  async #summary(
    plan: Plan,
    candidates: readonly Candidate[],
    focus: string | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    const models = this.#deps.models()
    const [first] = candidates
    if (!models || !first) throw new Error('no model can be asked')
    const { maxContextTokens } = this.#deps.config()['ai.context']
    const window = models.model(first)?.contextWindow ?? this.#deps.config()['ai.agent'].contextTokens
    const room = Math.floor(window * INPUT_SHARE) * 3
    // From whole messages to their beginnings: a summary that does not fit would wedge the session.
    const shown =
      CLIPS.map((clip) => transcriptOf(plan.summarised, clip)).find((text) => text.length <= room) ??
      transcriptOf(plan.summarised, CLIPS[3]).slice(-room)
    const prompt = `Below is a conversation between users and an assistant, as a record. Write a summary by which the assistant can go on as if it had read all of it: goals, decisions and their reasons, facts with exact names, numbers and addresses, what is done, what is open, what people asked for. ${focus ? `Pay attention to: ${focus.slice(0, 500)}. ` : ''}At most ${Math.floor(maxContextTokens * 0.6)} words. Only the summary.

${plan.before ? `<summary so far>\n${plan.before}\n</summary so far>\nIt stays true unless the record says otherwise; take it into the new summary.\n\n` : ''}<record>\n${shown}\n</record>`
    let text = ''
    for await (const part of models.stream(
      { messages: [{ role: 'user', content: prompt }], maxOutputTokens: maxContextTokens, purpose: 'summary' },
      { candidates, signal },
    )) {
      if (part.type === 'finish')
        text =
          typeof part.message.content === 'string'
            ? part.message.content
            : part.message.content.map((inner) => (inner.type === 'text' ? inner.text : '')).join('')
    }
    if (text.trim() === '') throw new Error('the model gave an empty summary')
    return text.trim()
  }

  /** A head as it would be made now: files are read again, what was said stays. */
  async renew(session: Session): Promise<boolean> {
    const store = this.#deps.store()
    return (
      (await store.place(session.id, session.branch, [
        await this.#deps.head(session, await store.path(session.id, session.leaf)),
      ])) !== undefined
    )
  }

  /** Where no summary can be had: the oldest messages are sent no more. Gives whether anything was cut. */
  async cut(session: Session, keepTokens: number): Promise<boolean> {
    const store = this.#deps.store()
    const now = await store.byId(session.id)
    if (!now) return false
    const path = await store.path(session.id, now.leaf)
    const plan = planOf(path, { tokens: keepTokens, least: 1 })
    const results = oldResults(path, 0)
    const from = plan?.kept[0]
    const mediaBefore = oldMedia(path)
    if (from === undefined && results.length === 0 && mediaBefore === undefined) return false
    return (
      (await store.place(session.id, now.branch, [
        {
          kind: 'cut',
          content: {
            ...(from === undefined ? {} : { from }),
            ...(mediaBefore === undefined ? {} : { mediaBefore }),
            results,
          },
        },
      ])) !== undefined
    )
  }
}

/** What of the kept entries is sent no more: old media, and what earlier cuts, which the summary stands for now, had taken away. */
function cutWith(path: readonly Entry[], kept: readonly Entry[]): NewEntry[] {
  const gone = new Set(path.flatMap((entry) => (entry.kind === 'cut' ? (entry.content.results ?? []) : [])))
  const results = kept.flatMap((entry) =>
    entry.kind === 'message' && entry.role === 'tool'
      ? entry.content.map(({ id }) => id).filter((id) => gone.has(id))
      : [],
  )
  const mediaBefore = oldMedia(path) ?? mediaCut(path)
  return results.length || mediaBefore
    ? [{ kind: 'cut', content: { ...(results.length ? { results } : {}), ...(mediaBefore ? { mediaBefore } : {}) } }]
    : []
}

/** Calls whose results can be taken away: all but those of the last `rounds` assistant messages, and not those gone already. */
export function oldResults(entries: readonly Entry[], rounds: number): string[] {
  const gone = new Set(entries.flatMap((entry) => (entry.kind === 'cut' ? (entry.content.results ?? []) : [])))
  let seen = 0
  const old: string[] = []
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at] as Entry
    if (entry.kind !== 'message') continue
    if (entry.role === 'assistant') seen++
    if (entry.role === 'tool' && seen >= rounds)
      for (const { id, output } of entry.content)
        if (!gone.has(id) && (typeof output !== 'string' || output.length > 200)) old.push(id)
  }
  return old
}

/** Messages that a path shows. */
export const shownMessages = (path: readonly Entry[]): number => viewOf(path).messages.length
