// Failures of RPC: 400 with code and requestId; 401 and 403 where the token is at fault.
import { expect } from 'chai'
import fc from 'fast-check'
import { DEMO, serve, type Served } from './test/support.js'

describe('a console request that fails', () => {
  let served: Served
  before(async () => {
    served = await serve()
  })
  after(() => served.stop())

  it('for its method is unknown_method, whatever the name', async () => {
    for (const type of [
      'nothing',
      'PING',
      'ping ',
      '__proto__',
      'constructor',
      'toString',
      'sample:',
      'a'.repeat(128),
    ]) {
      const { status, answer } = await served.call({ type, requestId: 5 })
      expect(status, type).to.equal(400)
      expect(answer, type).to.include({ success: false, code: 'unknown_method', requestId: 5 })
    }
  })

  it('for its envelope is invalid_request, with the requestId where it is a number', async () => {
    for (const request of [
      {},
      { type: 1 },
      { type: '' },
      { type: null },
      { type: ['ping'] },
      { type: 'a'.repeat(129) },
    ]) {
      const { status, answer } = await served.call({ ...request, requestId: 6 })
      expect(status, JSON.stringify(request)).to.equal(400)
      expect(answer, JSON.stringify(request)).to.include({ success: false, code: 'invalid_request', requestId: 6 })
      expect(answer.details?.[0]?.path).to.equal('body.type')
    }
    for (const requestId of ['6', null, {}, [1], true])
      expect((await served.call({ type: 'ping', requestId })).answer, JSON.stringify(requestId)).to.not.have.property(
        'requestId',
      )
    for (const text of ['', '{', '[]', '1', '"ping"', '{"type":"ping","__proto__":{}}']) {
      const { status, answer } = await served.call(text)
      expect(status, text).to.equal(400)
      expect(answer.code, text).to.equal('invalid_request')
    }
  })

  it('for its parameters names the places', async () => {
    expect((await served.call({ type: 'sample:flat', requestId: 8 })).answer).to.deep.include({
      success: false,
      code: 'invalid_request',
      details: [{ path: 'text', message: 'is required' }],
      requestId: 8,
    })
    expect((await served.call({ type: 'sample:flat', text: 'x', limit: '5' })).answer.details).to.deep.equal([
      { path: 'limit', message: 'must be integer' },
    ])
    expect((await served.call({ type: 'sample:flat', text: 'far too long' })).status).to.equal(400)
    expect((await served.call({ type: 'sample:nested', id: 'outside' })).answer.details).to.deep.equal([
      { path: 'data.id', message: 'is required' },
    ])
    for (const data of [1, 'x', [], true])
      expect((await served.call({ type: 'sample:nested', data })).answer.details, JSON.stringify(data)).to.deep.equal([
        { path: 'data', message: 'must be object' },
      ])
  })

  it('in its method is 400 whatever the code', async () => {
    const fail = async (how: string) => served.call({ type: 'sample:fails', how, requestId: 9 })
    expect(await fail('not_ready')).to.deep.equal({
      status: 400,
      answer: { success: false, error: 'The model sleeps', code: 'not_ready', data: { since: 1 }, requestId: 9 },
    })
    expect(await fail('forbidden')).to.deep.equal({
      status: 400,
      answer: { success: false, error: 'Not this file', code: 'forbidden', requestId: 9 },
    })
    expect(await fail('conflict')).to.deep.equal({
      status: 400,
      answer: {
        success: false,
        error: 'Changed meanwhile',
        code: 'conflict',
        details: [{ path: 'etag', message: 'is old' }],
        requestId: 9,
      },
    })
  })

  it('unexpectedly tells nothing, and the log of the plugin everything', async () => {
    const { status, answer } = await served.call({ type: 'sample:fails', how: 'surprise', requestId: 10 })
    expect(status).to.equal(400)
    expect(answer).to.include({ success: false, code: 'internal', requestId: 10 })
    expect(JSON.stringify(answer)).not.to.match(/secret|file:|\.js/)
    const line = served.log.find(({ level }) => level === 'error')
    expect(line?.name).to.equal('sample')
    expect(line?.message).to.contain('sample:fails')
    expect(line?.fields?.stack).to.contain('secret cause')
    expect(served.log.some(({ name, message }) => name === 'sample' && message === 'about to fail')).to.equal(true)
  })

  it('for want of a token is 401', async () => {
    for (const token of [null, 'wrong']) {
      const { status, answer } = await served.call({ type: 'ping', requestId: 11 }, token)
      expect(status).to.equal(401)
      expect(answer).to.include({ success: false, code: 'unauthorized' })
    }
  })

  it('for the scope of its token is 403 with requestId, also where there is no such method', async () => {
    expect(await served.call({ type: 'ping', requestId: 12 }, DEMO)).to.deep.equal({
      status: 200,
      answer: { success: true, data: { type: 'pong' }, requestId: 12 },
    })
    expect((await served.call({ type: 'sample:nested', data: { id: 'x' } }, DEMO)).status).to.equal(200)
    for (const type of ['sample:flat', 'sample:reduced', 'nothing', 'config:set', '__proto__']) {
      const { status, answer } = await served.call({ type, requestId: 12, text: 'x' }, DEMO)
      expect(status, type).to.equal(403)
      expect(answer, type).to.include({ success: false, code: 'forbidden', requestId: 12 })
    }
    const catalogue = await fetch(`${served.origin}/api/console/methods`, {
      headers: { authorization: `Bearer ${DEMO}` },
    })
    expect(catalogue.status).to.equal(403)
  })

  it('is never the fault of the host, whatever is sent', async () => {
    const field = fc.constantFrom('type', 'requestId', 'data', 'text', 'id', 'limit', 'how', 'content')
    const request = fc.dictionary(
      field,
      fc.oneof(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom('ping', 'sample:flat', 'sample:nested', 'sample:large', 'sample:reduced'),
      ),
    )
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const text = JSON.stringify(sent)
        fc.pre(!text.includes('__proto__') && !text.includes('sample:fails'))
        const { status, answer } = await served.call(text)
        expect([200, 400]).to.include(status)
        expect(answer.success).to.equal(status === 200)
        expect(answer.code).not.to.equal('internal')
        const { requestId } = JSON.parse(text) as { requestId?: unknown }
        expect(answer.requestId).to.equal(typeof requestId === 'number' ? requestId : undefined)
      }),
      { numRuns: 150 },
    )
  }).timeout(60_000)
})
