// Servers, and clients, that do not keep to HTTP: each gets an answer or an end, and the host lives on.
import { expect } from 'chai'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostRule, type HostRule } from './host-rules.js'
import { RunProxy } from './run-proxy.js'

const PUBLIC = '93.184.215.14'
const GET = 'GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n'
const PLAIN = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine'
/** A limit for silence that is over at once, for tests in which someone is silent. */
const AT_ONCE_MS = 20

describe('RunProxy with hostile peers', () => {
  let folder: string
  let server: Server
  let proxy: RunProxy
  /** Serves a connection from which something has come. */
  let serve: (socket: Socket, request: string) => void
  let addresses: () => Promise<string[]>
  let dialled: number
  const open = new Set<Socket>()

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-hostile-'))
    server = createServer({ allowHalfOpen: true }, (socket) => {
      open.add(socket)
      socket.on('error', () => undefined).once('close', () => open.delete(socket))
      socket.once('data', (chunk) => serve(socket, String(chunk)))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  after(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => {
    addresses = () => Promise.resolve([PUBLIC])
    dialled = 0
    return start()
  })
  afterEach(async () => {
    await proxy.close()
    for (const socket of open) socket.destroy()
  })

  async function start(silenceMs?: number): Promise<void> {
    const network = {
      addresses: () => addresses(),
      dial: () => {
        dialled += 1
        return connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
      },
      own: () => [],
    }
    proxy = await RunProxy.open(join(folder, 'sock'), [hostRule('a.example') as HostRule], network, silenceMs)
  }

  async function restart(silenceMs: number): Promise<void> {
    await proxy.close()
    await start(silenceMs)
  }

  /** Sends a text to the proxy, and returns what comes back until the connection ends. */
  async function ask(text = GET): Promise<string> {
    const socket = connect(proxy.path)
    socket.write(text)
    let answer = ''
    socket.on('data', (chunk) => (answer += String(chunk))).on('error', () => undefined)
    await once(socket, 'close')
    return answer
  }

  /** Asks a server that sends these bytes and then ends the connection, and then one that keeps to HTTP. */
  async function answered(bytes: string): Promise<string> {
    serve = (socket) => void socket.end(bytes, 'latin1')
    const answer = await ask()
    serve = (socket) => void socket.end(PLAIN)
    expect(await ask()).to.contain('fine')
    return answer
  }

  const NOT_UNDERSTOOD: Readonly<Record<string, string>> = {
    'a status of zeros': 'HTTP/1.1 000 x\r\nContent-Length: 0\r\n\r\n',
    'a status below 100': 'HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n',
    'a status of four digits': 'HTTP/1.1 1000 x\r\nContent-Length: 0\r\n\r\n',
    'no HTTP': 'SSH-2.0-OpenSSH_9.2\r\n',
    'a body alone': '<html></html>',
    nothing: '',
    'half a header': 'HTTP/1.1 200 OK\r\nContent-Le',
    'a control character in a header': 'HTTP/1.1 200 OK\r\nX: a\x01b\r\nContent-Length: 0\r\n\r\n',
    'a character in a header that may not be sent': 'HTTP/1.1 200 OK\r\nX: a\x7fb\r\nContent-Length: 0\r\n\r\n',
    'a header with a blank in its name': 'HTTP/1.1 200 OK\r\nX y: a\r\nContent-Length: 0\r\n\r\n',
    'two ways to find the end': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc',
    'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
    'a length that is no number': 'HTTP/1.1 200 OK\r\nContent-Length: 0x4\r\n\r\nabcd',
    'too long a header': `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
    'too many headers': `HTTP/1.1 200 OK\r\n${'X: a\r\n'.repeat(10_000)}\r\n`,
    'a switch of protocols': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nmore',
    'a switch of protocols to nothing': 'HTTP/1.1 101 Switching Protocols\r\n\r\nmore',
    'notices without end': 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000),
  }
  for (const [what, bytes] of Object.entries(NOT_UNDERSTOOD))
    it(`answers 502 where a server sends ${what}`, async () => {
      expect(await answered(bytes)).to.match(/^HTTP\/1\.1 502 /)
    })

  it('answers 502 where a server resets the connection in the middle of its headers', async () => {
    serve = (socket) => void socket.write('HTTP/1.1 200 OK\r\nX:', () => socket.resetAndDestroy())
    expect(await ask()).to.match(/^HTTP\/1\.1 502 /)
  })

  it('passes on an answer behind notices, without them', async () => {
    const answer = await answered(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${PLAIN}`)
    expect(answer).to.match(/^HTTP\/1\.1 200 /)
    expect(answer).to.match(/fine$/)
    expect(answer).not.to.match(/ 10[03] |Link/)
  })

  it('passes on an answer that switches protocols as its headers say, and its status does not', async () => {
    const answer = await answered('HTTP/1.1 200 OK\r\nUpgrade: x\r\nConnection: Upgrade\r\nContent-Length: 2\r\n\r\nok')
    expect(answer).to.match(/^HTTP\/1\.1 200 [^]*ok$/)
    expect(answer).not.to.match(/upgrade/i)
  })

  it('keeps headers that hold for one connection, also those that an answer names as such', async () => {
    const own = 'Connection: X-Own, keep-alive\r\nX-Own: 1\r\nKeep-Alive: timeout=9\r\nTrailer: X-End\r\n'
    const more =
      'Proxy-Authenticate: Basic\r\nProxy-Connection: x\r\nTE: x\r\nX-Other: 2\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n'
    const answer = await answered(`HTTP/1.1 200 OK\r\n${own}${more}Content-Length: 2\r\n\r\nok`)
    expect(answer).to.match(/^HTTP\/1\.1 200 [^]*\r\n\r\nok$/)
    expect(answer.toLowerCase()).to.contain('x-other: 2\r\nset-cookie: a\r\nset-cookie: b\r\n')
    expect(answer).not.to.match(/X-Own|Keep-Alive|timeout=9|X-End|Proxy-|^TE:/im)
  })

  it('keeps the headers of a request that hold for one connection', async () => {
    let got = ''
    serve = (socket, request) => {
      got = request
      socket.end(PLAIN)
    }
    const own = 'Connection: close, X-Own\r\nX-Own: 1\r\nUpgrade: websocket\r\nTE: x\r\nExpect: 100-continue\r\n'
    await ask(`GET http://a.example/ HTTP/1.1\r\nHost: b.example\r\n${own}X-Other: 2\r\n\r\n`)
    expect(got.toLowerCase()).to.contain('x-other: 2').and.to.contain('host: a.example')
    expect(got).not.to.match(/X-Own|Upgrade|^TE:|Expect/im)
  })

  const CUT: Readonly<Record<string, string>> = {
    'shorter than announced': 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf',
    'cut off between chunks': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    'with a chunk of no length': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n',
  }
  for (const [what, bytes] of Object.entries(CUT))
    it(`breaks off the answer where a body is ${what}`, async () => {
      const answer = await answered(bytes)
      expect(answer).to.match(/^HTTP\/1\.1 200 /)
      // Neither all of its length nor the last chunk.
      expect(answer).not.to.match(/\r\n0\r\n\r\n$/)
    })

  it('passes on no more of an answer than its length', async () => {
    expect(await answered(`${PLAIN} and more`)).to.match(/\r\n\r\nfine$/)
    expect(await answered(`${PLAIN}${PLAIN}`)).to.match(/\r\n\r\nfine$/)
  })

  it('ends an answer where its server ends it, without a length', async () => {
    expect(await answered('HTTP/1.0 200 OK\r\n\r\nold')).to.contain('old')
  })

  it('passes on the answer of a server that does not wait for the request', async () => {
    serve = (socket) => void socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig')
    const post = 'POST http://a.example/ HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1000\r\n\r\nhalf'
    expect(await ask(post)).to.match(/^HTTP\/1\.1 413 [^]*big$/)
  })

  it('answers requests that were sent at once, in order', async () => {
    serve = (socket, request) => {
      const path = request.split(' ')[1] ?? ''
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`)
    }
    const first = GET.replace('e/ ', 'e/1 ').replace('close', 'keep-alive')
    expect(await ask(`${first}${GET.replace('e/ ', 'e/2 ')}`)).to.match(/\/1HTTP[^]*\/2$/)
  })

  it('ends a client that sends many requests at once, each of which would have a connection', async () => {
    let connections = 0
    serve = () => void connections++
    const end = await ask(GET.replace('close', 'keep-alive').repeat(1_000)).catch(
      ({ code }: NodeJS.ErrnoException) => code,
    )
    expect(end).to.be.oneOf(['', 'ECONNRESET', 'EPIPE'])
    expect(connections).to.be.at.most(8)
  })

  it('ends a connection whose server says nothing', async () => {
    await restart(AT_ONCE_MS)
    serve = () => undefined
    expect(await ask()).to.match(/^HTTP\/1\.1 504 /)
  })

  it('ends a connection whose server stops in the middle of its answer', async () => {
    await restart(AT_ONCE_MS)
    serve = (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf')
    expect(await ask()).to.match(/^HTTP\/1\.1 200 [^]*half$/)
  })

  it('ends a tunnel in which both are silent, and one whose server has ended', async () => {
    await restart(AT_ONCE_MS)
    serve = () => undefined
    expect(await ask('CONNECT a.example:443 HTTP/1.1\r\n\r\nhello')).to.equal('HTTP/1.1 200 OK\r\n\r\n')
    serve = (socket, sent) => void socket.end(`got ${sent}`)
    expect(await ask('CONNECT a.example:443 HTTP/1.1\r\n\r\nhello')).to.match(/\r\n\r\ngot hello$/)
  })

  it('ends a tunnel whose client takes nothing', async () => {
    await restart(AT_ONCE_MS)
    const ended = new Promise((resolve) => {
      serve = (socket) => void socket.once('close', resolve).end(Buffer.alloc(10_000_000))
    })
    const client = connect(proxy.path).on('error', () => undefined)
    client.write('CONNECT a.example:443 HTTP/1.1\r\n\r\nhello')
    await ended
    client.destroy()
  })

  it('ends the connection behind the refusal of a tunnel', async () => {
    expect(await ask('CONNECT b.example:443 HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello')).to.match(/^HTTP\/1\.1 403 /)
  })

  it('ends the connection to a server whose client hangs up', async () => {
    for (const text of [GET, 'CONNECT a.example:443 HTTP/1.1\r\n\r\nhello']) {
      const reached = new Promise<Socket>((resolve) => (serve = resolve))
      const client = connect(proxy.path)
      client.write(text)
      const socket = await reached
      client.destroy()
      await once(socket.resume(), 'end')
    }
  })

  it('dials no server for a client that is gone when its name is found', async () => {
    const asked = new Promise<void>((resolve) => {
      addresses = async () => {
        resolve()
        await closed
        return [PUBLIC]
      }
    })
    const closed = asked.then(() => proxy.close())
    await ask()
    await closed
    expect(dialled).to.equal(0)
  })
})
