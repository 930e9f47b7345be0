// Session trees as REST and `/tree` show them: the user messages of the active path, and the leaf.
import { WireError } from '@mynah/contract'
import type { SessionLeaf, SessionTree } from '@mynah/contract/types'
import type { Entry, Session, SessionStore } from './types.js'

const POINTS = 500
const PREVIEW = 80
const WALK = 20_000

/** The beginning of what a user said. */
export function previewOf(entry: Entry): string {
  const said = entry.meta.said ?? (entry.kind === 'message' ? entry.content.map((part) => ('text' in part ? part.text : '')).join(' ') : '')
  const line = said.replace(/\s+/g, ' ').trim()
  const letters = Array.from(line.slice(0, PREVIEW * 4))
  return letters.length > PREVIEW ? `${letters.slice(0, PREVIEW - 1).join('')}…` : line
}

export class Trees {
  readonly #store: () => SessionStore
  readonly #switched: (session: Session, from: number | null) => void

  constructor(store: () => SessionStore, switched: (session: Session, from: number | null) => void) {
    this.#store = store
    this.#switched = switched
  }

  async #active(key: string): Promise<Session> {
    const session = await this.#store().active(key)
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
    const points = users.map((entry, index) => ({ index: index + 1, messageId: entry.n, preview: previewOf(entry) })).slice(-POINTS)
    return { sessionKey: key, sessionId: session.id, activeLeafMessageId: session.chosen ? session.leaf : null, points }
  }

  async setLeaf(key: string, to: { readonly index: number } | { readonly messageId: number }): Promise<SessionLeaf> {
    const session = await this.#active(key)
    const target = 'index' in to ? (await this.#points(session))[to.index - 1] : await this.#store().entry(session.id, to.messageId)
    if (!target || target.kind !== 'message' || target.role !== 'user') throw new WireError('invalid_request', 'index' in to ? `There is no user message ${to.index}` : `There is no user message with the id ${to.messageId}`, { details: [{ path: 'index' in to ? 'index' : 'messageId', message: 'names no user message of this session' }] })
    await this.#store().setLeaf(session.id, target.n)
    this.#switched(session, session.leaf)
    return { sessionKey: key, sessionId: session.id, activeLeafMessageId: target.n }
  }
}
