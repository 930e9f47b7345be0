import { writeSync } from 'node:fs'

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Writes a line to the output before it returns: a kill would lose a pending write. */
export function say(line) {
  let rest = Buffer.from(`${line}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      // The pipe is full.
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(pause, 0, 0, 1)
    }
  }
}
