import assert from 'node:assert/strict'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { aroundEach, until } from './contract-host.js'
import type { AdapterContract } from './rig.js'

const LONG = process.env.MYNAH_TEST_LONG === '1'
/** Time for the messages of a window, ms. */
const WINDOW_MS = LONG ? 120_000 : 0
const BATCH = 50
/**
 * Batches before the measurement. Caches fill and code is compiled; the last thousand messages and traces are stored
 * on purpose, and are little against the noise of a short window.
 */
const WARM_UP = LONG ? 24 : 2
/**
 * Bytes that a message may leave behind: its id, to recognise it when it is delivered again, and its text in the
 * rig.
 */
const BYTES_A_MESSAGE = 400
const NOISE_BYTES = 1_500_000
/** Windows in which the heap must grow before the test fails. */
const WINDOWS = 3

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

export function memory(contract: AdapterContract): void {
  describe('memory', function () {
    // A real server takes a few milliseconds a message, and much longer on a loaded machine.
    this.timeout(WINDOWS * WINDOW_MS + 300_000)
    const test = aroundEach(() => contract.start())

    it(`stays flat while ${LONG ? 'two minutes of messages come' : 'messages come in'} and are answered`, async () => {
      test.host.answer = (text) => `got ${text}`
      let said = 0
      const batch = async (): Promise<void> => {
        const sent = test.rig.sent().length
        test.host.forget()
        for (let index = 0; index < BATCH; index++) await test.rig.say(`number ${++said}`)
        await until(
          () => test.host.heard.length === BATCH && test.rig.sent().length === sent + BATCH,
          () => {
            const answers = test.rig.sent().length - sent
            return `for ${BATCH} lines and their answers; ${test.host.heard.length} lines, ${answers} answers`
          },
          60_000,
        )
      }
      for (let index = 0; index < WARM_UP; index++) await batch()
      // Other work in the process may grow the heap once. A leak grows it in every window.
      const windows: string[] = []
      for (let window = 0; window < WINDOWS; window++) {
        const began = performance.now()
        const before = heapAfterCollection()
        let measured = 0
        while (measured < 2 * BATCH || performance.now() - began < WINDOW_MS) {
          await batch()
          measured += BATCH
        }
        const grown = heapAfterCollection() - before
        if (grown < NOISE_BYTES + measured * BYTES_A_MESSAGE) return
        windows.push(`${(grown / 1e6).toFixed(1)} MB over ${measured} messages`)
      }
      assert.fail(`the heap grew each time: ${windows.join(', ')}`)
    })
  })
}
