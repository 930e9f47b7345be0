import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { skipBecause } from '@mynah/kernel/testing'
import { serve, TOKEN, type Served } from './test/support.js'

const run = promisify(execFile)

describe('dispatcher', () => {
  let served: Served
  before(async () => {
    served = await serve()
  })
  after(() => served.stop())

  it('answers with data and requestId', async () => {
    expect(await served.call({ type: 'ping', requestId: 7 })).to.deep.equal({
      status: 200,
      answer: { success: true, data: { type: 'pong' }, requestId: 7 },
    })
    expect(await served.call({ type: 'ping' })).to.deep.equal({
      status: 200,
      answer: { success: true, data: { type: 'pong' } },
    })
    expect((await served.call({ type: 'ping', requestId: 0 })).answer.requestId).to.equal(0)
    expect((await served.call({ type: 'sample:nothing', requestId: 1.5 })).answer).to.deep.equal({
      success: true,
      data: null,
      requestId: 1.5,
    })
  })

  it('passes the fields without those of the envelope', async () => {
    const { answer } = await served.call({
      type: 'sample:flat',
      requestId: 1,
      text: 'x',
      data: { any: ['thing'] },
      other: true,
    })
    expect(answer.data).to.deep.equal({
      params: { text: 'x', data: { any: ['thing'] }, other: true, limit: 5 },
      by: 'owner',
    })
  })

  it('refuses methods that may change something to processes of the host, and lets them read', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'processes are known on Linux only')
    const answers = async (type: string): Promise<string> => {
      const { stdout } = await run(process.execPath, [
        '-e',
        `fetch('${served.origin}/api/console/request', {
          method: 'POST',
          headers: { authorization: 'Bearer ${TOKEN}', 'content-type': 'application/json' },
          body: JSON.stringify({ type: '${type}', requestId: 3 }),
        }).then(async (answer) => console.log(answer.status, JSON.stringify(await answer.json())))`,
      ])
      return stdout
    }
    expect(await answers('ping')).to.match(/^200 /)
    // A method says that it reads. One that says nothing may do anything.
    expect(await answers('sample:nothing')).to.match(/^403 .*"code":"forbidden:descendant".*"requestId":3/)
  })

  it('passes only data to a nested method', async () => {
    const { answer } = await served.call({
      type: 'sample:nested',
      requestId: 2,
      id: 'outside',
      data: { id: 'inside', type: 'ping', requestId: 99 },
    })
    expect(answer).to.deep.equal({ success: true, data: { id: 'inside', type: 'ping', requestId: 99 }, requestId: 2 })
  })

  it('never lets data replace type or requestId', async () => {
    expect((await served.call({ requestId: 3, data: { type: 'ping' } })).status).to.equal(400)
    expect((await served.call({ type: 'ping', data: { requestId: 9 } })).answer).to.not.have.property('requestId')
  })

  it('reduces the result to the declared fields', async () => {
    expect((await served.call({ type: 'sample:reduced' })).answer.data).to.deep.equal({ shown: 1 })
  })

  it('accepts requests of up to 12 MiB', async () => {
    const content = 'x'.repeat(12 * 1_048_576 - 100)
    expect((await served.call({ type: 'sample:large', content })).answer.data).to.equal(content.length)
    const { status, answer } = await served.call({ type: 'sample:large', content: `${content}${'x'.repeat(200)}` })
    expect(status).to.equal(413)
    expect(answer.code).to.equal('too_large')
  })
})

describe('catalogueOf', () => {
  let served: Served
  before(async () => {
    served = await serve()
  })
  after(() => served.stop())

  const read = async () => {
    const response = await fetch(`${served.origin}/api/console/methods`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    expect(response.status).to.equal(200)
    return (
      (await response.json()) as {
        data: {
          methods: {
            type: string
            scope: string
            params: { properties: Record<string, { properties?: object }> }
            result: unknown
          }[]
          events: { type: string; data: unknown }[]
        }
      }
    ).data
  }

  it('lists bound methods with the schemas of their wire format', async () => {
    const { methods, events } = await read()
    expect(methods.map(({ type }) => type)).to.deep.equal([
      'ping',
      'sample:fails',
      'sample:flat',
      'sample:large',
      'sample:nested',
      'sample:nothing',
      'sample:reduced',
    ])
    const named = (type: string) => methods.find((method) => method.type === type)
    expect(named('ping')).to.deep.include({ scope: 'demo', params: { type: 'object', properties: {} } })
    expect(Object.keys(named('sample:flat')?.params.properties ?? {})).to.include('text')
    expect(named('sample:flat')?.scope).to.equal('full')
    expect(Object.keys(named('sample:nested')?.params.properties.data?.properties ?? {})).to.deep.equal(['id'])
    expect(events).to.deep.equal([
      {
        type: 'sample:happened',
        summary: 'Something happened',
        data: { type: 'object', required: ['what'], properties: { what: { type: 'string' } } },
      },
    ])
  })

  it('drops the methods of a stopped plugin', async () => {
    await served.host.enable('sample', false)
    expect(await read()).to.deep.include({ events: [] })
    expect((await read()).methods.map(({ type }) => type)).to.deep.equal(['ping'])
    expect(await served.call({ type: 'sample:reduced', requestId: 4 })).to.deep.include({ status: 400 })
    expect((await served.call({ type: 'sample:reduced', requestId: 4 })).answer).to.include({
      code: 'unknown_method',
      requestId: 4,
    })
  })
})
