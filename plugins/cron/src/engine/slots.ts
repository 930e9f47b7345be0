// Which slots of a schedule have come, which one of them is run, and what is said of the others.
import type { Timetable } from '../schedule/next.js'

/** Slots that get a row of their own; of earlier ones one row tells. */
export const MAX_ROWS = 100
/** A slot is on time for so long, ms. */
export const GRACE_MS = 60_000
const HOUR_MS = 3_600_000

export interface Slots {
  /** The slot that is run. */
  readonly run: number | undefined
  /** Slots that are not, oldest first, with the reason. */
  readonly skipped: readonly { readonly slot: number; readonly reason: string }[]
}

/** The slots from `due` up to `now`: all of the last ones, at least {@link MAX_ROWS} where there are so many. */
function latest(table: Timetable, due: number, now: number): number[] {
  for (let window = 60_000; ; window *= 2) {
    const from = Math.max(due - 1, now - window)
    const slots: number[] = []
    for (let at = table.next(from); at !== undefined && at <= now; at = table.next(at)) slots.push(at)
    if (from === due - 1 || slots.length >= MAX_ROWS) return slots.slice(-MAX_ROWS)
  }
}

/** Judges a job that was due at `due`. One run stands for all that passed. */
export function slotsAt(table: Timetable, due: number, now: number, missed: 'once' | 'skip' | null): Slots {
  const found = latest(table, due, now)
  // The schedule may have been another when the time was stored.
  const slots = found.length ? found : [due]
  const last = slots.at(-1) as number
  const age = now - last
  const runs = age <= GRACE_MS || (missed ?? (age < HOUR_MS ? 'once' : 'skip')) === 'once'
  const past = runs ? slots.slice(0, -1) : slots
  const reason = runs
    ? 'missed: it passed before it could run, and the run of a later slot stands for it'
    : `missed: it passed while the host was away or its clock was changed${missed === 'skip' ? '' : ', more than an hour ago'}`
  const skipped = past.map((slot) => ({ slot, reason }))
  if (slots[0] !== undefined && slots[0] > due)
    skipped.unshift({
      slot: due,
      reason: `missed: this slot and all others before ${new Date(slots[0]).toISOString()} passed while the host was away or its clock was changed`,
    })
  return { run: runs ? last : undefined, skipped }
}
