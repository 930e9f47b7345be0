import { expect } from 'chai'
import { createClient, type Client, type Frame, type StreamState } from './index.js'
import { Collector } from './test/collector.js'
import { TestClock } from './test/test-clock.js'
import { json, TestHost, text } from './test/test-host.js'
import { frame, TestStream } from './test/test-stream.js'

describe('HostStream', () => {
  let host: TestHost
  let stream: TestStream
  let clock: TestClock
  let client: Client
  let frames: Collector<Frame>
  let states: Collector<StreamState>

  beforeEach(async () => {
    host = await new TestHost().start()
    stream = new TestStream(host)
    clock = new TestClock()
    client = createClient({ base: host.base, token: 't', clock })
    frames = new Collector()
    states = new Collector()
    client.events.onState(states.push)
  })
  afterEach(async () => {
    client.close()
    await host.stop()
  })

  const listen = () => client.events.on('*', frames.push)
  const types = () => frames.items.map(({ type }) => type)
  const waits = () => states.items.filter((state) => state.status === 'waiting')
  /** Ends the n-th wait by moving time on. */
  const skipWait = async (n: number) => {
    await states.until(() => waits().length >= n)
    clock.advance(20_000)
  }

  it('is not opened before the first listener', async () => {
    expect(client.events.state).to.deep.equal({ status: 'stopped', reason: 'idle' })
    listen()
    expect(client.events.state).to.deep.equal({ status: 'connecting' })
    await stream.opened(1)
    await frames.count(2)
    expect(client.events.state).to.deep.equal({ status: 'live' })
    expect(host.to('/api/events')[0]?.headers).to.include({ authorization: 'Bearer t', accept: 'text/event-stream' })
    expect(types()).to.deep.equal(['sync', 'init-data'])
  })

  it('ends its response also where the signal no longer reaches it', async () => {
    let cancelled: () => void = () => {}
    const ended = new Promise<void>((resolve) => (cancelled = resolve))
    const own = createClient({
      base: host.base,
      clock,
      // A body that no signal ends.
      fetch: async (address, init) => {
        if (!String(address).endsWith('/events')) return fetch(address, init)
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode(frame('sync', {}, 'a.0'))),
          cancel: cancelled,
        })
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      },
    })
    const seen = new Collector<Frame>()
    own.events.on('*', seen.push)
    await seen.count(1)
    own.close()
    await ended
    expect(own.events.state).to.deep.equal({ status: 'stopped', reason: 'closed' })
  })

  it('passes each listener the events of its type until it is removed', async () => {
    const seen: unknown[] = []
    const end = client.events.on('data-update', (data, { id }) => seen.push([data, id]))
    listen()
    const { response } = await stream.opened(1)
    response.write(frame('data-update', { timestamp: 1 }, 'a.1') + frame('config:updated', {}, 'a.2'))
    await frames.count(4)
    end()
    response.write(frame('data-update', { timestamp: 2 }, 'a.3'))
    await frames.count(5)
    expect(seen).to.deep.equal([[{ timestamp: 1 }, 'a.1']])
  })

  it('reads characters that are split between chunks', async () => {
    listen()
    const { response } = await stream.opened(1)
    const bytes = Buffer.from(frame('sandbox:message', { text: '你好 🐦' }, 'a.1'))
    for (const byte of bytes) await new Promise((resolve) => response.write(Buffer.of(byte), resolve))
    expect((await frames.until(({ type }) => type === 'sandbox:message')).data).to.deep.equal({ text: '你好 🐦' })
  })

  it('resumes after the last received id, also with a restarted host', async () => {
    listen()
    const { response } = await stream.opened(1)
    response.write(
      frame('data-update', null, 'a.1') + frame('data-update', null, 'a.2') + 'id: a.3\ndata: {"type":"data-up',
    )
    await frames.count(4)
    await host.stop()
    await states.until(({ status }) => status === 'waiting')
    await host.start()
    await skipWait(1)
    const second = await stream.opened(2)
    expect(second.lastId).to.equal('a.2')
    second.response.write(frame('data-update', null, 'a.3'))
    await frames.until(({ id }) => id === 'a.3')
    expect(types()).to.deep.equal([
      'sync',
      'init-data',
      'data-update',
      'data-update',
      'sync',
      'init-data',
      'data-update',
    ])
  })

  it('backs off from 0.8 s to 15 s with 20 % jitter, and resets after 10 s of health', async () => {
    host.on('GET /api/events', json({ success: false, error: 'starting', code: 'not_ready' }, 503))
    const delays: number[] = []
    client.events.onState((state) => {
      if (state.status === 'waiting') delays.push(state.retryAt - clock.now())
    })
    listen()
    for (let n = 1; n < 7; n++) await skipWait(n)
    await states.until(() => waits().length === 7)
    const nominal = [800, 1600, 3200, 6400, 12_800, 15_000, 15_000]
    for (const [index, delay] of delays.entries())
      expect(delay, `wait ${index}`).to.be.within((nominal[index] as number) * 0.8, (nominal[index] as number) * 1.2)
    expect(waits()[0]).to.deep.include({ reason: 'starting' })

    host.on('GET /api/events', stream.answer)
    await skipWait(7)
    const { response } = await stream.opened(1)
    await frames.count(2)
    clock.advance(9999)
    response.write(': beat\n\n')
    response.write(frame('data-update', null, 'a.1'))
    await frames.count(3)
    clock.advance(1)
    response.destroy()
    await states.until(() => waits().length === 8)
    expect(delays.at(-1)).to.be.at.most(960)
  })

  it('does not count a connection as healthy that breaks off at once', async () => {
    listen()
    for (let n = 1; n <= 3; n++) {
      ;(await stream.opened(n)).response.end()
      await states.until(() => waits().length === n)
      if (n < 3) clock.advance(20_000)
    }
    expect(waits()[2])
      .to.have.property('retryAt')
      .within(clock.now() + 2560, clock.now() + 3840)
  })

  it('closes a connection that is silent for two heartbeats', async () => {
    listen()
    const first = await stream.opened(1)
    await frames.count(2)
    clock.advance(29_999)
    first.response.write(': beat\n\n' + frame('data-update', null, 'a.1'))
    await frames.count(3)
    clock.advance(29_999)
    expect(client.events.state.status).to.equal('live')
    const gone = new Promise((resolve) => first.response.once('close', resolve))
    clock.advance(1)
    await gone
    expect(await states.until(({ status }) => status === 'waiting')).to.include({
      reason: 'The stream was silent for 30 s',
    })
    await skipWait(1)
    expect((await stream.opened(2)).lastId).to.equal('a.1')
  })

  it('stops at a 401 and leaves no token', async () => {
    host.on('GET /api/events', json({ success: false, error: 'unknown token', code: 'unauthorized' }, 401))
    listen()
    expect(await states.until(({ status }) => status === 'stopped')).to.deep.equal({
      status: 'stopped',
      reason: 'auth-required',
      message: 'unknown token',
    })
    expect(client.token).to.equal(undefined)
    clock.advance(60_000)
    expect(host.to('/api/events')).to.have.length(1)
  })

  it('stops at another refusal with its text, and starts again on `start`', async () => {
    host.on('GET /api/events', json({ success: false, error: 'not for you', code: 'forbidden' }, 403))
    listen()
    expect(await states.until(({ status }) => status === 'stopped')).to.deep.equal({
      status: 'stopped',
      reason: 'refused',
      message: 'not for you',
    })
    expect(client.token).to.equal('t')
    host.on('GET /api/events', stream.answer)
    client.events.start()
    await stream.opened(1)
    await states.until(({ status }) => status === 'live')
  })

  it('reconnects when the answer is no event stream', async () => {
    host.on('GET /api/events', text('<html>', 'text/html'))
    listen()
    await states.until(({ status }) => status === 'waiting')
    host.on('GET /api/events', stream.answer)
    client.events.start()
    await stream.opened(1)
    await frames.count(2)
  })

  it('skips a malformed event when it resumes', async () => {
    listen()
    const { response } = await stream.opened(1)
    response.write('id: a.1\ndata: {broken\n\n')
    await skipWait(1)
    expect((await stream.opened(2)).lastId).to.equal('a.1')
  })

  it('follows the host to another prefix', async () => {
    listen()
    const first = await stream.opened(1)
    await frames.count(2)
    host.health({ apiPrefix: '/moved' })
    host
      .on('GET /api/events', json({ success: false, error: 'No', code: 'not_found' }, 404))
      .on('GET /moved/events', stream.answer)
    first.response.destroy()
    await skipWait(1)
    await stream.opened(2)
    expect(await client.url('GET /stats')).to.equal(`${host.base}/moved/stats`)
  })

  it('reconnects at once when the network is back', async () => {
    const page = new EventTarget()
    Object.assign(globalThis, {
      addEventListener: page.addEventListener.bind(page),
      removeEventListener: page.removeEventListener.bind(page),
    })
    try {
      listen()
      const first = await stream.opened(1)
      await frames.count(2)
      first.response.destroy()
      await states.until(({ status }) => status === 'waiting')
      // Also in hidden tabs, where the stream stays open.
      Object.assign(globalThis, { document: Object.assign(new EventTarget(), { visibilityState: 'hidden' }) })
      page.dispatchEvent(new Event('online'))
      await stream.opened(2)
      client.close()
    } finally {
      Reflect.deleteProperty(globalThis, 'document')
      Reflect.deleteProperty(globalThis, 'addEventListener')
      Reflect.deleteProperty(globalThis, 'removeEventListener')
    }
  })

  it('closes with the client', async () => {
    listen()
    const { response } = await stream.opened(1)
    await frames.count(2)
    const gone = new Promise((resolve) => response.once('close', resolve))
    client.close()
    await gone
    expect(client.events.state).to.deep.equal({ status: 'stopped', reason: 'closed' })
    clock.advance(60_000)
    client.events.start()
    expect(host.to('/api/events')).to.have.length(1)
  })
})

