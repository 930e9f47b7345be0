import { createServer } from 'node:http'
import { createServer as createSocketServer, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { WebError, type WebRequest } from '../api/web.js'
import { isPublic, publicLookup } from './addresses.js'
import { createWeb } from './web.js'
import { PlayedServer } from '../test/support.js'

describe('createWeb', () => {
  let server: PlayedServer
  let clock: TestClock
  const open = (allowed = ['127.0.0.1']) => createWeb({ allowHosts: () => allowed, clock })
  const reason = async (url: string, request: WebRequest = {}, web = open()) => {
    const error = await web.fetch(url, request).then(
      () => 'an answer',
      (thrown: unknown) => thrown,
    )
    return error instanceof WebError ? error.reason : error
  }
  beforeEach(async () => {
    clock = new TestClock()
    server = await PlayedServer.start(
      (response) => void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('hello'),
    )
  })
  afterEach(() => server.stop())

  it('returns the content of an address', async () => {
    const { status, mediaType, url, cut, text } = await open().fetch(`${server.origin}/page?x=1#part`, {
      headers: { 'X-Own': 'yes' },
    })
    expect([status, mediaType, url, cut, text()]).to.deep.equal([
      200,
      'text/plain',
      `${server.origin}/page?x=1`,
      false,
      'hello',
    ])
    expect(server.asked[0]).to.deep.include({ method: 'GET', path: '/page?x=1' })
    expect(server.asked[0]?.headers).to.deep.include({ 'x-own': 'yes', 'user-agent': 'Mynah' })
    server.play((response, { body }) => void response.writeHead(404).end(String(body)))
    const answer = await open().fetch(server.origin, { method: 'POST', body: 'said' })
    expect([answer.status, answer.text()]).to.deep.equal([404, 'said'])
  })

  it('allows public addresses only', () => {
    for (const address of [
      '127.0.0.1',
      '127.9.9.9',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '255.255.255.255',
      '224.0.0.1',
      '198.18.0.1',
      '240.0.0.1',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001::1',
      '2001:db8::1',
      '::7f00:1',
      '::127.0.0.1',
      '64:ff9b:1::7f00:1',
      'fec0::1',
      '4000::1',
      '168.63.129.16',
      '::ffff:168.63.129.16',
      'nonsense',
      '',
    ])
      expect(isPublic(address), address).to.equal(false)
    for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8'])
      expect(isPublic(address), address).to.equal(true)
  })

  it('refuses every spelling of this machine', async () => {
    const port = new URL(server.origin).port
    const web = open([])
    for (const host of [
      '127.0.0.1',
      'localhost',
      '0x7f000001',
      '2130706433',
      '0177.0.0.1',
      '127.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      '[::]',
      '169.254.169.254',
    ])
      expect(await reason(`http://${host}:${port}/`, {}, web), host).to.equal('forbidden')
    // Whether a name with a dot at its end is found depends on the machine.
    expect(await reason(`http://LOCALHOST.:${port}/`, {}, web)).to.be.oneOf(['forbidden', 'unreachable'])
    expect(server.asked).to.have.length(0)
  })

  it('allows configured hosts, with or without their port', async () => {
    const { port } = new URL(server.origin)
    for (const allowed of ['127.0.0.1', `127.0.0.1:${port}`])
      expect((await open([allowed]).fetch(server.origin)).text(), allowed).to.equal('hello')
    expect(await reason(server.origin, {}, open(['127.0.0.1:1']))).to.equal('forbidden')
    // The address is refused before a connection is opened.
    for (const [url, allowed] of [
      ['http://127.0.0.1/', '127.0.0.1:80'],
      ['https://127.0.0.1/', '127.0.0.1:443'],
      ['http://[::1]/', '[::1]:80'],
    ] as const)
      expect(await reason(url, {}, open([allowed])), allowed).not.to.equal('forbidden')
    for (const [url, allowed] of [
      ['http://127.0.0.1/', '127.0.0.1:443'],
      ['https://127.0.0.1/', '127.0.0.1:80'],
    ] as const)
      expect(await reason(url, {}, open([allowed])), allowed).to.equal('forbidden')
  })

  it('connects to checked addresses only', async () => {
    const lookup = (options: object) =>
      new Promise<unknown>((resolve) =>
        publicLookup('localhost', options, (error, address) => resolve(error ?? address)),
      )
    expect(await lookup({ all: true })).to.be.instanceOf(WebError)
    expect(await lookup({})).to.be.instanceOf(WebError)
  })

  it('takes addresses of http and https only', async () => {
    for (const url of [
      'file:///etc/passwd',
      'ftp://x.example/',
      'data:text/plain,x',
      'javascript:alert(1)',
      'no address',
      '',
      'http://',
      `http://x.example/${'a'.repeat(10_000)}`,
      'http://user:pw@x.example/',
      'gopher://x',
    ])
      expect(await reason(url), url.slice(0, 40)).to.equal('address')
    expect(await reason(server.origin, { headers: { 'x-own': 'a\r\nb: c' } })).to.equal('address')
  })

  it('checks every redirect, and follows a few', async () => {
    const inner = await PlayedServer.start()
    const locations: Readonly<Record<string, string>> = {
      '/in': inner.origin.replace('127.0.0.1', 'localhost'),
      '/file': 'file:///etc/passwd',
      '/loop': '/loop',
    }
    server.play((response, { path }) => {
      if (path === '/end') response.end('there')
      else response.writeHead(302, { location: locations[path] ?? '/end' }).end()
    })
    expect((await open().fetch(`${server.origin}/a`)).text()).to.equal('there')
    expect(await reason(`${server.origin}/in`)).to.equal('forbidden')
    expect(await reason(`${server.origin}/file`)).to.equal('address')
    server.asked.length = 0
    expect(await reason(`${server.origin}/loop`)).to.equal('redirects')
    expect(server.asked).to.have.length(6)
    expect(inner.asked).to.have.length(0)
    await inner.stop()
  })

  it('carries no credentials to another host, and no body past a 303', async () => {
    const other = await PlayedServer.start((response) => void response.end('there'))
    server.play(
      (response) => void response.writeHead(303, { location: other.origin.replace('127.0.0.1', 'localhost') }).end(),
    )
    await open(['127.0.0.1', 'localhost']).fetch(server.origin, {
      method: 'POST',
      body: 'secret',
      headers: { authorization: 'Bearer x', cookie: 'y', 'X-Api-Key': 'z', accept: 'text/html' },
    })
    expect(other.asked[0]).to.deep.include({ method: 'GET', body: '' })
    expect(other.asked[0]?.headers).not.to.have.any.keys('authorization', 'cookie', 'x-api-key')
    expect(other.asked[0]?.headers.accept).to.equal('text/html')
    await other.stop()
  })

  it('limits the body, compressed or not', async () => {
    server.play((response) => void response.end('x'.repeat(5_000)))
    expect(await reason(server.origin, { maxBytes: 1_000 })).to.equal('too-large')
    const cut = await open().fetch(server.origin, { maxBytes: 1_000, over: 'cut' })
    expect([cut.body.length, cut.cut]).to.deep.equal([1_000, true])
    server.play(
      (response) =>
        void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
    )
    expect(await reason(server.origin)).to.equal('too-large')
    server.play((response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed')))
    expect((await open().fetch(server.origin)).text()).to.equal('packed')
    server.play((response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed'))
    expect(await reason(server.origin)).to.equal('unreachable')
  })

  it('stops at its deadline and with its caller', async () => {
    let reached = () => {}
    const begun = () => new Promise<void>((resolve) => (reached = resolve))
    let there = begun()
    server.play((response) => {
      response.writeHead(200).write('a beginning')
      reached()
    })
    const late = reason(server.origin, { timeout: 3_000 })
    await there
    await clock.advance(3_000)
    expect(await late).to.equal('timeout')
    there = begun()
    const abort = new AbortController()
    const stopped = reason(server.origin, { signal: abort.signal })
    await there
    abort.abort()
    expect(await stopped).to.equal('aborted')
    expect(await reason(server.origin, { signal: AbortSignal.abort() })).to.equal('aborted')
    expect(clock.pending).to.equal(0)
  })

  it('reads text by its charset, and any text', async () => {
    for (const [type, bytes, expected] of [
      ['text/html; charset=iso-8859-1', [0x67, 0xfc], 'gü'],
      ['text/html; charset="gbk"', [0xba, 0xba], '汉'],
      ['text/html; charset=none-such', [0x61], 'a'],
      ['text/html', [0x61, 0xe6], 'a\uFFFD'],
    ] as const) {
      server.play((response) => void response.writeHead(200, { 'content-type': type }).end(Buffer.from(bytes)))
      expect((await open().fetch(server.origin)).text(), type).to.equal(expected)
    }
  })

  it('fails on any broken answer', async () => {
    const answers = new Map([
      [
        'another protocol from now on',
        'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: foo\r\n\r\n',
      ],
      ['no HTTP', 'hello\r\n\r\n'],
      ['nothing', ''],
      ['headers without an end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(200_000)}\r\n\r\n`],
      ['less than was announced', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhi'],
      ['an address that is none', 'HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n'],
      ['one of this machine', 'HTTP/1.1 302 Found\r\nLocation: http://2130706434/\r\nContent-Length: 0\r\n\r\n'],
      [
        'one of a network around it',
        'HTTP/1.1 302 Found\r\nLocation: http://[::ffff:10.0.0.1]/\r\nContent-Length: 0\r\n\r\n',
      ],
    ])
    const spoken: unknown[] = []
    for (const [what, answer] of answers) {
      const odd = createSocketServer(
        (socket) => void socket.on('error', () => {}).once('data', () => socket.end(answer)),
      )
      await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve))
      spoken.push([what, await reason(`http://127.0.0.1:${(odd.address() as AddressInfo).port}/`)])
      await new Promise((resolve) => odd.close(resolve))
    }
    expect(spoken).to.deep.equal(
      Array.from(answers.keys(), (what) => [
        what,
        {
          'an address that is none': 'address',
          'one of this machine': 'forbidden',
          'one of a network around it': 'forbidden',
        }[what] ?? 'unreachable',
      ]),
    )
    for (const encoding of ['constructor', 'toString', '__proto__', 'zip']) {
      server.play((response) => void response.writeHead(200, { 'content-encoding': encoding }).end('as it is'))
      expect((await open().fetch(server.origin)).text(), encoding).to.equal('as it is')
    }
  })

  it('reports failures of the network in its own words', async () => {
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const { port } = gone.address() as { port: number }
    await new Promise((resolve) => gone.close(resolve))
    const error = await open()
      .fetch(`http://127.0.0.1:${port}/`)
      .catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(WebError)
    expect((error as WebError).message).to.equal('The address could not be fetched (ECONNREFUSED)')
    server.play((response) => void response.destroy())
    expect(await reason(server.origin)).to.equal('unreachable')
    server.play((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('short')
      setImmediate(() => response.destroy())
    })
    expect(await reason(server.origin)).to.equal('unreachable')
  })
})
