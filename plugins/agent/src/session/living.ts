// Epochs that go on. One that was idle for too long ends when somebody looks, so that nothing ticks.
import type { Clock } from '@mynah/kernel'
import type { Session, SessionStore } from './types.js'

export interface LivingDeps {
  readonly store: () => SessionStore
  readonly clock: Clock
  /** Times after which an epoch that nobody used is archived, and has expired, ms. */
  readonly idle: () => { readonly archive: number; readonly expire: number }
  /** Whether something is being answered in a session. */
  readonly isBusy: (session: string) => boolean
  readonly archived: (session: Session) => void
}

export class LivingSessions {
  readonly #deps: LivingDeps

  constructor(deps: LivingDeps) {
    this.#deps = deps
  }

  /** The epoch of a key. */
  async active(key: string): Promise<Session | undefined> {
    const known = await this.#deps.store().active(key)
    return known && (await this.#endIdle(known)) ? undefined : known
  }

  /** Ends all that were idle for too long. */
  async archiveIdle(): Promise<void> {
    const { archive, expire } = this.#deps.idle()
    const first = Math.min(archive, expire)
    if (first === Infinity) return
    for (const session of await this.#deps.store().idle(this.#deps.clock.now() - first)) await this.#endIdle(session)
  }

  /** Ends an epoch that was idle for too long, unless something is being answered in it; says whether. */
  async #endIdle(session: Session): Promise<boolean> {
    const { store, clock, isBusy, archived } = this.#deps
    const { archive, expire } = this.#deps.idle()
    const idle = clock.now() - session.active_at
    if (idle <= Math.min(archive, expire) || isBusy(session.id)) return false
    await store().archive(session.id, idle > expire)
    archived(session)
    return true
  }
}
