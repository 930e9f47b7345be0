import { expect } from 'chai'
import { AT_ONCE } from './limits.js'
import { StdioTransport } from './stdio.js'
import { until } from '../test/support.js'

const MESSAGES = 3_000

describe('StdioTransport', () => {
  it('reads a flood of messages in order and in portions', async () => {
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

  for (const [where, line] of [
    ['before its result', '`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"${x}"}]}}`'],
    ['after its result', '`{"result":{"content":["${x}"]},"id": 7,"jsonrpc":"2.0"}`'],
    ['in an error', '`{"id":7,"error":{"code":1,"message":"${x}"},"jsonrpc":"2.0"}`'],
  ] as const)
    it(`fails the call whose answer is too large, with the id ${where}, and reads on`, async () => {
      const script = `
        const x = '"}]}'.length + 'x'.repeat(9 * 1024 * 1024)
        console.log('{"jsonrpc":"2.0","method":"a"}')
        console.log(${line})
        console.log('{"jsonrpc":"2.0","method":"b"}')`
      const transport = new StdioTransport({
        command: process.execPath,
        args: ['-e', script],
        env: {},
        cwd: undefined,
        hide: (text) => text,
        parse: (parsed) => parsed as never,
      })
      const messages: unknown[] = []
      transport.onmessage = (message) => messages.push(message)
      await transport.start()
      try {
        await until(() => messages.length === 3)
      } finally {
        await transport.close()
      }
      expect(messages).to.deep.equal([
        { jsonrpc: '2.0', method: 'a' },
        { jsonrpc: '2.0', id: 7, error: { code: -32_603, message: 'it sent a message of more than 8 MB' } },
        { jsonrpc: '2.0', method: 'b' },
      ])
    })
})
