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

const HOMESERVER = {
  whoami: { user_id: '@mynah:matrix.test' },
  sync: { next_batch: 's1' },
}
export const homeserver = () =>
  listening(
    createHttpServer((request, response) => {
      const { pathname } = new URL(request.url, 'http://matrix.test')
      const result = HOMESERVER[pathname.split('/').at(-1)] ?? {}
      setTimeout(() => response.end(JSON.stringify(result)), 20)
    }),
  )

const ONEBOT = { get_login_info: { user_id: 10001, nickname: 'Mynah' }, get_status: { online: true, good: true } }
export const oneBotServer = () =>
  listening(
    createHttpServer((request, response) =>
      response.end(JSON.stringify({ status: 'ok', retcode: 0, data: ONEBOT[request.url.slice(1)] ?? null })),
    ),
  )

/** An IMAP server that refuses every login. */
export const mailServer = () =>
  listening(
    createServer((socket) => {
      socket.on('error', () => {})
      socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
      socket.setEncoding('utf8').on('data', (text) => {
        for (const [, tag, command] of text.matchAll(/^(\S+) (\S+).*\r$/gm)) {
          if (command === 'CAPABILITY') socket.write('* CAPABILITY IMAP4rev1\r\n')
          socket.write(`${tag} ${command === 'LOGIN' ? 'NO [AUTHENTICATIONFAILED] no such user' : 'OK done'}\r\n`)
        }
      })
    }),
  )

/** Lark that refuses each account. */
export const larkApi = () =>
  listening(
    createHttpServer((_, response) => response.end(JSON.stringify({ code: 10_014, msg: 'app secret invalid' }))),
  )

/** DingTalk that refuses each account. */
export const dingtalkApi = () =>
  listening(
    createHttpServer((_, response) => {
      response.statusCode = 401
      response.end(JSON.stringify({ code: 'authFailed', message: 'authentication failed' }))
    }),
  )

/** Slack that refuses each token. */
export const slackApi = () =>
  listening(createHttpServer((_, response) => response.end(JSON.stringify({ ok: false, error: 'invalid_auth' }))))

export const discordApi = () =>
  listening(
    createHttpServer((_, response) => {
      response.statusCode = 401
      response.end(JSON.stringify({ message: '401: Unauthorized', code: 0 }))
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
