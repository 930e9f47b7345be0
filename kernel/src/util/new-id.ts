import { randomFillSync } from 'node:crypto'

const TIME_DIGITS = 9
const COUNT_DIGITS = 4
const COUNT_END = 36 ** COUNT_DIGITS

/** Random numbers are generated in batches, because a call for each id costs more than the rest of it. */
const drawn = new Uint32Array(1_024)
let next = drawn.length

let time = 0
let count = 0

function random(): number {
  if (next === drawn.length) {
    randomFillSync(drawn)
    next = 0
  }
  return drawn[next++] as number
}

/**
 * Returns a new id of lower-case letters and digits. It sorts after all earlier ids of this process in every collation.
 */
export function newId(now = Date.now()): string {
  if (now > time) {
    time = now
    count = 0
  } else if (++count === COUNT_END) {
    time++
    count = 0
  }
  return (
    time.toString(36).padStart(TIME_DIGITS, '0') +
    count.toString(36).padStart(COUNT_DIGITS, '0') +
    random().toString(36).padStart(7, '0')
  )
}

/** Forgets earlier ids, as the start of a process does. For simulations, which play several processes in one. */
export function forgetIds(): void {
  time = 0
  count = 0
  next = drawn.length
}
