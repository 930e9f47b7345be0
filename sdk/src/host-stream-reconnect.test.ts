import { expect } from 'chai'
import fc from 'fast-check'
import { createClient } from './index.js'
import { Collector } from './test/collector.js'
import { TestHost } from './test/test-host.js'
import { frame } from './test/test-stream.js'

const COUNT = 12
const log = Array.from({ length: COUNT }, (_, index) =>
  frame('sandbox:message', { n: index + 1, text: '鸟 🐦' }, `a.${index + 1}`),
)
const opening = frame('sync', { key: 'entries', value: [] }) + frame('init-data', { timestamp: 1 })

describe('HostStream over a connection that keeps breaking', () => {
  it('loses no event and repeats none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(900), { maxLength: 8 }), async (cuts) => {
        const host = new TestHost()
        const left = [...cuts]
        host.on('GET /api/events', (response, { headers }) => {
          const after = Number(String(headers['last-event-id'] ?? 'a.0').slice(2))
          const bytes = Buffer.from(opening + log.slice(after).join(''))
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          const cut = left.shift()
          if (cut === undefined) response.write(bytes)
          else response.write(bytes.subarray(0, cut), () => response.destroy())
        })
        await host.start()
        const client = createClient({ base: host.base, token: 't' })
        try {
          const numbers = new Collector<number>()
          client.events.onState(({ status }) => {
            if (status === 'waiting') queueMicrotask(() => client.events.start())
          })
          client.events.on('*', ({ type, data }) => {
            if (type === 'sandbox:message') numbers.push((data as { n: number }).n)
          })
          await numbers.until((n) => n === COUNT)
          expect(numbers.items).to.deep.equal(Array.from({ length: COUNT }, (_, index) => index + 1))
        } finally {
          client.close()
          await host.stop()
        }
      }),
      { numRuns: 25 },
    )
  })
})
