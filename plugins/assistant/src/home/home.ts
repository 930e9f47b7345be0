/** The current state of an entity. */
export interface EntityState {
  readonly state: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly changedAt?: string
}

/** A connection to the home. It throws `WireError`s, such as `upstream_unavailable`, `rate_limited` and `not_found`. */
export interface Home {
  state(entity: string, signal: AbortSignal): Promise<EntityState>
  /** Calls `<domain>.<service>`. Services such as notifications have no `entity`. */
  call(
    domain: string,
    service: string,
    entity: string | undefined,
    data: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void>
}
