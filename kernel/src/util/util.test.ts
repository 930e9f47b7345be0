import { expect } from 'chai'
import fc from 'fast-check'
import { TestClock } from '../testing.js'
import { backoff, FixedWindowLimiter, LruMap, omitUndefined, RingBuffer, SerialQueue, withTimeout } from './index.js'

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('did not reject'),
    (error: unknown) => error,
  )

describe('LruMap', () => {
  it('removes the entry that was used least recently', () => {
    const evicted: string[] = []
    const map = new LruMap<string, number>(2, (key) => evicted.push(key))
    map.set('a', 1).set('b', 2)
    map.get('a')
    map.set('c', 3)
    expect([...map.keys()]).to.deep.equal(['a', 'c'])
    expect(evicted).to.deep.equal(['b'])
  })

  it('does not count peek as use', () => {
    const map = new LruMap<string, number>(2)
    map.set('a', 1).set('b', 2)
    expect(map.peek('a')).to.equal(1)
    map.set('c', 3)
    expect(map.has('a')).to.equal(false)
  })

  it('creates a missing value once', () => {
    const map = new LruMap<string, number[]>(2)
    const first = map.getOrCreate('a', () => [])
    expect(map.getOrCreate('a', () => expect.fail('created twice'))).to.equal(first)
  })

  it('behaves like a list of recent keys for any operations', () => {
    const step = fc.record({
      kind: fc.constantFrom('get', 'set', 'delete', 'peek'),
      key: fc.integer({ min: 0, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(step), fc.integer({ min: 1, max: 4 }), (steps, capacity) => {
        const map = new LruMap<number, number>(capacity)
        let model: number[] = []
        for (const { kind, key } of steps) {
          const known = model.includes(key)
          if (kind === 'peek') expect(map.peek(key)).to.equal(known ? key : undefined)
          if (kind === 'get') expect(map.get(key)).to.equal(known ? key : undefined)
          if (kind === 'set') map.set(key, key)
          if (kind === 'delete') expect(map.delete(key)).to.equal(known)
          if (kind === 'set' || (kind === 'get' && known)) model = [...model.filter((one) => one !== key), key]
          if (kind === 'delete') model = model.filter((one) => one !== key)
          model = model.slice(-capacity)
          expect([...map.values()]).to.deep.equal(model)
        }
      }),
    )
  })
})

describe('RingBuffer', () => {
  it('keeps the newest items, like the end of a list, for any operations', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer())), fc.integer({ min: 1, max: 5 }), (items, capacity) => {
        const ring = new RingBuffer<number>(capacity)
        const model: number[] = []
        for (const item of items) {
          if (item === null) expect(ring.shift()).to.equal(model.shift())
          else {
            model.push(item)
            expect(ring.push(item)).to.equal(model.length > capacity ? model.shift() : undefined)
          }
          expect(ring.toArray()).to.deep.equal(model)
          expect([ring.size, ring.at(0), ring.at(-1), ring.at(capacity)]).to.deep.equal([
            model.length,
            model[0],
            model.at(-1),
            undefined,
          ])
        }
      }),
    )
  })
})

describe('SerialQueue', () => {
  it('runs jobs in order and goes on after a failure', async () => {
    const queue = new SerialQueue()
    const order: string[] = []
    const failing = queue.run(async () => {
      await Promise.resolve()
      order.push('first')
      throw new Error('broken')
    })
    const second = queue.run(() => order.push('second'))
    expect(((await failureOf(failing)) as Error).message).to.equal('broken')
    await second
    expect(order).to.deep.equal(['first', 'second'])
  })

  it('is idle when jobs that were added while waiting have ended', async () => {
    const queue = new SerialQueue()
    const order: string[] = []
    void queue.run(() => void queue.run(() => order.push('added')))
    await queue.idle()
    expect(order).to.deep.equal(['added'])
  })
})

describe('FixedWindowLimiter', () => {
  it('refuses calls over the limit until the window has passed', () => {
    const limiter = new FixedWindowLimiter()
    const limit = { count: 2, windowMs: 1_000 }
    expect([0, 10, 20].map((now) => limiter.take('a', limit, now))).to.deep.equal([0, 0, 980])
    expect(limiter.take('b', limit, 20)).to.equal(0)
    expect(limiter.take('a', limit, 1_000)).to.equal(0)
  })

  it('forgets the oldest window when there are too many keys', () => {
    const limiter = new FixedWindowLimiter(2)
    const limit = { count: 1, windowMs: 1_000 }
    for (const key of ['a', 'b', 'c']) limiter.take(key, limit, 0)
    expect(limiter.take('c', limit, 1)).to.equal(999)
    expect(limiter.take('a', limit, 1)).to.equal(0)
  })
})

describe('backoff', () => {
  it('doubles up to its bound', () => {
    expect([0, 1, 2, 3, 50].map((attempt) => backoff(attempt, { firstMs: 100, maxMs: 500 }))).to.deep.equal([
      100, 200, 400, 500, 500,
    ])
  })

  it('varies by its jitter in both directions', () => {
    const delay = (random: number): number =>
      backoff(0, { firstMs: 100, maxMs: 500, jitter: 0.2, random: () => random })
    expect([delay(0), delay(0.5), delay(1)].map(Math.round)).to.deep.equal([80, 100, 120])
  })
})

describe('withTimeout', () => {
  it('returns the result of work that ends in time and leaves no timer', async () => {
    const clock = new TestClock()
    expect(await withTimeout(clock, 1_000, () => 'done')).to.equal('done')
    expect(clock.pending).to.equal(0)
  })

  it('aborts the signal and rejects when the time is over, whatever the work does', async () => {
    const clock = new TestClock()
    let aborted = false
    const waiting = failureOf(
      withTimeout(clock, 1_000, (signal) => {
        signal.addEventListener('abort', () => (aborted = true))
        return new Promise(() => undefined)
      }),
    )
    await clock.advance(1_000)
    expect(await waiting).to.include({ code: 'timeout', message: 'timed out after 1000 ms' })
    expect(aborted).to.equal(true)
  })

  it('rejects with the reason of its parent signal', async () => {
    const clock = new TestClock()
    const parent = new AbortController()
    const waiting = failureOf(withTimeout(clock, 1_000, () => new Promise(() => undefined), { parent: parent.signal }))
    parent.abort('stopped')
    expect(await waiting).to.equal('stopped')
    expect(clock.pending).to.equal(0)
  })
})

describe('omitUndefined', () => {
  it('copies the other fields', () => {
    const value: { a: number; b?: string } = omitUndefined({ a: 1, b: undefined as string | undefined })
    expect(value).to.deep.equal({ a: 1 })
    expect(omitUndefined({ a: null, b: 0, c: '' })).to.deep.equal({ a: null, b: 0, c: '' })
  })
})
