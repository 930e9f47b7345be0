// Session trees as REST and `/tree` show them: the user messages of the active path, and the leaf.
import { messageOf, type Logger } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { SessionLeaf, SessionTree } from '@mynah/contract/types'
import type { Entry, Session, SessionStore } from './types.js'

const POINTS = 500
const PREVIEW = 80
const WALK = 20_000
/** Entries that may stand below a leaf that was chosen: a summary, a head. */
const BELOW = 8

/** The beginning of what a user said. */
export function previewOf(entry: Entry): string {
  const said =
    entry.meta.said ??
    (entry.kind === 'message' ? entry.content.map((part) => ('text' in part ? part.text : '')).join(' ') : '')
  const line = said.replace(/\s+/g, ' ').trim()
  const letters = Array.from(line.slice(0, PREVIEW * 4))
  return letters.length > PREVIEW ? `${letters.slice(0, PREVIEW - 1).join('')}…` : line
}

export interface TreesDeps {
  readonly store: () => SessionStore
  /** The epoch of a key that goes on. */
  readonly active: (key: string) => Promise<Session | undefined>
  /** Another leaf was chosen, or something was added to it. */
  readonly changed: (session: Session) => void
  /** Whether each branch that is left is summarised. */
  readonly summarises: () => boolean
  /** A summary of what was said on the branch that was left, oldest first. */
  readonly summary: (session: Session, left: readonly Entry[]) => Promise<string | undefined>
  readonly log: Logger
}

/** What a switch came to. */
export interface Switched extends SessionLeaf {
  /** What goes on from the branch that was left, where that was wished for. */
  readonly summary?: Promise<string | undefined>
}

/** The message that was chosen to go on from: the leaf, or what a summary was put below. */
export async function chosenLeaf(store: SessionStore, { id, leaf, chosen }: Session): Promise<number | null> {
  if (!chosen) return null
  return (
    (await store.page(id, leaf, { limit: BELOW })).find((entry) => entry.kind === 'message' && entry.role === 'user')
      ?.n ?? null
  )
}

export class Trees {
  readonly #deps: TreesDeps

  constructor(deps: TreesDeps) {
    this.#deps = deps
  }

  #store(): SessionStore {
    return this.#deps.store()
  }

  async #active(key: string): Promise<Session> {
    const session = await this.#deps.active(key)
    if (!session) throw new WireError('not_found', 'No session is active under this key')
    return session
  }

  async #points(session: Session): Promise<Entry[]> {
    const path = await this.#store().page(session.id, session.leaf, { limit: WALK })
    return path.filter((entry) => entry.kind === 'message' && entry.role === 'user').reverse()
  }

  async tree(key: string): Promise<SessionTree> {
    const session = await this.#active(key)
    const users = await this.#points(session)
    const points = users
      .map((entry, index) => ({ index: index + 1, messageId: entry.n, preview: previewOf(entry) }))
      .slice(-POINTS)
    return {
      sessionKey: key,
      sessionId: session.id,
      activeLeafMessageId: await chosenLeaf(this.#store(), session),
      points,
    }
  }

  async setLeaf(key: string, to: { readonly index: number } | { readonly messageId: number }): Promise<SessionLeaf> {
    const { summary: _, ...leaf } = await this.choose(key, to)
    return leaf
  }

  /** Goes on from a user message; `summarise` takes what was said on the branch that is left along. */
  async choose(
    key: string,
    to: { readonly index: number } | { readonly messageId: number },
    summarise = this.#deps.summarises(),
  ): Promise<Switched> {
    const session = await this.#active(key)
    const target =
      'index' in to ? (await this.#points(session))[to.index - 1] : await this.#store().entry(session.id, to.messageId)
    if (!target || target.kind !== 'message' || target.role !== 'user')
      throw new WireError(
        'invalid_request',
        'index' in to ? `There is no user message ${to.index}` : `There is no user message with the id ${to.messageId}`,
        {
          details: [{ path: 'index' in to ? 'index' : 'messageId', message: 'names no user message of this session' }],
        },
      )
    await this.#store().setLeaf(session.id, target.n)
    this.#deps.changed(session)
    const leaf = { sessionKey: key, sessionId: session.id, activeLeafMessageId: target.n }
    if (!summarise) return leaf
    const summary = this.#carry(session, target.n).catch((error: unknown) => {
      this.#deps.log.warn(`a branch was left without a summary: ${messageOf(error)}`, { session: key })
      return undefined
    })
    return { ...leaf, summary }
  }

  /** Puts a summary of the branch that was left below the message that was chosen, unless something was said there meanwhile. */
  async #carry(before: Session, chosen: number): Promise<string | undefined> {
    const [left, staying] = await Promise.all(
      [before.leaf, chosen].map((leaf) => this.#store().page(before.id, leaf, { limit: WALK })),
    )
    const stays = new Set(staying?.map(({ n }) => n))
    const text = await this.#deps.summary(before, (left ?? []).filter(({ n }) => !stays.has(n)).reverse())
    const now = text === undefined ? undefined : await this.#store().byId(before.id)
    if (
      text === undefined ||
      now?.leaf !== chosen ||
      !(await this.#store().place(before.id, now.branch, [{ kind: 'branch_summary', content: { text } }]))
    )
      return undefined
    this.#deps.changed(before)
    return text
  }
}
