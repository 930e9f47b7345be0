import { messageOf, type BaseContext } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import { endpointChanged } from '../api/points.js'
import type { ActiveStore } from '../store/active-store.js'
import type { Telemetry } from '../telemetry.js'
import type { Endpoint, Status } from './endpoint.js'
import type { Endpoints } from './endpoints.js'

interface Change {
  readonly status: Status
  readonly reason: string | undefined
}

/** Returns whether a change belongs into the history. While an endpoint is offline, only a new reason does. */
function isNews(before: Change, { status, reason }: Change): boolean {
  if (status === 'online' || before.status === 'online') return true
  return status === 'offline' && (before.status !== 'offline' || before.reason !== reason)
}

/** Records each change of an endpoint's status: hook, activity, counts and store. */
export class StatusHistory {
  readonly #ctx: BaseContext<unknown>
  readonly #endpoints: Endpoints
  readonly #store: ActiveStore
  readonly #telemetry: Telemetry
  /** The last change of each endpoint that was recorded. */
  readonly #recorded = new WeakMap<Endpoint, Change>()

  constructor(ctx: BaseContext<unknown>, endpoints: Endpoints, store: ActiveStore, telemetry: Telemetry) {
    this.#ctx = ctx
    this.#endpoints = endpoints
    this.#store = store
    this.#telemetry = telemetry
    endpoints.changed.add((endpoint) => this.#changed(endpoint))
    endpoints.removed.add((endpoint) => this.#removed(endpoint))
  }

  #changed(endpoint: Endpoint): void {
    const { key, status, error } = endpoint
    this.#ctx.emit(endpointChanged, { ...key, status })
    this.#telemetry.activity.setStatus(key, status)
    const reason = status === 'online' ? undefined : error
    const before = this.#recorded.get(endpoint)
    if (status === 'offline' && !endpoint.stopped)
      this.#telemetry.countConnectionFailure(key, before?.status === 'online')
    if (before && !isNews(before, { status, reason })) return
    this.#recorded.set(endpoint, { status, reason })
    const failed = (failure: unknown): void =>
      this.#ctx.log.debug(`failed to store a status of "${endpoint.id}": ${messageOf(failure)}`)
    try {
      const adding = this.#store.current?.addChange(key, omitUndefined({ at: this.#ctx.clock.now(), status, reason }))
      if (adding instanceof Promise) adding.catch(failed)
    } catch (failure) {
      failed(failure)
    }
  }

  #removed(endpoint: Endpoint): void {
    this.#ctx.emit(endpointChanged, { ...endpoint.key, status: 'removed' as const })
    // A replaced endpoint keeps its activity.
    if (!this.#endpoints.find(endpoint.adapter, endpoint.id)) this.#telemetry.forget(endpoint.key)
  }
}
