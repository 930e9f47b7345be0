import { expect } from 'chai'
import { EventLog, type LoggedEvent } from '@mynah/plugin-events/api'
import { openEventLog } from './event-log.js'
import { onEverySystem } from './testing/fixture.js'
import { run } from './test/host.js'

const events = (...types: string[]) =>
  types.map((type, index) => ({ type, json: `{"index":${index}}`, timestamp: 1_700_000_000_000 + index }))

onEverySystem('event log', (open) => {
  it('assigns ids in the order of concurrent commits', async () => {
    const { store } = await open()
    const log = openEventLog(store)
    expect(await log.bounds()).to.deep.equal({ before: 0, head: 0 })
    const told: LoggedEvent[] = []
    log.listen((committed) => told.push(...committed))
    await Promise.all(Array.from({ length: 40 }, (_, index) => log.append(events(`a${index}`, `b${index}`))))
    const ids = told.map(({ id }) => id)
    expect(ids).to.deep.equal(Array.from({ length: 80 }, (_, index) => index + 1))
    const read = await log.after(0, 1_000)
    expect(read).to.deep.equal(told)
    expect(await log.after(78, 10)).to.deep.equal(read.slice(78))
    expect(await log.after(0, 3)).to.deep.equal(read.slice(0, 3))
    expect(await log.bounds()).to.deep.equal({ before: 0, head: 80 })
  })

  it('keeps the last 50,000 events', async function () {
    this.timeout(30_000)
    const { store } = await open()
    const log = openEventLog(store)
    for (let round = 0; round < 13; round++)
      await log.append(Array.from({ length: 4_000 }, () => ({ type: 't', json: 'null', timestamp: 0 })))
    expect(await log.bounds()).to.deep.equal({ before: 2_000, head: 52_000 })
    expect((await log.after(0, 1))[0]).to.deep.equal({ id: 2_001, type: 't', json: 'null', timestamp: 0 })
  })
})

describe('event log of a host', () => {
  it('keeps its epoch and ids over a restart, and has another epoch in another database', async () => {
    const first = await run()
    const before = first.host.get(EventLog) as EventLog
    await before.append(events('a', 'b'))
    await first.host.stop()
    const second = await run({}, { data: first.data })
    const after = second.host.get(EventLog) as EventLog
    expect(after.epoch).to.equal(before.epoch)
    await after.append(events('c'))
    expect((await after.after(0, 10)).map(({ id, type }) => `${id} ${type}`)).to.deep.equal(['1 a', '2 b', '3 c'])
    await second.host.stop()
    await first.stop()
    const other = await run()
    expect((other.host.get(EventLog) as EventLog).epoch).to.not.equal(before.epoch)
    await other.stop()
  })
})
