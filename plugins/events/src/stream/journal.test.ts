import { expect } from 'chai'
import fc from 'fast-check'
import { flush } from '@mynah/kernel/testing'
import { logPlugin, say, SharedLog, startStream, StreamClient } from '../test/support.js'

type Step =
  | { do: 'say'; count: number }
  | { do: 'breathe' | 'log off' | 'log on' | 'log fails' | 'break off' | 'come back' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('say' as const), count: fc.integer({ min: 1, max: 30 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'breathe' as const,
        'log off' as const,
        'log on' as const,
        'log fails' as const,
        'break off' as const,
        'come back' as const,
      ),
    }),
  },
)

/** A client that reconnects, and checks that each number follows the one before unless it had to start again. */
class Wanderer {
  #last: number | undefined
  #lastId: string | undefined
  #client: StreamClient | undefined
  numbers = 0

  async comeBack(origin: string): Promise<StreamClient> {
    if (this.#client) return this.#client
    if (this.#lastId === undefined) this.#last = undefined
    return (this.#client = await (
      await StreamClient.open(origin, { lastId: this.#lastId })
    ).until((c) => c.of('init-data').length > 0, 'it is open'))
  }

  breakOff(): void {
    const client = this.#client
    if (!client) return
    this.#client = undefined
    client.close()
    for (const { type, data } of client.frames) {
      if (type === 'sync' && (data as { reset?: boolean }).reset) this.#last = undefined
      if (type !== 'count') continue
      if (this.#last !== undefined) expect(data).to.equal(this.#last + 1)
      this.#last = data as number
      this.numbers++
    }
    this.#lastId = client.lastId ?? this.#lastId
  }
}

describe('Journal', () => {
  it('delivers every event once and in order, also to clients that reconnect, whatever the log does', async function () {
    this.timeout(60_000)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const log = new SharedLog('durable')
        const { host, origin } = await startStream([{ plugin: logPlugin(log) }])
        try {
          const staying = await (
            await StreamClient.open(origin)
          ).until((c) => c.of('init-data').length > 0, 'it is open')
          const wanderer = new Wanderer()
          let total = 0
          for (const next of [...steps, { do: 'say', count: 1 } as const]) {
            switch (next.do) {
              case 'say':
                for (let n = 0; n < next.count; n++) say(host, 'count', ++total)
                break
              case 'breathe':
                for (let n = 0; n < 5; n++) await flush()
                break
              case 'log off':
                await host.enable('event-log', false)
                break
              case 'log on':
                await host.enable('event-log', true)
                break
              case 'log fails':
                log.failure = new Error('disk full')
                break
              case 'come back':
                await wanderer.comeBack(origin)
                break
              case 'break off':
                wanderer.breakOff()
                break
            }
          }
          await staying.until((c) => c.of('count').at(-1) === total, 'the last event came')
          expect(staying.of('count')).to.deep.equal(Array.from({ length: total }, (_, index) => index + 1))
          const ids = staying.frames.filter(({ id }) => id !== undefined).map(({ id }) => id)
          expect(new Set(ids).size).to.equal(ids.length)
          expect(staying.ended).to.equal(false)

          const back = await wanderer.comeBack(origin)
          say(host, 'count', ++total)
          await back.until((c) => c.of('count').at(-1) === total, 'who came back has the very last event')
          wanderer.breakOff()
          expect(wanderer.numbers).to.be.greaterThan(0)
          staying.close()
        } finally {
          await host.stop()
        }
      }),
      { numRuns: 40 },
    )
  })
})
