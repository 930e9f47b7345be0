import { expect } from 'chai'
import { TestClock, flush } from '@mynah/kernel/testing'
import { toRow, type LogRow } from './record.js'
import { MemoryLogs, type LogStore } from './store.js'
import { LogWriter } from './writer.js'

const row = (message: string): LogRow => toRow({ time: 1_790_000_000_000, level: 'info', name: 'test', message })

/** A store that counts its entries and fails on request. */
class Counting extends MemoryLogs implements LogStore {
  readonly batches: number[] = []
  failing = false
  onFailure = (): void => {}

  override async append(rows: readonly LogRow[]): Promise<void> {
    this.batches.push(rows.length)
    await flush()
    if (this.failing) {
      this.onFailure()
      throw new Error('the disk is full')
    }
    return super.append(rows)
  }
}

describe('LogWriter', () => {
  const clock = new TestClock()
  const messages = async (store: LogStore) =>
    (await store.list({ limit: 10_000 })).map(({ message }) => message).reverse()

  it('collects lines for half a second', async () => {
    const store = new Counting()
    const writer = new LogWriter(
      clock,
      () => store,
      () => {},
    )
    for (let index = 0; index < 30; index++) writer.add(row(`${index}`))
    await clock.advance(499)
    expect(store.batches).to.deep.equal([])
    await clock.advance(1)
    expect(store.batches).to.deep.equal([30])
  })

  it('writes a full batch at once, and a flush waits for all earlier lines', async () => {
    const store = new Counting()
    const writer = new LogWriter(
      clock,
      () => store,
      () => {},
    )
    for (let index = 0; index < 450; index++) writer.add(row(`${index}`))
    await Promise.all([writer.flush(), writer.flush(), writer.flush()])
    expect(await messages(store)).to.deep.equal(Array.from({ length: 450 }, (_, index) => `${index}`))
    expect(store.batches[0]).to.equal(200)
    writer.add(row('last'))
    await Promise.all([
      writer.flush(),
      writer.flush().then(async () => expect(await messages(store)).to.include('last')),
    ])
  })

  it('keeps lines in order while the store is unavailable and drops the oldest first', async () => {
    const store = new MemoryLogs()
    let there = false
    const writer = new LogWriter(
      clock,
      () => (there ? store : undefined),
      () => {},
    )
    for (let index = 0; index < 10_050; index++) writer.add(row(`${index}`))
    await writer.flush()
    there = true
    await writer.flush()
    expect((await messages(store)).at(-1)).to.equal('10049')
    expect((await store.stats({})).total).to.be.at.most(10_000)
  })

  it('retries after a delay, not with each new line', async () => {
    const store = new Counting()
    const outcomes: unknown[] = []
    const writer = new LogWriter(
      clock,
      () => store,
      (error) => outcomes.push(error),
    )
    store.failing = true
    store.onFailure = () => {
      for (let index = 0; index < 300; index++) writer.add(row('it failed'))
    }
    writer.add(row('first'))
    await writer.flush()
    for (let index = 0; index < 100; index++) await flush()
    expect(store.batches).to.have.length(1)
    store.failing = false
    await clock.advance(2_000)
    expect((await messages(store))[0]).to.equal('first')
    expect((await store.stats({})).total).to.equal(301)
    expect(outcomes.map((error) => (error === undefined ? 'stored' : (error as Error).message))).to.deep.equal([
      'the disk is full',
      'stored',
    ])
  })
})
