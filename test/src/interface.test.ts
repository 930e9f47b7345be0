import { expect } from 'chai'
import { mistakesIn } from '@mynah/contract/validate'
import { restCalls, rpcCalls } from './calls.js'
import { events, methods, operations, pathOf, verbOf } from './declared.js'
import { WholeHost } from './whole-host.js'

describe('interface of a host with every plugin', function () {
  this.timeout(60_000)
  let host: WholeHost
  before(async () => {
    host = await WholeHost.start()
  })
  after(() => host.close())

  it('starts every plugin', () => {
    const states = host.loaded.host
      .inspect()
      .filter(({ state }) => state !== 'active')
      .map(({ name, state, error }) => `${name} ${state} ${error?.message ?? ''}`)
    expect(states).to.deep.equal([])
  })

  it('serves everything that is declared, and everything called here is declared', async () => {
    const { paths } = (await host.call('/pub/openapi.json')).json as { paths: Record<string, Record<string, unknown>> }
    const unserved = Array.from(operations).filter(([key, operation]) => {
      const template = pathOf(
        key,
        operation,
        Object.fromEntries(Array.from(key.matchAll(/[:*](\w+)/g), ([, name]) => [name, `{${name}}`] as const) as never),
      )
        .replaceAll('%7B', '{')
        .replaceAll('%7D', '}')
      return !paths[template]?.[verbOf(key).toLowerCase()]
    })
    expect(unserved.map(([key]) => key)).to.deep.equal([])
    const { data } = (await host.call('/api/console/methods')).json as {
      data: { methods: { type: string }[]; events: { type: string }[] }
    }
    const bound = data.methods.map(({ type }) => type)
    expect(bound).to.include.members(Array.from(methods.keys()))
    expect(data.events.map(({ type }) => type)).to.include.members(Array.from(events.keys()))
    expect(Object.keys(restCalls)).to.have.members(Array.from(operations.keys()))
    expect(Object.keys(rpcCalls)).to.have.members(Array.from(methods.keys()))
  })

  for (const [key, { params, query = '', body, fails }] of Object.entries(restCalls)) {
    it(`answers ${key} as declared`, async () => {
      const operation = operations.get(key) as NonNullable<ReturnType<typeof operations.get>>
      const { status, headers, text, json } = await host.call(pathOf(key, operation, params) + query, {
        method: verbOf(key),
        ...(body === undefined ? {} : { body }),
      })
      if (fails !== undefined) {
        expect(json, text).to.include({ success: false, code: fails })
        expect(operation.errors).to.include(fails)
        return
      }
      expect(status, text).to.equal(operation.status ?? 200)
      if (operation.raw !== undefined) {
        expect(headers.get('content-type')?.replaceAll(' ', '')).to.match(
          new RegExp(`^${operation.raw.split(';')[0] as string}`),
        )
        expect(text).not.to.equal('')
        return
      }
      expect(headers.get('content-type')).to.equal('application/json; charset=utf-8')
      if (operation.reply) expect(mistakesIn(operation.reply, json), text).to.deep.equal([])
      else {
        expect(Object.keys(json)).to.deep.equal(['success', 'data'])
        expect(mistakesIn(operation.data as object, json.data), text).to.deep.equal([])
      }
    })
  }

  it('answers every method as declared', async () => {
    const answers = new Map<string, unknown>()
    const wrong: string[] = []
    for (const [type, { params, fails }] of Object.entries(rpcCalls)) {
      const method = methods.get(type) as NonNullable<ReturnType<typeof methods.get>>
      const sent = params?.((key) => answers.get(key) as never) ?? {}
      const { status, text, json } = await host.rpc(type, method.nested ? { data: sent } : sent)
      expect(json.requestId, type).to.equal(7)
      if (fails !== undefined) {
        if (status !== 400 || json.code !== fails) wrong.push(`${type}: ${text}`)
        continue
      }
      const mistakes = json.success === true ? mistakesIn(method.data, json.data) : []
      if (status !== 200 || json.success !== true || mistakes.length)
        wrong.push(`${type}: ${text.slice(0, 300)} ${JSON.stringify(mistakes)}`)
      answers.set(type, json.data)
    }
    expect(wrong).to.deep.equal([])
  })

  it('logs no error', () => {
    expect(host.log.filter(({ level }) => level === 'error')).to.deep.equal([])
  })
})
