import { expect } from 'chai'
import { flush, TestClock } from '@mynah/kernel/testing'
import { logPlugin, say, SharedLog, startStream, StreamClient, until, type Running } from '../test/support.js'

const event = (n: number) => ({ type: 'count', json: String(n), timestamp: 1 })
const resets = (client: StreamClient): number =>
  client.of('sync').filter((data) => (data as { reset?: boolean }).reset).length

describe('events that others commit to the log', () => {
  const hosts: Running[] = []
  const start = async (...args: Parameters<typeof startStream>): Promise<Running> => {
    const running = await startStream(...args)
    hosts.push(running)
    return running
  }
  const open = async (running: Running, lastId?: string): Promise<StreamClient> =>
    (await StreamClient.open(running.origin, { lastId })).until(
      (client) => client.of('init-data').length >= 1,
      'it is open',
    )
  afterEach(async () => {
    for (const { host } of hosts.splice(0)) await host.stop()
  })

  it('reach clients between published events, with the ids of the log', async () => {
    const log = new SharedLog('durable')
    const running = await start([{ plugin: logPlugin(log) }])
    const client = await open(running)
    for (let n = 1; n <= 300; n++) {
      if (n % 3) say(running.host, 'count', n)
      else log.commit([event(n)])
      if (n % 7 === 0) await flush()
    }
    await client.until((c) => c.of('count').length === 300, 'all events came')
    expect([...client.of('count')].sort((a, b) => (a as number) - (b as number))).to.deep.equal(
      Array.from({ length: 300 }, (_, index) => index + 1),
    )
    const ids = client.frames.flatMap(({ id }) => (id === undefined ? [] : [id]))
    expect(ids).to.deep.equal(ids.map((_, index) => `durable.${Number(ids[0]?.split('.')[1]) + index}`))
    expect(client.of('count')).to.deep.equal(
      log.events.filter(({ type }) => type === 'count').map(({ json }) => JSON.parse(json) as unknown),
    )
  })

  it('are resumed like others', async () => {
    const log = new SharedLog('durable')
    const running = await start([{ plugin: logPlugin(log) }])
    const client = await open(running)
    log.commit([event(1), event(2)])
    await client.until((c) => c.of('count').length === 2, 'both came')
    client.close()
    log.commit([event(3)])
    const back = await open(running, client.frames.find(({ data }) => data === 1)?.id)
    log.commit([event(4)])
    await back.until((c) => c.of('count').length === 3, 'what it missed came')
    expect([back.of('count'), resets(back)]).to.deep.equal([[2, 3, 4], 0])
  })

  it('come once where the log had them before their commit had an answer', async () => {
    const log = new SharedLog('durable')
    log.commit([event(1), event(2)])
    const running = await start([{ plugin: logPlugin(log) }])
    const client = await open(running, 'durable.1')
    await client.until((c) => c.of('count').length === 1, 'it came')
    log.announce(log.events.slice(1, 2))
    log.commit([event(3)])
    await client.until((c) => c.of('count').includes(3), 'the next one came')
    expect([client.of('count'), resets(client)]).to.deep.equal([[2, 3], 0])
  })

  it('reach a client that connected while the log was opening', async () => {
    class SlowLog extends SharedLog {
      answer = (): void => {}
      override async bounds(): Promise<{ before: number; head: number }> {
        const bounds = await super.bounds()
        await new Promise<void>((resolve) => {
          this.answer = resolve
        })
        return bounds
      }
    }
    const log = new SlowLog('durable')
    log.commit([event(1)])
    const running = await start([{ plugin: logPlugin(log) }])
    const client = await open(running)
    log.commit([event(2)])
    log.answer()
    log.commit([event(3)])
    await client.until((c) => c.of('count').length === 2, 'both came')
    expect([client.of('count'), resets(client)]).to.deep.equal([[2, 3], 0])
  })

  it('make clients start again after a commit that was not delivered', async () => {
    const log = new SharedLog('durable')
    const running = await start([{ plugin: logPlugin(log) }])
    const client = await open(running)
    log.commit([event(1)])
    await client.until((c) => c.of('count').length === 1, 'the first came')
    log.events.push({ id: log.events.length + 1, ...event(2) })
    log.commit([event(3)])
    await client.until((c) => c.of('count').length === 2, 'the last came')
    expect([client.of('count'), resets(client)]).to.deep.equal([[1, 3], 1])
    const back = await open(running, client.frames.find(({ data }) => data === 1)?.id)
    await back.until((c) => c.of('count').length === 2, 'unsent events are in the log')
    expect([back.of('count'), resets(back)]).to.deep.equal([[2, 3], 0])
  })

  it('reach clients while the log rejects appends, and are not appended again', async () => {
    const clock = new TestClock()
    const log = new SharedLog('durable')
    const running = await start([{ plugin: logPlugin(log) }], { clock })
    await clock.advance(3_000)
    const client = await open(running)
    log.failure = new Error('refused')
    say(running.host, 'count', 1)
    await client.until((c) => c.of('count').length === 1, 'the event came from memory')
    log.commit([event(2)])
    await client.until((c) => c.of('count').length === 2, 'what others commit came, too')
    expect(client.lastId).to.not.match(/^durable\./)
    await clock.advance(30_000)
    await until(
      () => running.host.inspect().find(({ name }) => name === 'events')?.state === 'active',
      'the log is in use again',
    )
    say(running.host, 'count', 3)
    await client.until((c) => c.of('count').length === 3, 'the next event came')
    expect(client.of('count')).to.deep.equal([1, 2, 3])
    expect(log.events.filter(({ type }) => type === 'count').map(({ json }) => json)).to.deep.equal(['2', '1', '3'])
  })

  it('are in the log when the host has stopped, with all published events', async () => {
    const log = new SharedLog('durable')
    const running = await start([{ plugin: logPlugin(log) }])
    const client = await open(running)
    say(running.host, 'count', 0)
    await client.until((c) => c.of('count').length === 1, 'the first came')
    for (let n = 1; n <= 1_200; n++) say(running.host, 'count', n)
    log.commit([event(-1)])
    await running.host.stop()
    const second = await start([{ plugin: logPlugin(log) }])
    const back = await open(second, client.frames.find(({ data }) => data === 0)?.id)
    await back.until((c) => c.of('count').length === 1_201, 'all came')
    expect(back.of('count').filter((n) => (n as number) > 0)).to.deep.equal(
      Array.from({ length: 1_200 }, (_, index) => index + 1),
    )
    expect(resets(back)).to.equal(0)
  })

  it('have no listener after the stream or the log has stopped', async () => {
    const log = new SharedLog('durable')
    const running = await start([{ plugin: logPlugin(log) }])
    expect(log.listeners).to.equal(1)
    await running.host.enable('event-log', false)
    await until(() => log.listeners === 0, 'the append was answered, and there is no listener')
    await running.host.enable('event-log', true)
    await until(() => log.listeners === 1, 'there is a listener again')
    await running.host.enable('events', false)
    expect(log.listeners).to.equal(0)
  })
})
