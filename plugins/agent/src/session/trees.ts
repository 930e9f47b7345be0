import { messageOf } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { SessionLeaf, SessionTree } from '@mynah/contract/types'
import type { Compactor } from '../compaction/compactor.js'
import { agentOfKey } from './key.js'
import type { AgentRuntime } from '../runtime.js'
import type { IdleSessions } from './idle-sessions.js'
import type { Entry, Session, SessionStore } from './types.js'

/** Messages of a tree. */
const MAX_POINTS = 500
/** Characters of a preview. */
const MAX_PREVIEW = 80
/** Entries of a path that are read. */
const MAX_PATH = 20_000
/** Entries that may follow a pinned leaf without a turn: a summary, a prompt. */
const MAX_BELOW = 8

/** Returns the beginning of what a user said, in one line. */
export function previewOf(entry: Entry): string {
  const said =
    entry.meta.said ??
    (entry.kind === 'message' ? entry.content.map((part) => ('text' in part ? part.text : '')).join(' ') : '')
  const line = said.replace(/\s+/g, ' ').trim()
  const letters = Array.from(line.slice(0, MAX_PREVIEW * 4))
  return letters.length > MAX_PREVIEW ? `${letters.slice(0, MAX_PREVIEW - 1).join('')}…` : line
}

export interface SwitchResult extends SessionLeaf {
  /** Resolves to the summary of the branch that was left, when one is made. Never rejects. */
  readonly summary?: Promise<string | undefined>
}

/** A user message, by its position on the active path or by the number of its entry. */
export type TreePoint = { readonly index: number } | { readonly messageId: number }

const isUserMessage = (entry: Entry | undefined): boolean => entry?.kind === 'message' && entry.role === 'user'

/** Returns the message that a person chose to continue from, or null when a turn has followed it. */
export async function pinnedLeaf(store: SessionStore, { id, leaf, isPinned }: Session): Promise<number | null> {
  if (!isPinned) return null
  const newest = await store.page(id, leaf, { limit: MAX_BELOW })
  return newest.find(isUserMessage)?.seq ?? null
}

/** The trees of sessions as REST and `/tree` show them: the user messages of the active path, and the leaf. */
export class Trees {
  readonly #runtime: AgentRuntime
  readonly #sessions: IdleSessions
  readonly #compactor: Compactor
  readonly #onLeafChanged: (session: Session) => void

  constructor(
    runtime: AgentRuntime,
    sessions: IdleSessions,
    compactor: Compactor,
    onLeafChanged: (session: Session) => void,
  ) {
    this.#runtime = runtime
    this.#sessions = sessions
    this.#compactor = compactor
    this.#onLeafChanged = onLeafChanged
  }

  async #active(key: string): Promise<Session> {
    const session = await this.#sessions.active(key)
    if (!session) throw new WireError('not_found', 'No session is active under this key')
    return session
  }

  async #userMessages(session: Session): Promise<Entry[]> {
    const path = await this.#runtime.store.page(session.id, session.leaf, { limit: MAX_PATH })
    return path.filter(isUserMessage).reverse()
  }

  async tree(key: string): Promise<SessionTree> {
    const session = await this.#active(key)
    const messages = await this.#userMessages(session)
    const points = messages
      .map((entry, index) => ({ index: index + 1, messageId: entry.seq, preview: previewOf(entry) }))
      .slice(-MAX_POINTS)
    const activeLeafMessageId = await pinnedLeaf(this.#runtime.store, session)
    return { sessionKey: key, sessionId: session.id, activeLeafMessageId, points }
  }

  async setLeaf(key: string, to: TreePoint): Promise<SessionLeaf> {
    const { summary: _, ...leaf } = await this.switchTo(key, to)
    return leaf
  }

  /**
   * Makes a user message the leaf, so that the conversation continues from it.
   *
   * @param summarise keeps a summary of the branch that is left; default by the configuration
   * @throws `invalid_request` when there is no such user message
   */
  async switchTo(
    key: string,
    to: TreePoint,
    summarise = this.#runtime.config['ai.agent'].compaction.branchSummaries,
  ): Promise<SwitchResult> {
    const { store, log } = this.#runtime
    const session = await this.#active(key)
    const target =
      'index' in to ? (await this.#userMessages(session))[to.index - 1] : await store.entry(session.id, to.messageId)
    if (!target || !isUserMessage(target)) throw noSuchMessage(to)
    if (!(await store.setLeaf(session.id, target.seq)))
      throw new WireError('not_found', 'No session is active under this key')
    this.#onLeafChanged(session)
    const leaf = { sessionKey: key, sessionId: session.id, activeLeafMessageId: target.seq }
    if (!summarise) return leaf
    const summary = this.#carrySummary(session, target.seq).catch((error: unknown) => {
      log.warn(`failed to keep a summary of the branch that was left: ${messageOf(error)}`, { session: key })
      return undefined
    })
    return { ...leaf, summary }
  }

  /** Appends a summary of the branch that was left to the new leaf, unless the conversation has moved on there. */
  async #carrySummary(before: Session, leaf: number): Promise<string | undefined> {
    const { store } = this.#runtime
    const left = await store.page(before.id, before.leaf, { limit: MAX_PATH })
    const staying = new Set((await store.page(before.id, leaf, { limit: MAX_PATH })).map(({ seq }) => seq))
    const branch = left.filter(({ seq }) => !staying.has(seq)).reverse()
    const text = await this.#compactor.branchSummary(
      before,
      branch,
      await this.#runtime.candidatesFor(agentOfKey(before.key)),
    )
    if (text === undefined) return undefined
    const now = await store.byId(before.id)
    if (now?.leaf !== leaf) return undefined
    const appended = await store.append(before.id, now.branchVersion, [{ kind: 'branch_summary', content: { text } }])
    if (!appended) return undefined
    this.#onLeafChanged(before)
    return text
  }
}

function noSuchMessage(to: TreePoint): WireError {
  const [path, name] = 'index' in to ? ['index', String(to.index)] : ['messageId', `with the id ${to.messageId}`]
  return new WireError('invalid_request', `There is no user message ${name}`, {
    details: [{ path, message: 'names no user message of this session' }],
  })
}
