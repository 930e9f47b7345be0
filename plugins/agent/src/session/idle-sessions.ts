import type { AgentRuntime } from '../runtime.js'
import type { Session } from './types.js'

/** Finds active sessions. Idle ones are archived lazily on access, without a timer. */
export class IdleSessions {
  readonly #runtime: AgentRuntime

  constructor(runtime: AgentRuntime) {
    this.#runtime = runtime
  }

  /** Returns the active epoch of a key, unless it was idle for too long. */
  async active(key: string): Promise<Session | undefined> {
    const session = await this.#runtime.store.activeByKey(key)
    return session && (await this.#archiveIfIdle(session)) ? undefined : session
  }

  /** Archives all sessions that were idle for too long. */
  async archiveIdle(): Promise<void> {
    const { archive, expire } = this.#runtime.idleLimits()
    const limit = Math.min(archive, expire)
    if (limit === Infinity) return
    for (const session of await this.#runtime.store.idleSince(this.#runtime.clock.now() - limit))
      await this.#archiveIfIdle(session)
  }

  /** Archives a session that was idle for too long, unless a turn runs in it. Returns whether it did. */
  async #archiveIfIdle(session: Session): Promise<boolean> {
    const { store, clock, activeTurns, events } = this.#runtime
    const { archive, expire } = this.#runtime.idleLimits()
    const idleMs = clock.now() - session.activeAt
    if (idleMs <= Math.min(archive, expire) || activeTurns.ofSession(session.id).length > 0) return false
    // The session may have been used since it was read.
    if (!(await store.archive(session.id, { expired: idleMs > expire, seenAt: session.activeAt }))) return false
    events.emit('sessionArchived', session)
    return true
  }
}
