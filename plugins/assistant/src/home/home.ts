// The home as tools and notifiers see it, whichever way leads there.

/** An entity as it is now. */
export interface EntityState {
  readonly state: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly changedAt?: string
}

/** A way to the home. Failures are `WireError`s: `upstream_unavailable`, `rate_limited`, `unauthorized`, `not_found`. */
export interface Home {
  state(entity: string, signal: AbortSignal): Promise<EntityState>
  /** Calls `<domain>.<service>`; `entity` is absent for services that have none, such as notifications. */
  call(
    domain: string,
    service: string,
    entity: string | undefined,
    data: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void>
}
