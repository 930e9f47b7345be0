import { HOUR_MS, MINUTE_MS } from '@mynah/kernel/util'
import type { Timetable } from '../schedule/timetable.js'

/** Slots that get a run of their own. All earlier ones share one run. */
const MAX_SLOT_ROWS = 100
/** A slot counts as on time for this long, in milliseconds. */
const GRACE_MS = MINUTE_MS
const WHILE_STOPPED = 'while the host was stopped or its clock was changed'

/** The slots of a job that have come. */
export interface DueSlots {
  /** The slot to run. */
  readonly run: number | undefined
  /** Slots that are not run, oldest first, with the reason. */
  readonly skipped: readonly { readonly slot: number; readonly reason: string }[]
}

/** Returns the newest slots from `due` to `now`, at most {@link MAX_SLOT_ROWS}. Looks back in windows that double. */
function latestSlots(table: Timetable, due: number, now: number): number[] {
  for (let window = MINUTE_MS; ; window *= 2) {
    const from = Math.max(due - 1, now - window)
    const slots: number[] = []
    for (let at = table.next(from); at !== undefined && at <= now; at = table.next(at)) slots.push(at)
    if (from === due - 1 || slots.length >= MAX_SLOT_ROWS) return slots.slice(-MAX_SLOT_ROWS)
  }
}

/** Decides which slots since `due` are run. One run covers all slots that were missed. */
export function dueSlots(table: Timetable, due: number, now: number, missed: 'once' | 'skip' | null): DueSlots {
  const found = latestSlots(table, due, now)
  // The schedule may have changed after the due time was stored.
  const slots = found.length ? found : [due]
  const last = slots.at(-1) as number
  const age = now - last
  const runs = age <= GRACE_MS || (missed ?? (age < HOUR_MS ? 'once' : 'skip')) === 'once'
  const past = runs ? slots.slice(0, -1) : slots
  const agePart = missed === 'skip' ? '' : ', more than an hour ago'
  const reason = runs
    ? 'missed: it passed before it could run, and the run of a later slot covers it'
    : `missed: it passed ${WHILE_STOPPED}${agePart}`
  const skipped = past.map((slot) => ({ slot, reason }))
  if (slots[0] !== undefined && slots[0] > due)
    skipped.unshift({
      slot: due,
      reason: `missed: this slot and all others before ${new Date(slots[0]).toISOString()} passed ${WHILE_STOPPED}`,
    })
  return { run: runs ? last : undefined, skipped }
}
