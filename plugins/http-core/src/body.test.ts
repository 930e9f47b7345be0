import { expect } from 'chai'
import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { exchange, json, serve, stopAll, TOKEN, type Served } from './test/support.js'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const value = (text: string): string => `{"value":${text}}`

describe('request body', () => {
  let served: Served
  before(async () => {
    served = await serve({ bodyLimit: 65_536 })
  })
  after(stopAll)

  const post = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
    served.fetch('/api/echo', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  const refused = async (response: Response, status: number, code: string): Promise<void> => {
    expect(response.status).to.equal(status)
    const answer = await json(response)
    expect(answer.success).to.equal(false)
    expect(answer.code).to.equal(code)
    expect(answer.error).to.be.a('string')
  }

  it('arrives unchanged', async () => {
    expect((await json(await post(value('{"a":[1,null,"ü"]}')))).data).to.deep.equal({ a: [1, null, 'ü'] })
    expect((await post(value('1'), { 'content-type': 'Application/JSON; charset=UTF-8' })).status).to.equal(200)
    expect((await json(await post(gzipSync(value('2')), { 'content-encoding': 'gzip' }))).data).to.equal(2)
    expect((await json(await post(deflateSync(value('3')), { 'content-encoding': 'deflate' }))).data).to.equal(3)
    expect((await json(await post(brotliCompressSync(value('4')), { 'content-encoding': 'br' }))).data).to.equal(4)
  })

  for (const text of [
    '{',
    '{"value":',
    'null x',
    '{"value":1}}',
    "{'value':1}",
    '{"value":undefined}',
    '{"value":NaN}',
    '\u0000',
    '{"value":"\n"}',
    '"text"',
    '12',
    'null',
    'true',
    '[1',
    '{"value":1,}',
    '{"value":01}',
  ]) {
    it(`is rejected with 400 for ${JSON.stringify(text)}`, async () =>
      refused(await post(text), 400, 'invalid_request'))
  }

  it('is rejected with 400 and the paths of its mistakes if it does not match the schema', async () => {
    const response = await served.fetch('/api/things', { method: 'PUT', body: '{"text":1}' })
    expect(response.status).to.equal(400)
    expect((await json(response)).details).to.deep.equal([{ path: 'body.text', message: 'must be string' }])
    await refused(await post('{}'), 400, 'invalid_request')
    await refused(await post('[]'), 400, 'invalid_request')
    await refused(await served.fetch('/api/things', { method: 'PUT' }), 400, 'invalid_request')
  })

  it('is rejected with 413 over the limit, whether announced, in chunks or compressed', async () => {
    const big = value(`"${'x'.repeat(70_000)}"`)
    await refused(await post(big), 413, 'too_large')
    const chunks = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(big))
        controller.close()
      },
    })
    await refused(
      await served.fetch('/api/echo', {
        method: 'POST',
        body: chunks,
        duplex: 'half',
        headers: { 'content-type': 'application/json' },
      } as never),
      413,
      'too_large',
    )
    await refused(
      await post(gzipSync(value(`"${'x'.repeat(20_000_000)}"`)), { 'content-encoding': 'gzip' }),
      413,
      'too_large',
    )
    expect((await post(value(`"${'x'.repeat(60_000)}"`))).status).to.equal(200)
  })

  it('is rejected with 400 above 64 levels', async () => {
    expect((await post(value(nested(63)))).status).to.equal(200)
    await refused(await post(value(nested(64))), 400, 'invalid_request')
    await refused(await post(value(nested(30_000))), 400, 'invalid_request')
    await refused(await post(value('{"a":'.repeat(64) + '1' + '}'.repeat(64))), 400, 'invalid_request')
  })

  it('is rejected with 400 for __proto__ in any spelling', async () => {
    await refused(await post('{"value":1,"__proto__":{"x":1}}'), 400, 'invalid_request')
    await refused(await post('{"value":{"a":[{"__proto__":null}]}}'), 400, 'invalid_request')
    await refused(await post('{"value":{"\\u005f_proto__":{"x":1}}}'), 400, 'invalid_request')
    expect(({} as { x?: unknown }).x).to.equal(undefined)
  })

  it('is rejected with 415 unless its type is JSON', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json5',
      'application/jsonx',
      'text/json',
      'application/vnd.api+json',
      'application/xml',
      '',
      'application/json, text/plain',
      'application/json; charset=utf-16',
      'application/json; charset=latin1',
    ]) {
      await refused(await post(value('1'), { 'content-type': type }), 415, 'unsupported_media_type')
      await refused(
        await served.fetch('/api/things', { method: 'DELETE', body: '{}', headers: { 'content-type': type || 'x/y' } }),
        415,
        'unsupported_media_type',
      )
    }
    await refused(await served.fetch('/api/echo', { method: 'POST' }), 415, 'unsupported_media_type')
    expect((await served.fetch('/api/things', { method: 'DELETE' })).status).to.equal(200)
  })

  it('is rejected with 400 or 415 for broken or unknown compression', async () => {
    await refused(await post('no gzip at all', { 'content-encoding': 'gzip' }), 400, 'invalid_request')
    await refused(
      await post(gzipSync(value('1')).subarray(0, 15), { 'content-encoding': 'gzip' }),
      400,
      'invalid_request',
    )
    await refused(await post('no brotli', { 'content-encoding': 'br' }), 400, 'invalid_request')
    await refused(await post(value('1'), { 'content-encoding': 'zstd' }), 415, 'unsupported_media_type')
    await refused(await post(value('1'), { 'content-encoding': 'gzip, gzip' }), 415, 'unsupported_media_type')
  })

  it('leaves nothing behind if it breaks off', async () => {
    for (const extra of ['', 'content-encoding: gzip\r\n']) {
      const half = connect(served.port, '127.0.0.1')
      await new Promise<void>((resolve) =>
        half.write(
          `POST /api/echo HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\n` +
            `content-type: application/json\r\n${extra}content-length: 100\r\n\r\n{"va`,
          () => resolve(),
        ),
      )
      half.destroy()
    }
    expect((await post(value('1'))).status).to.equal(200)
    expect(served.log.filter(({ level }) => level === 'error')).to.deep.equal([])
  })

  it('cannot smuggle a second request', async () => {
    const head =
      `POST /api/echo HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\n` +
      'content-type: application/json\r\nconnection: close\r\n'
    expect(
      (await exchange(served.port, `${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`)).status,
    ).to.equal(400)
    expect((await exchange(served.port, `${head}content-length: 5\r\ncontent-length: 6\r\n\r\nhello`)).status).to.equal(
      400,
    )
    expect(
      (await exchange(served.port, `${head}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n`)).status,
    ).to.equal(400)
    expect((await exchange(served.port, `${head}x: a\r\n b\r\ncontent-length: 0\r\n\r\n`)).status).to.equal(400)
    expect((await exchange(served.port, 'GET /pub/hello HTTP/1.1\r\nconnection: close\r\n\r\n')).status).to.equal(400)
    expect(
      (await exchange(served.port, `GET /pub/hello HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`))
        .status,
    ).to.equal(431)
  })
})

