import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import type { Logger } from '@mynah/kernel'
import { TestClock } from '@mynah/kernel/testing'
import { retrying } from './retrying.js'

const unavailable = new WireError('not_ready', 'The database is not available')

/** Runs work that fails with these errors, one after the other, and returns how often it has run. */
async function timesRun(errors: Error[]) {
  const clock = new TestClock()
  const warnings: string[] = []
  const log = { warn: (text: string) => warnings.push(text) } as unknown as Logger
  let times = 0
  const work = retrying({ clock, log }, 'recover pending requests', async () => {
    const error = errors[times++]
    if (error) throw error
  })
  await work()
  await clock.advance(60_000)
  return { times, warnings }
}

describe('retrying', () => {
  it('repeats work until the store is available', async () => {
    const { times, warnings } = await timesRun([unavailable, unavailable])
    expect(times).to.equal(3)
    expect(warnings).to.deep.equal(
      Array(2).fill('failed to recover pending requests: The database is not available') as string[],
    )
  })

  it('does not repeat work that fails for another reason', async () => {
    expect((await timesRun([new Error('no such table')])).times).to.equal(1)
  })
})
