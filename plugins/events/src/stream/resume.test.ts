import { expect } from 'chai'
import { random, say, startStream, StreamClient, until, type Running } from '../test/support.js'

describe('reconnecting client', () => {
  let running: Running
  beforeEach(async () => {
    running = await startStream()
  })
  afterEach(() => running.host.stop())

  async function seen(count: number): Promise<{ ids: string[] }> {
    const client = await StreamClient.open(running.origin)
    await client.until((c) => c.of('init-data').length === 1, 'it is open')
    for (let n = 1; n <= count; n++) say(running.host, 'count', n)
    await client.until((c) => c.of('count').length === count, 'all events came')
    client.close()
    return { ids: client.frames.filter(({ type }) => type === 'count').map(({ id }) => id as string) }
  }

  const counts = async (options: {
    lastId?: string
    query?: string
  }): Promise<{ reset: boolean; counts: unknown[] }> => {
    const client = await StreamClient.open(running.origin, options)
    await client.until((c) => c.of('init-data').length === 1, 'it is open')
    say(running.host, 'last', null)
    await client.until((c) => c.of('last').length === 1, 'the last event came')
    client.close()
    expect(client.frames.map(({ type }) => type).slice(0, 2)).to.deep.equal(['sync', 'init-data'])
    return { reset: (client.of('sync')[0] as { reset?: boolean }).reset === true, counts: client.of('count') }
  }

  it('receives the events after the id in the header', async () => {
    const { ids } = await seen(5)
    expect(await counts({ lastId: ids[2] as string })).to.deep.equal({ reset: false, counts: [4, 5] })
  })

  it('receives the events after the id in the query', async () => {
    const { ids } = await seen(5)
    expect(await counts({ query: `?lastEventId=${ids[3]}` })).to.deep.equal({ reset: false, counts: [5] })
  })

  it('resumes by the header before the query', async () => {
    const { ids } = await seen(5)
    expect(await counts({ lastId: ids[4] as string, query: `?lastEventId=${ids[0]}` })).to.deep.equal({
      reset: false,
      counts: [],
    })
  })

  it('starts again if its id is unknown', async () => {
    const { ids } = await seen(3)
    const [epoch] = (ids[0] as string).split('.')
    for (const lastId of [
      'other.1',
      `${epoch}.999999`,
      `${epoch}.-1`,
      `${epoch}.1e3`,
      'nonsense',
      '.',
      `${epoch}.`,
      'x'.repeat(120),
    ]) {
      expect(await counts({ lastId }), lastId).to.deep.equal({ reset: true, counts: [] })
    }
    expect(await counts({ query: `?lastEventId=${'x'.repeat(200)}` })).to.deep.equal({ reset: true, counts: [] })
  })

  it('starts again only if its events are no longer held', async () => {
    const { ids } = await seen(1)
    for (let n = 2; n <= 1_001; n++) say(running.host, 'count', n)
    const held = await StreamClient.open(running.origin, { lastId: ids[0] as string })
    await held.until((c) => c.of('count').length === 1_000, 'a thousand events came')
    expect(held.of('count')).to.deep.equal(Array.from({ length: 1_000 }, (_, index) => index + 2))
    held.close()
    for (let n = 0; n < 1_000; n++) say(running.host, 'count', n)
    expect(await counts({ lastId: ids[0] as string })).to.deep.equal({ reset: true, counts: [] })
  })

  it('misses and repeats no event when eight clients disconnect at any time', async function () {
    this.timeout(30_000)
    const total = 4_000
    let published = 0
    const chance = random(7)
    const publishing = (async () => {
      while (published < total) {
        for (let burst = Math.ceil(chance() * 25); burst > 0 && published < total; burst--)
          say(running.host, 'count', ++published)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    const follow = async (seed: number): Promise<unknown[]> => {
      const next = random(seed)
      const got: unknown[] = []
      let lastId: string | undefined
      let broken = 0
      while (got.at(-1) !== total) {
        const client = await StreamClient.open(running.origin, { lastId })
        const patience = 1 + Math.floor(next() * 400)
        await until(() => client.frames.length >= patience || client.of('count').at(-1) === total, 'it has seen enough')
        client.close()
        if (lastId !== undefined)
          expect((client.of('sync')[0] as { reset?: boolean } | undefined)?.reset).to.equal(undefined)
        got.push(...client.of('count'))
        lastId = client.lastId ?? lastId
        broken++
      }
      expect(broken).to.be.greaterThan(1)
      return got
    }
    const all = await Promise.all(Array.from({ length: 8 }, (_, index) => follow(100 + index)))
    await publishing
    for (const got of all) {
      const first = got[0] as number
      expect(got).to.deep.equal(Array.from({ length: total - first + 1 }, (_, index) => first + index))
    }
  })
})
