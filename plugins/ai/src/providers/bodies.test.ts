import { expect } from 'chai'
import { answerOf, chunk, partsOf, serviceOf, textIn, useTwoServers } from '../test/support.js'

const A = { provider: 'a', model: 'one' }
const B = { provider: 'b', model: 'two' }
const page = '<!doctype html><title>Welcome</title>'

describe('answers of servers that are no API', () => {
  const servers = useTwoServers()
  const start = () =>
    serviceOf({
      a: { sdk: 'openai-compatible', baseUrl: servers.first.url, models: ['one'] },
      b: { sdk: 'openai-compatible', baseUrl: servers.second.url, models: ['two'] },
    })

  for (const [what, status, headers, body] of [
    ['a redirect', 302, { location: 'https://login.example/' }, ''],
    ['a page for a method that it does not know', 405, { 'content-type': 'text/html' }, page],
    ['a page for a bad request', 400, { 'content-type': 'text/html' }, page],
    ['a wish for another protocol', 426, {}, ''],
    ['a conflict', 409, { 'content-type': 'application/json' }, '{}'],
    ['a model that is gone', 410, { 'content-type': 'application/json' }, '{}'],
    ['a page that is a success', 200, { 'content-type': 'text/html' }, page],
    ['plain text that is a success', 200, { 'content-type': 'text/plain' }, 'It works!'],
  ] as const) {
    it(`is ${what}: the next model is asked`, async () => {
      servers.first.play((response) => void response.writeHead(status, headers).end(body))
      expect(textIn(await partsOf(start().models, 'hi', { candidates: [A, B] }))).to.equal('from the second')
      expect(servers.first.asked).to.have.length(1)
    })
  }

  it('fails on an answer with too many calls', async () => {
    servers.first.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let index = 0; index < 300; index++)
        response.write(
          chunk({
            tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{}' } }],
          }),
        )
      response.end(chunk({}, 'tool_calls'))
    })
    const service = start()
    expect((await answerOf(service.models, 'hi', A, B)).message.content).to.deep.equal([
      { type: 'text', text: 'from the second' },
    ])
    expect(service.log.lines.map(({ message }) => message).join()).to.contain('more than 256 calls')
  })
})
