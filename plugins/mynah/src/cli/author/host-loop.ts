import type { DevStatus } from '@mynah/contract'
import type { AuthorLoop } from '@mynah/plugin-management/api'

/** The state of the code as the supervisor of `mynah dev` reports it, for the plugins of the host. */
export class HostLoop implements AuthorLoop {
  #status: DevStatus = { failures: [], total: 0, types: 'off', page: 'off' }
  readonly #listeners = new Set<(status: DevStatus) => void>()

  status(): DevStatus {
    return this.#status
  }

  listen(listener: (status: DevStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Takes a newer status. */
  set(status: DevStatus): void {
    this.#status = status
    for (const listener of this.#listeners) listener(status)
  }
}
