// The contract that every adapter must keep, for ours: a guest connects, speaks and listens.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { adapterContract } from '@mynah/plugin-chat/testing'
import lineChat from './line-chat.js'

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

adapterContract({
  name: 'line-chat',
  async start() {
    const port = await freePort()
    const sent = []
    let guest
    return {
      plugins: [lineChat],
      endpoint: { adapter: 'line-chat', id: 'room', port },
      target: { type: 'group', id: 'room' },
      async online() {
        guest = connect(port, '127.0.0.1')
        const lines = createInterface({ input: guest })
        await once(lines, 'line')
        lines.on('line', (line) => sent.push(line.replace(/^bot: /, '')))
      },
      say: (text) => new Promise((resolve) => guest.write(`${text}\n`, () => resolve())),
      sent: () => sent,
      stop: async () => guest?.destroy(),
    }
  },
})
