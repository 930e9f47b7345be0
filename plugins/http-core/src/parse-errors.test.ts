import { expect } from 'chai'
import { connect } from 'node:net'
import { LIMITS, Listener } from './listener.js'
import { exchange, serve, stopAll, TOKEN, type Served } from './test/support.js'

const close = 'connection: close\r\n'

describe('handleParseErrors', () => {
  let served: Served
  before(async () => {
    served = await serve()
  })
  after(stopAll)

  const MALFORMED: readonly (readonly [what: string, text: string, status: number, code: string])[] = [
    ['that is no HTTP', 'hello there\r\n\r\n', 400, 'invalid_request'],
    ['of an unknown method', `FOO / HTTP/1.1\r\nhost: localhost\r\n${close}\r\n`, 400, 'invalid_request'],
    ['of an unknown version', `GET / HTTP/9.9\r\nhost: localhost\r\n${close}\r\n`, 400, 'invalid_request'],
    [
      'with a malformed header',
      `GET / HTTP/1.1\r\nhost: localhost\r\nbad header\r\n${close}\r\n`,
      400,
      'invalid_request',
    ],
    ['with a NUL in a header', `GET / HTTP/1.1\r\nhost: localhost\r\nx: a\0b\r\n${close}\r\n`, 400, 'invalid_request'],
    ['without a host', `GET /pub/hello HTTP/1.1\r\n${close}\r\n`, 400, 'invalid_request'],
    [
      'with two hosts',
      `GET /pub/hello HTTP/1.1\r\nhost: localhost\r\nHost: localhost\r\n${close}\r\n`,
      400,
      'invalid_request',
    ],
    [
      'with two hosts of which one is foreign',
      `GET /pub/hello HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n${close}\r\n`,
      400,
      'invalid_request',
    ],
    [
      'with headers that are too long',
      `GET /pub/hello HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n${close}\r\n`,
      431,
      'too_large:headers',
    ],
    [
      'with too many headers',
      `GET /pub/hello HTTP/1.1\r\nhost: localhost\r\n${'a:\r\n'.repeat(1_500)}${close}\r\n`,
      431,
      'too_large:headers',
    ],
    [
      'with two lengths',
      `POST /api/echo HTTP/1.1\r\nhost: localhost\r\n${close}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`,
      400,
      'invalid_request',
    ],
    [
      'that asks for a tunnel',
      `CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n`,
      405,
      'method_not_allowed',
    ],
  ]
  for (const [what, text, status, code] of MALFORMED) {
    it(`answers ${what} with ${status} in the envelope`, async () => {
      const answer = await exchange(served.port, text)
      expect(answer.status).to.equal(status)
      expect(JSON.parse(answer.body)).to.include({ success: false, code })
      expect((JSON.parse(answer.body) as { error: string }).error)
        .to.be.a('string')
        .and.not.equal('')
      for (const header of [
        'content-type: application/json',
        'x-content-type-options: nosniff',
        'cache-control: no-store',
        'x-request-id:',
      ])
        expect(answer.headers.toLowerCase()).to.contain(header)
    })
  }

  it('accepts a request with the maximum number of headers', async () => {
    expect(
      (await exchange(served.port, `GET /pub/hello HTTP/1.1\r\nhost: localhost\r\n${'a:\r\n'.repeat(990)}${close}\r\n`))
        .status,
    ).to.equal(200)
  })

  it('does not call the handler of a request that breaks off in its body', async () => {
    const head =
      `POST /api/echo HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\n` +
      'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
    const answer = await exchange(served.port, `${head}zz\r\n{}\r\n0\r\n\r\n`)
    expect(answer.status).to.equal(400)
    expect(JSON.parse(answer.body)).to.include({ success: false, code: 'invalid_request' })
  })

  it('ignores an unknown Expect header', async () => {
    expect(
      (await exchange(served.port, `GET /pub/hello HTTP/1.1\r\nhost: localhost\r\nexpect: 200-maybe\r\n${close}\r\n`))
        .status,
    ).to.equal(200)
  })

  it('never writes into an answer that has started', async () => {
    const text = await new Promise<string>((resolve) => {
      let received = ''
      const socket = connect(served.port, '127.0.0.1', () =>
        socket.write(`GET /api/open HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`),
      )
      socket.setEncoding('utf8')
      socket.on('data', (chunk) => {
        received += chunk
        if (received.includes(': open')) socket.write('this is no HTTP\r\n\r\n')
      })
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(received))
    })
    expect(text).to.not.contain('invalid_request')
    expect((await served.fetch('/pub/hello')).status).to.equal(200)
  })

  it('answers a slow request with 408 in the envelope', async () => {
    const listener = await Listener.open(
      () => undefined,
      { host: '127.0.0.1', port: 0 },
      { ...LIMITS, headersTimeout: 50, requestTimeout: 60, connectionsCheckingInterval: 10 },
    )
    try {
      const answer = await exchange(listener.port, 'GET / HTTP/1.1\r\nhost: loc')
      expect(answer.status).to.equal(408)
      expect(JSON.parse(answer.body)).to.include({ success: false, code: 'invalid_request:timeout' })
    } finally {
      await listener.close()
    }
  })
})
