import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { boundedFetch } from './bounded-fetch.js'
import { AT_ONCE } from './limits.js'

const MESSAGES = 3_000

describe('boundedFetch', () => {
  it('passes on a flood of events in portions, without losing a byte', async () => {
    const whole = Array.from({ length: MESSAGES }, (_, n) => `data: ${n}\n\n`).join('')
    const server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(whole),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    try {
      const { body } = await boundedFetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      const portions: string[] = []
      for await (const portion of body as unknown as AsyncIterable<Uint8Array>)
        portions.push(Buffer.from(portion).toString())
      expect(portions.join('')).to.equal(whole)
      expect(Math.max(...portions.map((portion) => portion.split('\n\n').length - 1))).to.be.at.most(AT_ONCE)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
