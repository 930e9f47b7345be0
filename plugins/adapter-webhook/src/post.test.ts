import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Image, Text } from '@mynah/plugin-chat/api'
import { mistakeIn } from './api.js'
import { SECRET } from './test/peer.js'
import { startWorld, type World } from './test/host.js'

const failure = (promise: Promise<unknown>): Promise<Error & { code?: string }> =>
  promise.then(
    () => {
      throw new Error('it was sent')
    },
    (error: Error) => error,
  )

describe('post', () => {
  let world: World
  beforeEach(async () => {
    world = await startWorld()
    world.peer.record()
  })
  afterEach(() => world.stop())

  it('signs the message, and returns the id of the peer', async () => {
    const { messageId } = await world.send('hello')
    expect(messageId).to.equal('peer-1')
    const [{ headers, bytes, body } = { headers: {}, bytes: Buffer.alloc(0), body: {} as never }] = world.peer.received
    expect(mistakeIn(SECRET, headers, bytes)).to.equal(undefined)
    expect(headers['idempotency-key']).to.equal(body.id)
    expect(body).to.deep.include({
      endpoint: 'peer',
      channel: { type: 'private', id: 'alice' },
      text: 'hello',
      content: [{ type: 'text', data: { text: 'hello' } }],
    })
  })

  it('repeats with the same key after a server error, with a growing delay', async () => {
    let failures = 3
    world.peer.answer = (_, response) => {
      if (failures-- <= 0) return false
      response.writeHead(failures % 2 ? 503 : 500).end()
      return true
    }
    await world.send('hello')
    expect(world.peer.texts).to.deep.equal(['hello'])
    expect(world.peer.received).to.have.length(4)
    expect(new Set(world.peer.received.map(({ headers }) => headers['idempotency-key'])).size).to.equal(1)
    expect(world.clock.waits.slice(-3)).to.deep.equal([500, 1000, 2000])
  })

  it('repeats when the connection breaks', async () => {
    let broken = false
    world.peer.answer = (_, response) => {
      if (broken) return false
      broken = true
      response.destroy()
      return true
    }
    await world.send('hello')
    expect(world.peer.texts).to.deep.equal(['hello'])
  })

  it('gives up after five attempts', async () => {
    world.peer.answer = (_, response) => Boolean(response.writeHead(502).end())
    const error = await failure(world.send('hello'))
    expect(error.code).to.equal('upstream_unavailable:unknown')
    expect(error.message).to.include('502').and.include('may have arrived')
    expect(world.peer.received).to.have.length(5)
  })

  it('repeats with the same key where the peer is slow after an answer was lost', async () => {
    const statuses = [500, 429]
    world.peer.answer = (_, response) => {
      const status = statuses.shift()
      return status !== undefined && Boolean(response.writeHead(status, { 'retry-after': '7200' }).end())
    }
    await world.send('hello')
    expect(world.peer.received).to.have.length(3)
    expect(new Set(world.peer.received.map(({ headers }) => headers['idempotency-key'])).size).to.equal(1)
  })

  it('leaves a message unknown that is refused after an answer was lost', async () => {
    const statuses = [500, 400]
    world.peer.answer = (_, response) => Boolean(response.writeHead(statuses.shift() ?? 500).end())
    const error = await failure(world.send('hello'))
    expect(error.code).to.equal('upstream_unavailable:unknown')
    expect(world.peer.received).to.have.length(2)
  })

  it('reports a message as not sent when the peer is unreachable', async () => {
    await world.peer.stop()
    const error = await failure(world.send('hello'))
    expect(error.code).to.equal('not_ready')
    expect(error.message).to.include('ECONNREFUSED').and.not.include('127.0.0.1')
    await world.host.stop()
    world = await startWorld()
  })

  it('does not repeat a refused message', async () => {
    world.peer.answer = (_, response) => Boolean(response.writeHead(422).end())
    expect((await failure(world.send('hello'))).message).to.include('422')
    expect(world.peer.received).to.have.length(1)
  })

  it('follows no redirect', async () => {
    world.peer.answer = (_, response) => Boolean(response.writeHead(307, { location: '/elsewhere' }).end())
    expect((await failure(world.send('hello'))).message).to.include('redirects are not followed')
    expect(world.peer.received).to.have.length(1)
  })

  it('waits as long as the peer asks', async () => {
    let slow = true
    world.peer.answer = (_, response) => {
      if (!slow) return false
      slow = false
      response.writeHead(429, { 'retry-after': '7' }).end()
      return true
    }
    await world.send('hello')
    expect(world.peer.texts).to.deep.equal(['hello'])
    // The wait is what is left of the time when it begins.
    expect(world.clock.waits.some((ms) => ms > 6000 && ms <= 7000)).to.equal(true)
  })

  it('sends a file as bytes, without its path', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'webhook-'))
    try {
      await writeFile(join(folder, 'dot.png'), 'bytes')
      await world.send([Text('look'), Image({ file: join(folder, 'dot.png') })])
      const [received] = world.peer.received
      expect(received?.body.content).to.deep.equal([
        { type: 'text', data: { text: 'look' } },
        { type: 'image', data: { name: 'dot.png', base64: Buffer.from('bytes').toString('base64') } },
      ])
      expect(received?.bytes.toString()).to.not.include(folder)
      const missing = await failure(world.send([Image({ file: join(folder, 'none.png') })]))
      expect(missing.message).to.include('"none.png"').and.not.include(folder)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('refuses to send without an address', async () => {
    await world.stop()
    world = await startWorld({ url: undefined })
    expect((await failure(world.send('hello'))).message).to.include('no `url`')
  })
})
