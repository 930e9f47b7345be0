import { expect } from 'chai'
import fc from 'fast-check'
import { mistakeIn, sign } from '../api.js'
import { SECRET } from './peer.js'
import { startWorld, type World } from './host.js'

describe('Signed requests', () => {
  let world: World
  beforeEach(async () => {
    world = await startWorld()
  })
  afterEach(() => world.stop())

  const status = async (response: Promise<Response>): Promise<number> => {
    const answered = await response
    await answered.arrayBuffer()
    return answered.status
  }

  it('are accepted with a valid signature', async () => {
    const response = await world.peer.post(world.peer.message('hello'))
    expect(response.status).to.equal(202)
    expect(await response.json()).to.deep.equal({ success: true })
    expect(world.heard.map(({ text, sender, channel }) => ({ text, sender, channel }))).to.deep.equal([
      { text: 'hello', sender: { id: 'alice', name: 'Alice' }, channel: { type: 'private', id: 'alice' } },
    ])
  })

  it('are refused without a signature, with a wrong one, and with the key of another peer', async () => {
    const { peer } = world
    const body = peer.message('hello')
    const good = sign(SECRET, body)
    for (const headers of [
      {},
      { 'x-mynah-timestamp': good['x-mynah-timestamp'] },
      { 'x-mynah-signature': good['x-mynah-signature'] },
      { ...good, 'x-mynah-signature': `sha256=${'0'.repeat(64)}` },
      { ...good, 'x-mynah-signature': good['x-mynah-signature'].slice(7) },
      { ...good, 'x-mynah-signature': `${good['x-mynah-signature']}00` },
      { ...good, 'x-mynah-timestamp': String(Number(good['x-mynah-timestamp']) - 1) },
      { ...good, 'x-mynah-timestamp': 'now' },
      sign('another secret of the tests', body),
    ] as Record<string, string>[])
      expect(await status(peer.post(body, { headers })), JSON.stringify(headers)).to.equal(401)
    expect(await status(peer.post(body.replace('hello', 'hullo'), { headers: { ...good } }))).to.equal(401)
    expect(await status(peer.post(body, { id: 'nobody' }))).to.equal(401)
    expect(world.heard).to.be.empty
  })

  it('are signed over the exact bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(199), (bytes, place) => {
        const headers = sign(SECRET, bytes)
        expect(mistakeIn(SECRET, headers, bytes)).to.equal(undefined)
        if (bytes.length === 0) return
        const changed = Uint8Array.from(bytes)
        changed[place % bytes.length] = (changed[place % bytes.length] as number) ^ 1
        expect(mistakeIn(SECRET, headers, changed)).to.equal('wrong')
      }),
    )
  })

  it('are valid for 300 seconds before and after their time', () => {
    const [body, at] = [Buffer.from('hello'), 1_700_000_000_000]
    const mistakes = [-300_001, -300_000, 0, 300_000, 300_001].map((off) =>
      mistakeIn(SECRET, { ...sign(SECRET, body, at) }, body, at + off),
    )
    expect(mistakes).to.deep.equal(['expired', undefined, undefined, undefined, 'expired'])
  })

  it('are refused when the signature is too old or in the future', async () => {
    const { peer } = world
    const body = peer.message('hello')
    for (const off of [-900_000, 900_000]) {
      const response = await peer.post(body, { headers: { ...sign(SECRET, body, Date.now() + off) } })
      expect(response.status).to.equal(401)
      expect(await response.text()).to.include('300 seconds')
    }
    for (const off of [-150_000, 150_000])
      expect(await status(peer.post(body, { headers: { ...sign(SECRET, body, Date.now() + off) } }))).to.equal(202)
  })

  it('are accepted once, however often they are repeated', async () => {
    const { peer } = world
    const body = peer.message('hello')
    const headers = { ...sign(SECRET, body) }
    const first = await Promise.all([
      peer.post(body, { headers }),
      peer.post(body, { headers }),
      peer.post(body, { headers }),
    ])
    const answers = await Promise.all(first.map((response) => response.json() as Promise<{ duplicate?: boolean }>))
    expect(answers.filter(({ duplicate }) => duplicate)).to.have.length(2)
    // Another signature of the same message: known by its id.
    world.clock.ahead = 2_000
    expect(await status(peer.post(body, { headers: { ...sign(SECRET, body, world.clock.now()) } }))).to.equal(202)
    expect(world.heard).to.have.length(1)
  })

  it('are answered with the position of a mistake', async () => {
    const { peer } = world
    const good = JSON.parse(peer.message('x')) as Record<string, unknown>
    const cases: [unknown, string][] = [
      [{ ...good, id: undefined }, 'body.id'],
      [{ ...good, channel: { type: 'dungeon', id: '1' } }, 'body.channel.type'],
      [{ ...good, sender: {} }, 'body.sender.id'],
      [{ ...good, content: '' }, 'body.content'],
      [{ ...good, surprise: 1 }, 'body.surprise'],
      [{ ...good, content: 'a\0b' }, 'body'],
      [{ ...good, content: [{ type: 'image', data: { file: '/etc/passwd' } }] }, 'body.content[0].data.file'],
      [{ ...good, content: [{ type: 'image', data: { url: 'file:///etc/passwd' } }] }, 'body.content[0].data.url'],
      [{ ...good, content: [{ type: 'component', data: { name: 'x' } }] }, 'body.content[0].type'],
    ]
    for (const [message, path] of cases) {
      const response = await peer.post(JSON.stringify(message))
      expect(response.status).to.equal(400)
      const { code, details } = (await response.json()) as { code: string; details: { path: string }[] }
      expect(code).to.equal('invalid_request')
      expect(details.map((detail) => detail.path)).to.include(path)
    }
    expect(await status(peer.post('{"id":'))).to.equal(400)
    expect(await status(peer.post(Buffer.alloc(1024 * 1024 + 1, ' ')))).to.equal(413)
    expect(world.heard).to.be.empty
  })
})

describe('Signed requests without a store', () => {
  it('are not acknowledged, and are accepted when repeated', async () => {
    const world = await startWorld()
    try {
      const { peer } = world
      const body = peer.message('hello')
      const headers = { ...sign(SECRET, body) }
      world.keeps = false
      const refused = await peer.post(body, { headers })
      expect(refused.status).to.equal(503)
      expect(await refused.text()).to.not.include('disk')
      world.keeps = true
      expect((await peer.post(body, { headers })).status).to.equal(202)
      expect(world.heard.map(({ text }) => text)).to.deep.equal(['hello'])
    } finally {
      await world.stop()
    }
  })
})
