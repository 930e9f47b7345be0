import { expect } from 'chai'
import { mistakesIn } from '@mynah/contract/validate'
import { Type } from '@mynah/contract/type'
import { truncateMessage } from './truncate-message.js'
import { assertJsonLimits } from './json-limits.js'
import { exchange, json, serve, stopAll, TOKEN, type Served } from './test/support.js'

describe('limits of a request', () => {
  let served: Served
  before(async () => {
    served = await serve({ bodyLimit: 4_194_304 })
  })
  after(stopAll)

  const post = (body: string, headers: Record<string, string> = {}) =>
    served.fetch('/api/echo', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

  it('allow at most 10,000 keys an object', async () => {
    const keys = (count: number): string =>
      `{"value":{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`).join()}}}`
    expect((await post(keys(10_000))).status).to.equal(200)
    const answer = await post(keys(10_001))
    expect(answer.status).to.equal(400)
    expect((await json(answer)).error).to.contain('10000 keys')
  })

  it('allow at most 100,000 values in any arrangement', async () => {
    expect((await post(`{"value":[${'0,'.repeat(50_000)}0]}`)).status).to.equal(200)
    for (const text of [
      `[${'0,'.repeat(100_001)}0]`,
      `[${'[],'.repeat(60_000)}0]`,
      `[${'{"a":{"b":{}}},'.repeat(40_000)}0]`,
    ])
      expect((await post(`{"value":${text}}`)).status).to.equal(400)
  })

  it('ignore the contents of strings', async () => {
    const text = `${'{[,'.repeat(50_000)}\\"\\\\`
    expect((await json(await post(`{"value":"${text}"}`))).data).to.equal(JSON.parse(`"${text}"`))
    expect((await post(`{"value":"${'\\'.repeat(99)}"}`)).status).to.equal(400)
  })

  it('apply after the content type is trimmed', async () => {
    for (const type of [
      '  application/json  ',
      'application/json ;charset=utf-8',
      'application/json;',
      'application/json; ; charset="UTF-8" ',
      'application/json;x=y',
    ])
      expect((await post('{"value":1}', { 'content-type': type })).status, type).to.equal(200)
    const spaces = ' '.repeat(12_000)
    const answer = await exchange(
      served.port,
      `POST /api/echo HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\n` +
        `content-type: application/json${spaces};${spaces.slice(0, 2_000)}x\r\n` +
        'content-length: 2\r\nconnection: close\r\n\r\n{}',
    )
    expect(answer.status).to.equal(400)
  })

  it('truncate names in messages to 100 characters', async () => {
    const name = 'n'.repeat(5_000)
    const body = JSON.stringify({ text: 1, [name]: 1 })
    const answer = await served.fetch('/api/things', { method: 'PUT', body })
    expect((await answer.text()).length).to.be.below(1_000)
    const quoted = truncateMessage(`No plugin is called "${name}"; did you mean "x"?`)
    expect(quoted).to.equal(`No plugin is called "${'n'.repeat(100)}…"; did you mean "x"?`)
    expect(truncateMessage(`${name} is required`).length).to.be.below(130)
    expect(truncateMessage(`"${'a" '.repeat(50_000)}`).length).to.be.at.most(2_000)
    expect(truncateMessage('must be one of "a", "b"')).to.equal('must be one of "a", "b"')
  })

  it('are checked in linear time', () => {
    const shapes: ((size: number) => string)[] = [
      (size) => '['.repeat(size),
      (size) => '"'.repeat(size),
      (size) => '\\'.repeat(size),
      (size) => `"${'\\"'.repeat(size / 2)}`,
      (size) => '{"a":'.repeat(size / 5),
      (size) => ','.repeat(size),
      (size) => '[],'.repeat(size / 3),
      (size) => ' '.repeat(size),
    ]
    // A quadratic check takes hours for this length, and so more than the limit of a test.
    for (const shape of shapes)
      try {
        assertJsonLimits(shape(4_000_000))
      } catch (error) {
        expect(error).to.have.property('code', 'invalid_request')
      }
  })

  it('stop the check of a body at its first mistakes', () => {
    const schema = Type.Object({ list: Type.Array(Type.Object({ id: Type.String() })) })
    let reads = 0
    const item = {
      get id() {
        reads++
        return 1
      },
    }
    expect(mistakesIn(schema, { list: Array.from({ length: 50_000 }, () => item) })).to.have.length(1)
    expect(reads).to.be.within(1, 100)
    expect(mistakesIn(schema, { list: [{ id: 1 }, {}] })).to.have.length(2)
  })
})
