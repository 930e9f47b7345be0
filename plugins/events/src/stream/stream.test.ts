import { expect } from 'chai'
import { definePlugin } from '@mynah/kernel'
import { snapshotChanged, streamSnapshots } from '../api.js'
import { DEMO, say, startStream, StreamClient, type Running } from '../test/support.js'

const things = definePlugin({
  name: 'things',
  setup(ctx) {
    ctx.contribute(streamSnapshots, { key: 'secrets', value: () => ['hidden'] })
    ctx.contribute(streamSnapshots, { key: 'entries', value: () => [{ id: 'page' }], demo: true })
    ctx.contribute(streamSnapshots, {
      key: 'broken',
      value: () => {
        throw new Error('no value')
      },
    })
  },
})

describe('new connection', () => {
  let running: Running
  afterEach(() => running.host.stop())

  it('starts with the entries and init-data, both without an id', async () => {
    running = await startStream()
    const client = await StreamClient.open(running.origin)
    await client.until(({ frames }) => frames.length >= 2, 'two frames came')
    expect(client.response.statusCode).to.equal(200)
    expect(client.response.headers['content-type']).to.equal('text/event-stream; charset=utf-8')
    expect(client.response.headers['cache-control']).to.equal('no-cache, no-transform')
    expect(client.response.headers)
      .to.include({ 'x-accel-buffering': 'no', connection: 'close' })
      .and.not.have.any.keys('transfer-encoding', 'content-length', 'keep-alive')
    const [sync, open] = client.frames
    expect(sync).to.include({ type: 'sync' }).and.not.to.have.property('id')
    expect(sync?.data).to.deep.equal({ key: 'entries', value: [] })
    expect(open).to.include({ type: 'init-data' }).and.not.to.have.property('id')
    expect(open?.data).to.deep.equal({ timestamp: open?.timestamp })
    client.close()
  })

  it('receives an event as an id line and one data line, without an event line', async () => {
    running = await startStream()
    const client = await StreamClient.open(running.origin)
    await client.until(({ frames }) => frames.length >= 2, 'it is open')
    const before = client.text.length
    say(running.host, 'note:added', { text: 'two\nlines' })
    say(running.host, 'note:gone', undefined)
    await client.until(({ frames }) => frames.some(({ type }) => type === 'note:gone'), 'the events came')
    const frames = client.text
      .slice(before)
      .split('\n\n')
      .filter((frame) => frame.includes('note:'))
    expect(frames[0]).to.match(
      /^id: [\w-]+\.\d+\ndata: \{"type":"note:added","data":\{"text":"two\\nlines"\},"timestamp":\d+\}$/,
    )
    expect(frames[1]).to.match(/^id: [\w-]+\.\d+\ndata: \{"type":"note:gone","data":null,"timestamp":\d+\}$/)
    client.close()
  })

  it('does not receive an event that is not JSON, which is logged', async () => {
    running = await startStream()
    const client = await StreamClient.open(running.origin)
    await client.until(({ frames }) => frames.length >= 2, 'it is open')
    const circle: Record<string, unknown> = {}
    circle.self = circle
    say(running.host, 'circle', circle)
    say(running.host, 'fine', 1)
    await client.until((c) => c.of('fine').length === 1, 'the next event came')
    expect(client.of('circle')).to.deep.equal([])
    expect(
      running.log.some(
        ({ level, message }) => level === 'error' && message.startsWith('failed to send the event "circle"'),
      ),
    ).to.equal(true)
    client.close()
  })

  it('does not receive earlier events', async () => {
    running = await startStream()
    say(running.host, 'old', 1)
    const client = await StreamClient.open(running.origin)
    await client.until(({ frames }) => frames.length >= 2, 'it is open')
    say(running.host, 'new', 2)
    await client.until((c) => c.of('new').length === 1, 'the new event came')
    expect(client.of('old')).to.deep.equal([])
    client.close()
  })

  it('receives each snapshot, entries first, and again after a change', async () => {
    running = await startStream([{ plugin: things }])
    const client = await StreamClient.open(running.origin)
    await client.until((c) => c.of('init-data').length === 1, 'it is open')
    expect(client.of('sync')).to.deep.equal([
      { key: 'entries', value: [{ id: 'page' }] },
      { key: 'secrets', value: ['hidden'] },
      { key: 'broken', value: null },
    ])
    expect(running.log.some(({ message }) => message.includes('"broken" failed: no value'))).to.equal(true)
    running.host.emit(snapshotChanged, { key: 'entries' })
    running.host.emit(snapshotChanged, { key: 'entries' })
    say(running.host, 'after', null)
    await client.until((c) => c.of('after').length === 1, 'the event after the change came')
    const told = client.frames.filter(({ type }) => type === 'sync')
    expect(told).to.have.length(4)
    expect(told[3]).to.not.have.property('id')
    client.close()
  })

  it('of demo scope receives only its snapshots', async () => {
    running = await startStream([{ plugin: things }])
    const client = await StreamClient.open(running.origin, { token: DEMO })
    await client.until((c) => c.of('init-data').length === 1, 'it is open')
    expect(client.of('sync')).to.deep.equal([{ key: 'entries', value: [{ id: 'page' }] }])
    client.close()
  })

  it('requires a token in the header', async () => {
    running = await startStream()
    const wrong = await StreamClient.open(running.origin, { token: 'nonsense' })
    expect(wrong.response.statusCode).to.equal(401)
    const inQuery = await StreamClient.open(running.origin, {
      token: '',
      query: '?token=full-token-of-the-stream-tests',
    })
    expect(inQuery.response.statusCode).to.equal(401)
    wrong.close()
    inQuery.close()
  })
})
