import { expect } from 'chai'
import { getEventListeners } from 'node:events'
import { TestClock } from '../testing.js'
import { pause, retryWhile } from './index.js'

const PAUSES = { firstMs: 100, maxMs: 300 }

describe('retryWhile', () => {
  it('repeats a call with growing pauses, and leaves no listener on the signal', async () => {
    const clock = new TestClock()
    const { signal } = new AbortController()
    let calls = 0
    const result = retryWhile(
      () => true,
      async () => {
        if (++calls < 5) throw new Error('busy')
        return calls
      },
      { ...PAUSES, clock, signal },
    )
    const seen: number[] = []
    for (const ms of [99, 1, 200, 300, 300]) {
      await clock.advance(ms)
      seen.push(calls)
    }
    expect(seen).to.deep.equal([1, 2, 3, 4, 5])
    expect(await result).to.equal(5)
    expect(getEventListeners(signal, 'abort')).to.deep.equal([])
  })

  it('throws what does not pass, and the last error when the signal aborts', async () => {
    const clock = new TestClock()
    const stop = new AbortController()
    const failing = (message: string) => () => Promise.reject(new Error(message))
    const isBusy = (error: unknown): boolean => (error as Error).message === 'busy'
    const messageOf = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'none',
        (error: Error) => error.message,
      )
    const { signal } = stop
    expect(await messageOf(retryWhile(isBusy, failing('broken'), { ...PAUSES, clock, signal }))).to.equal('broken')
    const waiting = messageOf(retryWhile(isBusy, failing('busy'), { ...PAUSES, clock, signal }))
    await clock.advance(50)
    stop.abort()
    expect(await waiting).to.equal('busy')
  })
})

describe('pause', () => {
  it('ends with its time or with the signal, and leaves neither timer nor listener', async () => {
    const clock = new TestClock()
    const stop = new AbortController()
    const ended: string[] = []
    const first = pause(100, clock, stop.signal).then(() => ended.push('time'))
    await clock.advance(100)
    await first
    const second = pause(100, clock, stop.signal).then(() => ended.push('signal'))
    stop.abort()
    await second
    await pause(100, clock, stop.signal)
    expect(ended).to.deep.equal(['time', 'signal'])
    expect(getEventListeners(stop.signal, 'abort')).to.deep.equal([])
    expect(clock.pending).to.equal(0)
  })
})
