import { connect, type Session } from '../database/connect.js'

/** The connection that beats and looks. It is opened again when it breaks, by the next call. */
export class Control {
  readonly #open: (ended: () => void) => Promise<Session>
  #session: Promise<Session> | undefined
  #closed = false

  /** @param prepare prepares a new connection, such as to listen */
  constructor(url: string, name: () => string, prepare: (session: Session) => Promise<void>) {
    this.#open = async (ended) => {
      const session = await connect(url, name(), ended)
      await prepare(session)
      return session
    }
  }

  /** Runs statements. A failure closes the connection: what it was doing is not known. */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the connection of the cluster is closed')
    const opening = (this.#session ??= this.#open(() => this.#forget(opening)))
    try {
      return await work(await opening)
    } catch (error) {
      this.#forget(opening)
      void opening.then((session) => session.end()).catch(() => undefined)
      throw error
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const session = this.#session
    this.#session = undefined
    await session?.then((open) => open.end()).catch(() => undefined)
  }

  #forget(session: Promise<Session>): void {
    if (this.#session === session) this.#session = undefined
  }
}
