import { expect } from 'chai'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { SeededRandom, mutate, randomBytes, randomJson } from '@mynah/plugin-chat/testing'
import { HastyClock, startWorld, type World } from './host.js'

const STATUSES = [
  100, 101, 103, 199, 200, 201, 204, 205, 206, 226, 300, 301, 304, 307, 399, 400, 401, 404, 408, 413, 429, 451, 499,
  500, 503, 599, 600, 999,
] as const
const HEADERS = [
  'retry-after: 1e9',
  'retry-after: -1',
  'retry-after: 999999',
  'retry-after: Fri, 31 Dec 9999 23:59:59 GMT',
  'retry-after: soon',
  'content-length: 5',
  'transfer-encoding: chunked',
  'content-encoding: gzip',
  'location: /again',
  'content-type: text/html',
  'set-cookie: a=b',
  'connection: close',
] as const

/** Random values in place of an answer. */
function answer(chance: SeededRandom): Buffer {
  if (chance.below(6) === 0) return randomBytes(chance, chance.below(500))
  const body = chance.below(2)
    ? JSON.stringify(randomJson(chance) ?? null)
    : JSON.stringify({ messageId: randomJson(chance) })
  const headers = Array.from({ length: chance.below(4) }, () => `${chance.pick(HEADERS)}\r\n`).join('')
  return Buffer.from(`HTTP/1.1 ${chance.pick(STATUSES)} x\r\n${headers}\r\n${body}`)
}

describe('Random answers of a peer', function () {
  this.timeout(60_000)
  let server: Server
  let world: World
  const sockets = new Set<Socket>()
  const chance = new SeededRandom(20_261_121)
  before(async () => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
      socket.once('data', () => {
        if (chance.below(10) === 0) socket.destroy()
        else socket.end(answer(chance))
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    world = await startWorld(
      { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
      new HastyClock(Number.POSITIVE_INFINITY),
    )
  })
  after(async () => {
    await world.stop()
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })

  it('end every send as sent or with one of the codes', async () => {
    const codes = new Set<string>()
    for (let round = 0; round < 300; round++)
      codes.add(
        await world.send(`number ${round}`).then(
          ({ messageId }) => (messageId ? 'sent' : 'nothing'),
          ({ code }: { code: string }) => code,
        ),
      )
    expect(Array.from(codes))
      .to.include('sent')
      .and.include.members(['invalid_request', 'upstream_unavailable:unknown'])
    expect(
      Array.from(codes).filter(
        (code) =>
          !['sent', 'invalid_request', 'upstream_unavailable', 'upstream_unavailable:unknown', 'not_ready'].includes(
            code,
          ),
      ),
    ).to.deep.equal([])
  })

  it('get a clear response to each random request', async () => {
    const message = {
      id: 'm',
      channel: { type: 'group', id: 'g', name: 'G', parent: { type: 'guild', id: 'p' } },
      sender: { id: 'alice', name: 'Alice', role: 'admin', locale: 'en' },
      content: [
        { type: 'text', data: { text: 'hi' } },
        { type: 'image', data: { url: 'https://example.com/a.png' } },
      ],
      mentioned: true,
      replyTo: 'x',
      timestamp: 1,
    }
    const statuses = new Set<number>()
    for (let round = 0; round < 400; round++) {
      const body = chance.below(5)
        ? (JSON.stringify(mutate(chance, { ...message, id: `m${round}` })) ?? 'null')
        : chance.pick([
            '['.repeat(100_000),
            '{"a":'.repeat(5_000),
            '',
            '{',
            randomBytes(chance, 100).toString('latin1'),
          ])
      const response = await world.peer.post(body)
      statuses.add(response.status)
      expect(response.status, body.slice(0, 500)).to.be.oneOf([202, 400])
      if (response.status === 400) expect(await response.json()).to.include({ success: false })
      else await response.arrayBuffer()
    }
    expect(Array.from(statuses)).to.have.members([202, 400])
    expect(world.heard.length).to.be.above(5)
  })
})
