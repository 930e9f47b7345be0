import { expect } from 'chai'
import { NetworkError } from '@mynah/sdk'
import type { Failure } from './failure.js'
import { hasInvalidatingEvent } from './invalidation.js'
import { ResourceCache } from './resource-cache.js'

interface Call {
  readonly signal: AbortSignal
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

class Bench {
  readonly calls: Call[] = []
  readonly timers: { run: () => void; ms: number; cleared: boolean }[] = []
  readonly stale: Failure[] = []
  readonly failures: string[] = []
  answers = 0
  visible = true
  now = 1000
  readonly resources = new ResourceCache({
    now: () => this.now,
    setTimer: (run, ms) => {
      const timer = { run, ms, cleared: false }
      this.timers.push(timer)
      return timer
    },
    clearTimer: (timer) => {
      if (timer) (timer as { cleared: boolean }).cleared = true
    },
    visible: () => this.visible,
    onFailure: (failure, stale) => {
      if (stale) this.stale.push(failure)
      this.failures.push(failure.kind)
    },
    onAnswer: () => {
      this.answers += 1
    },
  })

  readonly load = (signal: AbortSignal): Promise<unknown> =>
    new Promise((resolve, reject) => {
      this.calls.push({ signal, resolve, reject })
    })
  watch(key = 'GET /a', listener: () => void = () => undefined): () => void {
    return this.resources.watch(key, this.load, listener, key)
  }
  call(index: number): Call {
    const call = this.calls[index]
    if (!call) throw new Error(`There was no call ${index}`)
    return call
  }
}

const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

const notReady = { status: 503, code: 'not_ready', message: 'AI service is still starting' }

describe('ResourceCache', () => {
  it('does not report an answer for keys that the host does not serve', async () => {
    const bench = new Bench()
    const ends = [bench.watch('absent GET /a'), bench.watch('GET /b')]
    bench.call(0).resolve(undefined)
    await settled()
    expect(bench.answers).to.equal(0)
    bench.call(1).resolve('said')
    await settled()
    expect(bench.answers).to.equal(1)
    for (const end of ends) end()
  })

  it('keeps prefilled data until the key is loaded', async () => {
    const bench = new Bench()
    bench.resources.prefill('GET /a', 'brought')
    const end = bench.watch()
    expect(bench.resources.read('GET /a')).to.deep.equal({
      data: 'brought',
      loading: false,
      stale: false,
      updatedAt: 1000,
    })
    expect(bench.calls).to.have.length(0)
    bench.resources.invalidate()
    bench.call(0).resolve('asked')
    await settled()
    bench.resources.prefill('GET /a', 'brought again')
    expect(bench.resources.read('GET /a').data).to.equal('asked')
    end()
  })

  it('distinguishes failures of network, host and page, and reports each answer', async () => {
    const bench = new Bench()
    for (const key of ['a', 'b', 'c', 'd']) bench.watch(key)
    bench.call(0).reject(new NetworkError('unreachable', 'gone'))
    bench.call(1).reject({ status: 500, message: 'broken' })
    bench.call(2).reject(new TypeError('x is not a function'))
    bench.call(3).resolve(1)
    await settled()
    expect(bench.failures).to.deep.equal(['network', 'host', 'host'])
    expect(bench.answers).to.equal(3)
  })

  it('loads once for all watchers and notifies each', async () => {
    const bench = new Bench()
    let told = 0
    bench.watch('GET /a', () => {
      told += 1
    })
    bench.watch('GET /a', () => {
      told += 1
    })
    expect(bench.calls).to.have.length(1)
    bench.call(0).resolve([1])
    await settled()
    expect(bench.resources.read('GET /a')).to.deep.equal({ data: [1], loading: false, stale: false, updatedAt: 1000 })
    expect(told).to.be.greaterThan(1)
  })

  it('keeps the data while it loads again, and aborts the load before', async () => {
    const bench = new Bench()
    bench.watch()
    bench.call(0).resolve('old')
    await settled()
    bench.resources.reload('GET /a')
    bench.resources.reload('GET /a')
    expect(bench.call(1).signal.aborted).to.equal(true)
    expect(bench.resources.read('GET /a')).to.include({ data: 'old', loading: true })
    bench.call(1).resolve('late')
    bench.call(2).resolve('new')
    await settled()
    expect(bench.resources.read('GET /a')).to.include({ data: 'new', loading: false })
  })

  it('keeps unchanged parts of the data, so that components do not render again', async () => {
    const bench = new Bench()
    bench.watch()
    const rows = [
      { id: 1, tags: ['a', 'b'], at: null },
      { id: 2, tags: [], more: { deep: true } },
    ]
    const read = (): unknown[] => bench.resources.read<unknown[]>('GET /a').data as unknown[]
    const answers = async (index: number, data: unknown): Promise<void> => {
      bench.resources.reload('GET /a')
      bench.call(index).resolve(structuredClone(data))
      await settled()
    }
    bench.call(0).resolve(rows)
    await settled()
    await answers(1, rows)
    expect(read()).to.equal(rows)

    const changed = [rows[0], { id: 2, tags: [], more: { deep: false } }, { id: 3 }]
    await answers(2, changed)
    expect(read()).to.deep.equal(changed)
    expect(read()).not.to.equal(rows)
    expect(read()[0]).to.equal(rows[0])
    expect(read()[1]).not.to.equal(rows[1])

    // Distinguish removed, undefined and differently typed values.
    await answers(3, [{ id: 1, tags: ['a', 'b'] }])
    expect(read()).to.deep.equal([{ id: 1, tags: ['a', 'b'] }])
    await answers(4, { 0: { id: 1, tags: ['a', 'b'] } })
    expect(read()).to.deep.equal({ 0: { id: 1, tags: ['a', 'b'] } })
    await answers(5, JSON.parse('{ "__proto__": { "id": 2 } }'))
    expect(JSON.stringify(read())).to.equal('{"__proto__":{"id":2}}')
    await answers(6, {})
    expect(JSON.stringify(read())).to.equal('{}')
  })

  it('keeps the data of a failed reload, marks it stale and says why', async () => {
    const bench = new Bench()
    bench.watch()
    bench.call(0).resolve('kept')
    await settled()
    bench.resources.reload('GET /a')
    bench.call(1).reject({ status: 500, message: 'The host failed' })
    await settled()
    expect(bench.resources.read('GET /a')).to.deep.include({
      data: 'kept',
      stale: true,
      failure: { kind: 'host', text: 'The host failed', status: 500, call: 'GET /a' },
    })
    expect(bench.stale.map((failure) => failure.text)).to.deep.equal(['The host failed'])
  })

  it('retries with backoff up to 30 s while the host is not ready', async () => {
    const bench = new Bench()
    bench.watch()
    for (let round = 0; round < 6; round += 1) {
      bench.call(round).reject(notReady)
      await settled()
      bench.timers[round]?.run()
    }
    expect(bench.timers.map((timer) => timer.ms)).to.deep.equal([2000, 4000, 8000, 16_000, 30_000, 30_000])
    expect(bench.stale).to.deep.equal([])
    bench.call(6).resolve('ready')
    await settled()
    expect(bench.resources.read('GET /a')).to.include({ data: 'ready', stale: false })
  })

  it('waits for the retry time of the host', async () => {
    const bench = new Bench()
    bench.watch()
    bench.call(0).reject({ ...notReady, retryAfter: 7 })
    await settled()
    expect(bench.timers.map((timer) => timer.ms)).to.deep.equal([7000])
  })

  it('retries after a failure of network or host until something is shown, and not after a refusal', async () => {
    for (const failure of [new NetworkError('unreachable', 'gone'), { status: 500, message: 'broken' }]) {
      const bench = new Bench()
      bench.watch()
      bench.call(0).reject(failure)
      await settled()
      expect(bench.resources.read<unknown>('GET /a').failure, 'it is shown meanwhile').not.to.equal(undefined)
      bench.timers[0]?.run()
      bench.call(1).resolve('said')
      await settled()
      expect(bench.resources.read('GET /a')).to.include({ data: 'said' })
      bench.resources.reload('GET /a')
      bench.call(2).reject(failure)
      await settled()
      expect(bench.timers).to.have.length(1)
    }
    for (const failure of [{ status: 403, message: 'no' }, { status: 404, message: 'gone' }, new TypeError('x')]) {
      const bench = new Bench()
      bench.watch()
      bench.call(0).reject(failure)
      await settled()
      expect(bench.timers).to.have.length(0)
    }
  })

  it('retries where the host limits the rate of calls', async () => {
    const bench = new Bench()
    bench.watch()
    bench.call(0).reject({ status: 429, code: 'rate_limited', message: 'slower', retryAfter: 3 })
    await settled()
    expect(bench.timers.map(({ ms }) => ms)).to.deep.equal([3000])
  })

  it('stops a load and a retry without watchers', async () => {
    const bench = new Bench()
    const end = bench.watch()
    end()
    expect(bench.call(0).signal.aborted).to.equal(true)
    const again = bench.watch()
    bench.call(1).reject(notReady)
    await settled()
    again()
    expect(bench.timers[0]?.cleared).to.equal(true)
  })

  it('reloads watched keys and marks the rest stale', async () => {
    const bench = new Bench()
    bench.watch('GET /a')
    const end = bench.watch('GET /b')
    bench.call(0).resolve('a')
    bench.call(1).resolve('b')
    await settled()
    end()
    bench.resources.invalidate()
    expect(bench.calls).to.have.length(3)
    expect(bench.resources.read('GET /b')).to.include({ data: 'b', stale: true, loading: false })
    bench.watch('GET /b')
    expect(bench.calls).to.have.length(4)
  })

  it('shows cached data and reloads it for keys without an invalidating event', async () => {
    const bench = new Bench()
    const leave = bench.watch('db:select notes')
    bench.call(0).resolve([1])
    await settled()
    bench.resources.markStale('db:select notes')
    expect(bench.resources.read('db:select notes').stale, 'while a page shows it').to.equal(false)
    leave()
    bench.resources.markStale('db:select notes')
    bench.watch('db:select notes')
    expect(bench.resources.read('db:select notes').data).to.deep.equal([1])
    expect(bench.calls).to.have.length(2)
    expect([
      hasInvalidatingEvent('db:select notes'),
      hasInvalidatingEvent('endpoint:list'),
      hasInvalidatingEvent('GET /introspection/tools {}'),
    ]).to.deep.equal([false, true, true])
  })

  it('pauses while the tab is hidden and catches up afterwards', async () => {
    const bench = new Bench()
    bench.watch()
    bench.call(0).resolve('a')
    await settled()
    bench.visible = false
    bench.resources.invalidate()
    bench.resources.invalidate()
    expect(bench.calls).to.have.length(1)
    bench.visible = true
    bench.resources.refreshStale()
    expect(bench.calls).to.have.length(2)
  })

  it('patches data in place and forgets everything for another host', async () => {
    const bench = new Bench()
    bench.watch()
    bench.call(0).resolve([1])
    await settled()
    bench.resources.patch<number[]>('GET /a', (data) => [...data, 2])
    expect(bench.resources.read('GET /a').data).to.deep.equal([1, 2])
    bench.resources.clear()
    expect(bench.resources.read('GET /a').data).to.equal(undefined)
  })

  it('accepts answers of any depth, and keeps the object of an equal one', async () => {
    const deep = (): unknown => JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    for (const [first, second, isSame] of [
      [deep(), deep(), false],
      [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
      [JSON.parse('{"__proto__":{"a":1}}'), {}, false],
    ] as const) {
      const bench = new Bench()
      bench.watch()
      bench.call(0).resolve(first)
      await settled()
      bench.resources.reload('GET /a')
      bench.call(1).resolve(second)
      await settled()
      const { data, loading, stale } = bench.resources.read('GET /a')
      expect({ isSame: data === first, loading, stale }).to.deep.equal({ isSame, loading: false, stale: false })
    }
  })
})
