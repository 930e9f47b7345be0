import { setTimeout as pause } from 'node:timers/promises'

/** Before each look, ms: what was killed needs a turn on a processor to go, and may have started others before. */
const PAUSES_MS = [0, 2, 10, 40, 150, 400]

/** Looks several times, with growing pauses, until a condition holds. Returns whether it does at the end. */
export async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (const ms of PAUSES_MS) {
    if (ms > 0) await pause(ms)
    if (await holds()) return true
  }
  return false
}
