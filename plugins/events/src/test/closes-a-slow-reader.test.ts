// A client that does not read is closed, holds nobody up, and resumes later.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { EventStream } from '../api.js'
import { say, startStream, StreamClient, TOKEN, until, type Running } from './support.js'

const BIG = 'x'.repeat(20_000)
const COUNT = 900

async function openStalled(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /api/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`)
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

describe('a client that does not read', () => {
  let running: Running
  beforeEach(async () => { running = await startStream() })
  afterEach(() => running.host.stop())

  it('is closed past its bound while others receive everything, and gets the rest when it comes back', async function () {
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

    // What the system had taken for it is still there; of a frame cut in the middle nothing counts.
    const text = await readAll(stalled)
    const ids = Array.from(text.matchAll(/id: (\S+)\r?\ndata: \{"type":"big","data":\{"n":(\d+),/g))
    const whole = ids.slice(0, -1)
    const lastId = whole.at(-1)?.[1]
    const lastNumber = Number(whole.at(-1)?.[2])
    expect(lastNumber).to.be.within(1, COUNT - 1)

    const back = await StreamClient.open(running.origin, { lastId })
    await back.until((c) => (c.of('big').at(-1) as { n?: number } | undefined)?.n === COUNT, 'it has caught up')
    expect(back.of('big').map((data) => (data as { n: number }).n)).to.deep.equal(Array.from({ length: COUNT - lastNumber }, (_, index) => lastNumber + index + 1))
    back.close()
    reading.close()
  })
})

describe('a burst', () => {
  let running: Running
  beforeEach(async () => { running = await startStream() })
  afterEach(() => running.host.stop())

  it('of one tick reaches a client in one write', async () => {
    const { hostname, port } = new URL(running.origin)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => { text += chunk })
    socket.write(`GET /api/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`)
    await until(() => text.includes('init-data'), 'it is open')
    const begin = text.length
    for (let n = 0; n < 100; n++) say(running.host, 'burst', n)
    await until(() => text.includes('"data":99'), 'the burst came')
    // Each write is one chunk of the chunked encoding: its size in hexadecimal, then its bytes.
    const chunk = /^([0-9a-f]+)\r\n/.exec(text.slice(begin))
    expect(chunk, text.slice(begin, begin + 80)).to.not.equal(null)
    const [head, size] = chunk as unknown as [string, string]
    const first = text.slice(begin + head.length, begin + head.length + Number.parseInt(size, 16))
    expect(first.match(/"type":"burst"/g)).to.have.length(100)
    socket.destroy()
  })

  it('larger than what a stalled client may hold reaches a reading one whole', async () => {
    const client = await StreamClient.open(running.origin)
    await client.until((c) => c.of('init-data').length === 1, 'it is open')
    for (let n = 0; n < 200; n++) say(running.host, 'big', { n, BIG })
    await client.until((c) => c.of('big').length === 200 || c.ended, 'the burst came')
    expect(client.ended).to.equal(false)
    expect(client.of('big')).to.have.length(200)
    client.close()
  })
})
