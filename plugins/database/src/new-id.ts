// Ids that sort by the time they were made, the same in every collation.
import { randomBytes } from 'node:crypto'

const TIME_DIGITS = 9
const COUNT_DIGITS = 4
const COUNT_END = 36 ** COUNT_DIGITS

let time = 0
let count = 0

/** A new id of lower-case letters and digits, greater than all that this process made before. */
export function newId(now = Date.now()): string {
  if (now > time) {
    time = now
    count = 0
  } else if (++count === COUNT_END) {
    time++
    count = 0
  }
  const random = randomBytes(4).readUInt32BE().toString(36).padStart(7, '0')
  return time.toString(36).padStart(TIME_DIGITS, '0') + count.toString(36).padStart(COUNT_DIGITS, '0') + random
}
