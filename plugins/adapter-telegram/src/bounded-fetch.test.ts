import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { Api } from 'grammy'
import { boundedFetch } from './bounded-fetch.js'
import { reasonOf } from './errors.js'

describe('boundedFetch', () => {
  let server: Server
  let answer: (socket: Socket) => void
  const sockets = new Set<Socket>()

  beforeEach(async () => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined).once('data', () => answer(socket))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  /** Calls the server and returns what it says, or why it failed. */
  const call = (bodyMs?: number): Promise<unknown> =>
    new Api('1:x', {
      apiRoot: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      fetch: boundedFetch(bodyMs),
    })
      .getMe()
      .catch(reasonOf)
  const head = (length: number): string => `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`

  it('returns the answer', async () => {
    const body = '{"ok":true,"result":{"first_name":"Ünï 🙂"}}'
    answer = (socket) => socket.end(head(Buffer.byteLength(body)) + body)
    expect(await call()).to.deep.equal({ first_name: 'Ünï 🙂' })
  })

  it('fails at once where the connection ends in the middle of the body', async () => {
    answer = (socket) => socket.end(`${head(1_000)}{"ok":tr`)
    expect(await call()).to.equal('Telegram cannot be reached (ECONNRESET)')
  })

  it('fails where the rest of the body does not come', async () => {
    answer = (socket) => socket.write(`${head(1_000)}{"ok":tr`)
    expect(await call(50)).to.equal('Telegram cannot be reached (no answer)')
  })

  it('fails where the rest of the body comes too slowly', async () => {
    answer = (socket) => {
      socket.write(head(1_000_000))
      const timer = setInterval(() => socket.write(' '), 5)
      socket.on('close', () => clearInterval(timer))
    }
    expect(await call(100)).to.equal('Telegram cannot be reached (no answer)')
  })

  it('fails where the answer has no end', async () => {
    answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const more = (): void => {
        if (!socket.destroyed) socket.write(Buffer.alloc(1_048_576, 32), more)
      }
      more()
    }
    expect(await call()).to.equal('Telegram cannot be reached (no answer)')
  })
})
