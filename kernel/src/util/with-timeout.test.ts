import { expect } from 'chai'
import { TestClock } from '../testing.js'
import { withTimeout } from './with-timeout.js'

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('did not reject'),
    (error: unknown) => error,
  )

describe('withTimeout', () => {
  it('returns the result of work that ends in time and leaves no timer', async () => {
    const clock = new TestClock()
    expect(await withTimeout(clock, 1_000, () => 'done')).to.equal('done')
    expect(clock.pending).to.equal(0)
  })

  it('aborts the signal and rejects after the timeout, although the work continues', async () => {
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
