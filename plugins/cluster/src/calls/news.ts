import { isRecord } from '@mynah/contract'
import { messageOf, type Logger } from '@mynah/kernel'
import { newId } from '@mynah/kernel/util'
import type { Session } from '../database/connect.js'
import { Pieces, piecesOf } from './pieces.js'

type Listener = (params: unknown) => void

interface NewsParts {
  /** Name of this process as an owner: what it tells does not come back. */
  readonly owner: string
  readonly log: Logger
  use<T>(work: (session: Session) => Promise<T>): Promise<T>
}

/** Channel on which hosts tell all others something. */
export const NEWS = 'mynah_news'

/** News between hosts, as notifications of the database. Some are lost with a connection. */
export class News {
  readonly #parts: NewsParts
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #gapListeners = new Set<() => void>()
  readonly #pieces = new Pieces()

  constructor(parts: NewsParts) {
    this.#parts = parts
  }

  /** Tells all other hosts. Never rejects: those that miss it notice a gap, or read it at their next start. */
  async tell(subject: string, params: unknown): Promise<void> {
    const { owner, log, use } = this.#parts
    try {
      const pieces = piecesOf(newId(), { from: owner, subject, params })
      await use((session) =>
        session.query('SELECT pg_notify($1, piece) FROM unnest($2::text[]) WITH ORDINALITY AS p(piece, n) ORDER BY n', [
          NEWS,
          pieces,
        ]),
      )
    } catch (error) {
      log.warn(`failed to tell other hosts of ${subject}: ${messageOf(error)}`)
      this.gap()
    }
  }

  on(subject: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(subject) ?? new Set()
    this.#listeners.set(subject, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener)
    return () => void this.#gapListeners.delete(listener)
  }

  /** Something may have been lost. */
  gap(): void {
    for (const listener of this.#gapListeners) this.#call('a gap', listener)
  }

  /** Takes a notification. */
  receive(payload: string): void {
    let whole: { readonly value: unknown } | undefined
    try {
      whole = this.#pieces.add(payload)
    } catch (error) {
      return this.#parts.log.warn(`news of another host could not be read: ${messageOf(error)}`)
    }
    const news = whole?.value
    if (!isRecord(news) || typeof news.subject !== 'string' || news.from === this.#parts.owner) return
    const { subject, params } = news
    for (const listener of this.#listeners.get(subject) ?? []) this.#call(subject, () => listener(params))
  }

  #call(subject: string, listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#parts.log.error(`failed to follow news of ${subject}: ${messageOf(error)}`)
    }
  }
}