describe('reset events', () => {
  let host: TestHost
  let stream: TestStream
  let client: Client
  let frames: Collector<Frame>
  const resets: unknown[] = []

  beforeEach(async () => {
    host = await new TestHost().start()
    stream = new TestStream(host)
    client = createClient({ base: host.base, token: 't' })
    frames = new Collector()
    resets.length = 0
    client.events.on('reset', (nothing) => resets.push(nothing))
    client.events.on('*', frames.push)
  })
  afterEach(async () => {
    client.close()
    await host.stop()
  })

  const again = async (n: number, sync = {}) => {
    ;(stream.connections.items[n - 2] as { response: { destroy(): void } }).response.destroy()
    const end = client.events.onState(({ status }) => {
      if (status === 'waiting') queueMicrotask(() => client.events.start())
    })
    const connection = await stream.opened(n, sync)
    end()
    return connection
  }

  it('are notified when the host cannot resume', async () => {
    ;(await stream.opened(1)).response.write(frame('data-update', null, 'a.1'))
    await frames.count(3)
    expect(resets).to.deep.equal([])
    expect((await again(2, { reset: true })).lastId).to.equal('a.1')
    await frames.count(6)
    expect(frames.items.slice(3).map(({ type }) => type)).to.deep.equal(['sync', 'reset', 'init-data'])
    expect(resets).to.deep.equal([null])
  })

  it('are notified when the stream broke off before any event had an id', async () => {
    await stream.opened(1)
    await frames.count(2)
    expect((await again(2)).lastId).to.equal(undefined)
    await frames.until(({ type }) => type === 'reset')
    expect(resets).to.deep.equal([null])
  })

  it('are not notified when nothing was lost', async () => {
    ;(await stream.opened(1)).response.write(frame('data-update', null, 'a.1'))
    await frames.count(3)
    await again(2)
    await frames.count(5)
    expect(resets).to.deep.equal([])
  })
})
