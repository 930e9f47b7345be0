// Servers that packed adapters and the packed marketplace talk to. Each answers what one use of its protocol needs.
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'

/** Listens on a free port of this machine. */
async function listening(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address()
  const stop = () => {
    server.closeAllConnections?.()
    server.close()
  }
  return { port, origin: `http://127.0.0.1:${port}`, stop }
}

export const ircServer = () =>
  listening(
    createServer((socket) => {
      socket.on('error', () => {})
      socket.setEncoding('utf8').on('data', (text) => {
        if (/^USER /m.test(text)) socket.write(':irc.test 001 mynah :Welcome\r\n:irc.test 376 mynah :End\r\n')
        for (const [, token] of text.matchAll(/^PING (.*)\r$/gm)) socket.write(`:irc.test PONG irc.test ${token}\r\n`)
      })
    }),
  )

const BOT_API = { getMe: { id: 1, is_bot: true, first_name: 'Mynah', username: 'mynah_bot' }, getUpdates: [] }
export const botApi = () =>
  listening(
    createHttpServer((request, response) => {
      const result = BOT_API[request.url.split('/').at(-1)] ?? true
      setTimeout(() => response.end(JSON.stringify({ ok: true, result })), 20)
    }),
  )

export const registry = () =>
  listening(
    createHttpServer((_, response) =>
      response.end(
        JSON.stringify({
          objects: [{ package: { name: 'mynah-plugin-dice', version: '1.0.0', keywords: ['mynah-plugin'] } }],
          total: 1,
        }),
      ),
    ),
  )
