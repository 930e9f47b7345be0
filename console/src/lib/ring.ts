// The last hour, minute by minute, as this browser saw it.

export interface Minute {
  /** Minutes since the epoch. */
  readonly minute: number
  /** Events of the stream. */
  readonly events: number
  /** Resident memory, MB. */
  readonly memory?: number
  /** The stream was down at some time. */
  readonly down?: boolean
  /** Endpoints by adapter and name: up or not when last looked at. */
  readonly up?: Readonly<Record<string, boolean>>
}

export const RING_MINUTES = 60

/** `ring` with `change` applied to the minute of `now`; what is older than an hour is dropped. */
export function record(ring: readonly Minute[], now: number, change: (minute: Minute) => Minute): Minute[] {
  const minute = Math.floor(now / 60_000)
  const kept = ring.filter((item) => item.minute > minute - RING_MINUTES && item.minute < minute)
  const current = ring.find((item) => item.minute === minute) ?? { minute, events: 0 }
  return [...kept, change(current)]
}

/** The ring as one slot a minute, oldest first, with gaps where nothing was seen. */
export function slots(ring: readonly Minute[], now: number): (Minute | undefined)[] {
  const last = Math.floor(now / 60_000)
  const byMinute = new Map(ring.map((item) => [item.minute, item]))
  return Array.from({ length: RING_MINUTES }, (_, index) => byMinute.get(last - RING_MINUTES + 1 + index))
}

/** Reads what was stored, whatever it is now. */
export function parseRing(text: string | null): Minute[] {
  if (!text) return []
  try {
    const value: unknown = JSON.parse(text)
    if (!Array.isArray(value)) return []
    return value.filter(
      (item): item is Minute =>
        typeof item === 'object' &&
        item !== null &&
        Number.isInteger((item as Minute).minute) &&
        Number.isFinite((item as Minute).events),
    )
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
