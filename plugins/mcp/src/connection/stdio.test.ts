import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { boundedFetch } from './bounded-fetch.js'
import { AT_ONCE } from './limits.js'
import { StdioTransport } from './stdio.js'
import { until } from '../test/support.js'

const MESSAGES = 3_000

describe('a server that never stops talking', () => {
  it('over its standard output is read in portions, and in order', async () => {
    const script = `
      const line = (n) => JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { n } }) + '\\n'
      process.stdout.write(Array.from({ length: ${MESSAGES} }, (_, n) => line(n)).join(''))`
    const transport = new StdioTransport({
      command: process.execPath,
      args: ['-e', script],
      env: {},
      cwd: undefined,
      hide: (text) => text,
      parse: (line) => line as never,
    })
    const numbers: number[] = []
    let portion = 0
    let most = 0
    transport.onmessage = (message) => {
      // Messages in one piece leave no place for a tick.
      if (portion++ === 0)
        process.nextTick(() => {
          portion = 0
        })
      most = Math.max(most, portion)
      numbers.push((message as unknown as { params: { n: number } }).params.n)
    }
    await transport.start()
    try {
      await until(() => numbers.length === MESSAGES)
    } finally {
      await transport.close()
    }
    expect(numbers).to.deep.equal(Array.from({ length: MESSAGES }, (_, n) => n))
    expect(most).to.be.within(1, AT_ONCE)
  })

  it('over HTTP is passed on in portions, every byte of it', async () => {
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