describe('webhook body', () => {
  let served: Served
  before(async () => {
    served = await serve({ bodyLimit: 1024 })
  })
  after(stopAll)

  it('arrives as exact bytes without a token, whatever the header says', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128])
    for (const authorization of ['', 'Bearer wrong', 'Bot 123']) {
      const response = await served.fetch('/hooks/webhook/a%2Fb', {
        method: 'POST',
        token: null,
        body: bytes,
        headers: { authorization, 'content-type': 'application/octet-stream' },
      })
      expect(response.status).to.equal(200)
      expect(await response.text()).to.equal('a/b anonymous 00ff0a0d80')
    }
  })

  it('may be sent below the prefix without opening other routes', async () => {
    expect(await (await served.fetch('/api/webhook/below', { method: 'POST', token: null })).text()).to.equal('below')
    expect((await served.fetch('/api/webhook/below', { token: null })).status).to.equal(401)
    expect((await served.fetch('/api/webhook/other', { method: 'POST', token: null })).status).to.equal(401)
  })

  it('is limited', async () => {
    const send = (body: NonNullable<RequestInit['body']>, extra = {}) =>
      served.fetch('/hooks/webhook/x', { method: 'POST', token: null, body, ...extra } as never)
    expect((await send(Buffer.alloc(1025))).status).to.equal(413)
    const chunks = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(2000))
        controller.close()
      },
    })
    expect((await send(chunks, { duplex: 'half' })).status).to.equal(413)
    expect((await send(Buffer.alloc(1024))).status).to.equal(200)
  })
})
