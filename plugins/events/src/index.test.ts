import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { dataChanged, EventStream } from './api.js'
import { startStream, StreamClient, type Running } from './test/support.js'

describe('event stream over time', () => {
  let running: Running
  let clock: TestClock
  beforeEach(async () => {
    clock = new TestClock()
    running = await startStream([], { clock })
    // The changes of the start of the host are sent first.
    await clock.advance(3_000)
  })
  afterEach(() => running.host.stop())

  const open = async (): Promise<StreamClient> => {
    const client = await StreamClient.open(running.origin)
    return client.until((c) => c.of('init-data').length === 1, 'it is open')
  }

  it('sends a comment every 15 seconds', async () => {
    const client = await open()
    await clock.advance(30_000)
    await client.until(({ text }) => (text.match(/^:\n\n/gm) ?? []).length === 2, 'two heartbeats came')
    client.close()
  })

  it('sends data-update at once, then at most once a second, and never without a change', async () => {
    const client = await open()
    const updates = (): number => client.of('data-update').length
    await clock.advance(10_000)
    for (let n = 0; n < 5; n++) running.host.emit(dataChanged, { what: 'endpoints' })
    await client.until(() => updates() === 1, 'the first change was sent')
    await clock.advance(999)
    expect(updates()).to.equal(1)
    await clock.advance(1)
    await client.until(() => updates() === 2, 'the changes meanwhile were sent together')
    running.host.emit(dataChanged, { what: 'endpoints' })
    await clock.advance(1_000)
    await client.until(() => updates() === 3, 'the change in the second second was sent')
    await clock.advance(60_000)
    await client.until(({ text }) => (text.match(/^:\n\n/gm) ?? []).length >= 4, 'a minute has passed')
    expect(updates()).to.equal(3)
    expect(client.of('data-update')[0]).to.have.property('timestamp').that.is.a('number')
    client.close()
  })

  it('sends data-update when a plugin changes its state', async () => {
    const client = await open()
    await running.host.add({ plugin: { name: 'newcomer', setup() {} } })
    await client.until((c) => c.of('data-update').length === 1, 'the change was sent')
    client.close()
  })

  it('ends every connection when the plugin stops, and leaves nothing behind', async () => {
    const clients = await Promise.all([open(), open(), open()])
    expect(running.host.get(EventStream)?.counts().clients).to.equal(3)
    await running.host.enable('events', false)
    for (const client of clients) await client.until(({ ended }) => ended, 'it has ended')
    const gone = await StreamClient.open(running.origin)
    expect(gone.response.statusCode).to.equal(404)
    gone.close()
  })
})
