import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { flush, TestClock } from '@mynah/kernel/testing'
import { EventStream } from '../api.js'
import { UNSENT_LIMIT } from './client.js'
import { say, startStream, StreamClient, TOKEN, until, type Running } from '../test/support.js'

const BIG = 'x'.repeat(20_000)
const COUNT = 900

async function openStalled(origin: string, lastId?: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const resume = lastId === undefined ? '' : `last-event-id: ${lastId}\r\n`
  socket.write(`GET /api/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${TOKEN}\r\n${resume}\r\n`)
  await once(socket, 'readable')
  return socket
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

describe('Client that does not read', () => {
  let running: Running
  beforeEach(async () => {
    running = await startStream()
  })
  afterEach(() => running.host.stop())

  it('is closed above its limit while others receive everything, and resumes later', async function () {
    this.timeout(30_000)
    const stalled = await openStalled(running.origin)
    const reading = await StreamClient.open(running.origin)
    await reading.until((c) => c.of('init-data').length === 1, 'the other is open')
    for (let n = 1; n <= COUNT; n++) {
      say(running.host, 'big', { n, BIG })
      if (n % 10 === 0) await until(() => reading.of('big').length >= n, 'the other has read on')
    }
    const counts = running.host.get(EventStream)?.counts()
    expect(counts).to.include({ closedSlow: 1, clients: 1 })

    // Bytes that the system had buffered are still readable. A frame that is cut does not count.
    const text = await readAll(stalled)
    const ids = Array.from(text.matchAll(/id: (\S+)\r?\ndata: \{"type":"big","data":\{"n":(\d+),/g))
    const whole = ids.slice(0, -1)
    const lastId = whole.at(-1)?.[1]
    const lastNumber = Number(whole.at(-1)?.[2])
    expect(lastNumber).to.be.within(1, COUNT - 1)

    const back = await StreamClient.open(running.origin, { lastId })
    await back.until((c) => (c.of('big').at(-1) as { n?: number } | undefined)?.n === COUNT, 'it has caught up')
    expect(back.of('big').map((data) => (data as { n: number }).n)).to.deep.equal(
      Array.from({ length: COUNT - lastNumber }, (_, index) => lastNumber + index + 1),
    )
    back.close()
    reading.close()
  })
})

describe('Client that does not read its replay', () => {
  it('stays within its limit and is closed after a minute', async () => {
    const clock = new TestClock()
    const { host, origin } = await startStream([], { clock })
    try {
      const reading = await (await StreamClient.open(origin)).until((c) => c.of('init-data').length === 1, 'it is open')
      say(host, 'first', null)
      await reading.until((c) => c.of('first').length === 1, 'the first event came')
      const lastId = reading.frames.find(({ type }) => type === 'first')?.id
      reading.close()
      await until(() => host.get(EventStream)?.counts().clients === 0, 'it has gone')
      for (let n = 1; n <= COUNT; n++) say(host, 'big', { n, BIG })

      let response: ServerResponse | undefined
      const watch = (message: unknown): void => {
        response = (message as { response: ServerResponse }).response
      }
      subscribe('http.server.request.start', watch)
      const stalled = await openStalled(origin, lastId)
      unsubscribe('http.server.request.start', watch)
      let most = 0
      for (let beat = 0; beat < 100 && host.get(EventStream)?.counts().closedSlow === 0; beat++) {
        for (let turn = 0; turn < 20; turn++) await flush()
        most = Math.max(most, response?.writableLength ?? 0)
        await clock.advance(15_000)
      }
      expect(host.get(EventStream)?.counts()).to.include({ closedSlow: 1, resumed: 1, clients: 0 })
      expect(most).to.be.within(1, UNSENT_LIMIT)
      stalled.destroy()
    } finally {
      await host.stop()
    }
  })
})

describe('burst of events', () => {
  let running: Running
  beforeEach(async () => {
    running = await startStream()
  })
  afterEach(() => running.host.stop())

  it('is sent in one write per tick', async () => {
    const writes: number[] = []
    const watch = (message: unknown): void => {
      const { response } = message as { response: ServerResponse }
      const write = response.write.bind(response) as (bytes: Buffer) => boolean
      response.write = ((bytes: Buffer) => {
        writes.push(bytes.length)
        return write(bytes)
      }) as typeof response.write
    }
    subscribe('http.server.request.start', watch)
    const client = await StreamClient.open(running.origin)
    unsubscribe('http.server.request.start', watch)
    await client.until((c) => c.of('init-data').length === 1, 'it is open')
    const before = writes.length
    for (let n = 0; n < 100; n++) say(running.host, 'burst', n)
    await client.until((c) => c.of('burst').length === 100, 'the burst came')
    expect(writes.slice(before)).to.have.length(1)
    client.close()
  })

  it('larger than the limit of a stalled client reaches a reading client completely', async () => {
    const client = await StreamClient.open(running.origin)
    await client.until((c) => c.of('init-data').length === 1, 'it is open')
    for (let n = 0; n < 200; n++) say(running.host, 'big', { n, BIG })
    await client.until((c) => c.of('big').length === 200 || c.ended, 'the burst came')
    expect(client.ended).to.equal(false)
    expect(client.of('big')).to.have.length(200)
    client.close()
  })
})
