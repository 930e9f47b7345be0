import { expect } from 'chai'
import { definePlugin, hook } from '@mynah/kernel'
import { flush, TestClock } from '@mynah/kernel/testing'
import { Http, type HttpHost } from '@mynah/plugin-http-core/api'
import { EventLog, EventStream } from '../api.js'
import {
  logPlugin,
  say,
  SharedLog,
  startingStream,
  startStream,
  StreamClient,
  until,
  type Running,
} from '../test/support.js'

const databaseChanged = hook<{ readonly available: boolean }>('database.changed')

const open = async (running: Running, lastId?: string): Promise<StreamClient> => {
  const client = await StreamClient.open(running.origin, { lastId })
  return client.until((c) => c.of('init-data').length >= 1, 'it is open')
}
const resets = (client: StreamClient): number =>
  client.of('sync').filter((data) => (data as { reset?: boolean }).reset).length
const counting = (log: SharedLog): unknown[] =>
  log.events.filter(({ type }) => type === 'count').map(({ json }) => JSON.parse(json) as unknown)
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('event stream with a log', () => {
  const hosts: Running[] = []
  const start = async (...args: Parameters<typeof startStream>): Promise<Running> => {
    const running = await startStream(...args)
    hosts.push(running)
    return running
  }
  afterEach(async () => {
    for (const { host } of hosts.splice(0)) await host.stop()
  })

  it('uses the ids of the log in the order of commits, one append at a time', async () => {
    const log = new SharedLog('durable')
    const running = await start([{ plugin: logPlugin(log) }])
    const client = await open(running)
    for (let n = 1; n <= 2_000; n++) {
      say(running.host, 'count', n)
      if (n % 97 === 0) await flush()
    }
    await client.until((c) => c.of('count').length === 2_000, 'all events came')
    expect(client.of('count')).to.deep.equal(range(1, 2_000))
    expect(log.atOnce).to.equal(1)
    expect(log.batches).to.be.lessThan(200)
    const byId = new Map(log.events.map(({ id, json }) => [`durable.${id}`, JSON.parse(json) as unknown]))
    for (const { id, data } of client.frames.filter(({ type }) => type === 'count'))
      expect(byId.get(id as string)).to.equal(data)
    client.close()
  })

  it('resumes a client from far back with another host on the same log', async () => {
    const log = new SharedLog('durable')
    const first = await start([{ plugin: logPlugin(log) }])
    const client = await open(first)
    say(first.host, 'count', 1)
    await client.until((c) => c.of('count').length === 1, 'the first event came')
    for (let n = 2; n <= 3_000; n++) say(first.host, 'count', n)
    await until(() => counting(log).length === 3_000, 'all events are stored')
    await first.host.stop()
    const lastId = client.frames.find(({ type }) => type === 'count')?.id

    const second = await start([{ plugin: logPlugin(log) }])
    say(second.host, 'count', 3_001)
    const back = await open(second, lastId)
    await back.until((c) => c.of('count').length >= 3_000, 'it has caught up')
    expect(back.of('count')).to.deep.equal(range(2, 3_001))
    expect(resets(back)).to.equal(0)

    log.trimmed = 2_000
    const late = await open(second, lastId)
    expect(resets(late)).to.equal(1)
    back.close()
    late.close()
  })

  it('lets a client wait while the log is opening', async () => {
    const log = new SharedLog('durable')
    await log.append([
      { type: 'count', json: '1', timestamp: 1 },
      { type: 'count', json: '2', timestamp: 1 },
    ])
    let opened = (): void => {}
    const opening = new Promise<void>((resolve) => {
      opened = resolve
    })
    const slow = definePlugin({
      name: 'event-log',
      provides: [EventLog],
      async setup(ctx) {
        await opening
        ctx.provide(EventLog, log)
      },
    })
    // Started in one go, as a host is: the server and the stream are up before the log.
    const { host, started } = startingStream([{ plugin: slow }])
    await until(
      () => host.get(Http) !== undefined && host.get(EventStream) !== undefined,
      'the server and the stream are up',
    )
    const running = { host, origin: (host.get(Http) as HttpHost).origin, log: [] }
    hosts.push(running)
    say(host, 'count', 3)
    const client = await StreamClient.open(running.origin, { lastId: 'durable.1' })
    await flush()
    expect(client.frames).to.deep.equal([])
    opened()
    await started
    await client.until((c) => c.of('count').length === 2, 'it has caught up')
    expect(client.of('count')).to.deep.equal([2, 3])
    expect(resets(client)).to.equal(0)
    client.close()
  })

  it('continues in memory when the log stops, and returns to it without losing events', async () => {
    const log = new SharedLog('durable')
    const running = await start([{ plugin: logPlugin(log) }])
    const client = await open(running)
    const away = await open(running)
    say(running.host, 'count', 1)
    await away.until((c) => c.of('count').length === 1, 'the first event came')
    const lastId = away.frames.find(({ type }) => type === 'count')?.id
    away.close()
    await running.host.enable('event-log', false)
    await client.until((c) => resets(c) === 1, 'it got a reset for the new ids')
    say(running.host, 'count', 2)
    await client.until((c) => c.of('count').length === 2, 'the event came without the log')
    expect(client.lastId).to.not.match(/^durable\./)

    await running.host.enable('event-log', true)
    await client.until((c) => resets(c) === 2, 'it got a reset for the old ids')
    say(running.host, 'count', 3)
    await client.until((c) => c.of('count').length === 3, 'the event came with the log')
    expect(client.of('count')).to.deep.equal([1, 2, 3])
    expect(client.lastId).to.match(/^durable\./)

    const back = await open(running, lastId)
    await back.until((c) => c.of('count').length === 2, 'the disconnected client has the missed event')
    expect(back.of('count')).to.deep.equal([2, 3])
    expect(resets(back)).to.equal(0)
    client.close()
    back.close()
  })

  it('degrades and retries when the log rejects an append', async () => {
    const clock = new TestClock()
    const log = new SharedLog('durable')
    const running = await start([{ plugin: logPlugin(log) }], { clock })
    await clock.advance(3_000)
    const client = await open(running)
    log.failure = new Error('disk full')
    say(running.host, 'count', 1)
    await client.until((c) => c.of('count').length === 1, 'the event came anyway')
    expect(resets(client)).to.equal(1)
    const state = (): string | undefined => running.host.inspect().find(({ name }) => name === 'events')?.state
    expect(state()).to.equal('degraded')
    expect(running.log.some(({ message }) => message.includes('disk full'))).to.equal(true)
    await clock.advance(30_000)
    await until(() => state() === 'active', 'the log is in use again')
    say(running.host, 'count', 2)
    await client.until((c) => c.of('count').length === 2, 'the next event came')
    expect(client.lastId).to.match(/^durable\./)
    expect(counting(log)).to.deep.equal([1, 2])
    client.close()
  })

  it('returns to the log as soon as the database is available again', async () => {
    const clock = new TestClock()
    const log = new SharedLog('durable')
    const running = await start([{ plugin: logPlugin(log) }], { clock })
    await clock.advance(3_000)
    log.failure = new Error('disk full')
    say(running.host, 'count', 1)
    const state = (): string | undefined => running.host.inspect().find(({ name }) => name === 'events')?.state
    await until(() => state() === 'degraded', 'the failure')
    running.host.emit(databaseChanged, { available: true })
    await until(() => state() === 'active', 'the log is in use again')
  })

  it('waits at most five seconds for a log that does not answer', async () => {
    const clock = new TestClock()
    class MuteLog extends SharedLog {
      override bounds(): Promise<never> {
        return new Promise(() => {})
      }
    }
    const running = await start([{ plugin: logPlugin(new MuteLog('mute')) }], { clock })
    const client = await open(running)
    say(running.host, 'count', 1)
    await clock.advance(4_999)
    expect(client.of('count')).to.deep.equal([])
    await clock.advance(1)
    await client.until((c) => c.of('count').length === 1, 'the event came without the log')
    expect(running.host.inspect().find(({ name }) => name === 'events')).to.deep.include({
      state: 'degraded',
      reasons: ['the event log failed; events are kept in memory'],
    })
    client.close()
  })
})
