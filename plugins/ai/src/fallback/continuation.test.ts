import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import type { Finish, ModelPart, ModelRequest } from '../api/models.js'
import type { ProviderConfig } from '../config.js'
import {
  brokenOff,
  chunk,
  cutAtLength,
  partsAfterWaits,
  refused,
  serviceOf,
  streamed,
  textIn,
  useTwoServers,
} from '../test/support.js'

const A = { provider: 'a', model: 'one' }
const B = { provider: 'b', model: 'two' }

describe('an answer that breaks off', () => {
  const servers = useTwoServers()
  let clock: TestClock
  const start = (more: Partial<ProviderConfig> = {}) =>
    serviceOf(
      {
        a: { sdk: 'openai-compatible', baseUrl: servers.first.url, models: ['one'], ...more },
        b: { sdk: 'openai-compatible', baseUrl: servers.second.url, models: ['two'] },
      },
      { clock },
    )
  const ask = (
    models: ReturnType<typeof start>['models'],
    candidates: (typeof A)[],
    request: Partial<ModelRequest> = {},
  ) => partsAfterWaits(models, { messages: [{ role: 'user', content: 'hi' }], ...request }, { candidates }, clock)
  const end = (parts: readonly ModelPart[]): Finish => parts.at(-1) as Finish
  const messagesOf = (body: unknown) => (body as { messages: { role: string; content: string }[] }).messages

  beforeEach(() => {
    clock = new TestClock()
  })

  it('is gone on with by the next model, which gets what is there', async () => {
    servers.first.play((response) => brokenOff(response, 'the beginning '))
    servers.second.play((response) => streamed(response, 'and the end.'))
    const { models, used } = start()
    const parts = await ask(models, [A, B])
    expect(textIn(parts)).to.equal('the beginning and the end.')
    expect(parts.map(({ type }) => type).filter((type) => type !== 'text')).to.deep.equal([
      'start',
      'fallback',
      'start',
      'finish',
    ])
    expect(parts.find(({ type }) => type === 'fallback')).to.include({ kept: true })
    expect(end(parts)).to.deep.include({
      reason: 'stop',
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'the beginning and the end.' }],
        model: 'b:two',
      },
    })
    const asked = messagesOf(servers.second.asked[0]?.body)
    expect(asked.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user'])
    expect(asked[1]?.content).to.equal('the beginning ')
    expect(used).to.have.length(2)
  })

  it('is gone on with by its own model when there is no other', async () => {
    servers.first.play((response, _asked, index) =>
      index === 0 ? brokenOff(response, 'one, ') : streamed(response, 'two.'),
    )
    const parts = await ask(start().models, [A])
    expect(textIn(parts)).to.equal('one, two.')
    expect(end(parts).reason).to.equal('stop')
  })

  it('keeps what is there through failures of those that shall go on', async () => {
    servers.first.play((response, _asked, index) =>
      index === 0 ? brokenOff(response, 'one, ') : streamed(response, 'two.'),
    )
    servers.second.play((response) => refused(response, 529, { message: 'busy' }))
    const parts = await ask(start().models, [A, B])
    expect(textIn(parts)).to.equal('one, two.')
    expect(parts.filter(({ type }) => type === 'fallback').every((part) => 'kept' in part)).to.equal(true)
  })

  it('ends with what is there and the reason when no model can go on', async () => {
    servers.first.play((response, _asked, index) =>
      index === 0 ? brokenOff(response, 'one, ') : refused(response, 401, { message: 'no' }),
    )
    const parts = await ask(start().models, [A])
    expect(textIn(parts)).to.equal('one, ')
    expect(end(parts)).to.include({ reason: 'interrupted' })
    expect(end(parts).message.content).to.deep.equal([{ type: 'text', text: 'one, ' }])
    expect(end(parts).error?.class).to.equal('network')
  })

  it('is not gone on with for ever', async () => {
    servers.first.play((response) => brokenOff(response, 'again '))
    const parts = await ask(start().models, [A])
    expect(end(parts).reason).to.equal('interrupted')
    expect(servers.first.asked).to.have.length(5)
    expect(textIn(parts)).to.equal('again '.repeat(5))
  })

  it('may go on with calls of tools', async () => {
    servers.first.play((response) => brokenOff(response, 'Let me look. '))
    servers.second.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(
        chunk({ tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }] }),
      )
      response.write(chunk({}, 'tool_calls'))
      response.end('data: [DONE]\n\n')
    })
    const parts = await ask(start().models, [A, B])
    expect(end(parts).reason).to.equal('tool-calls')
    expect(end(parts).message.content).to.deep.equal([
      { type: 'text', text: 'Let me look. ' },
      { type: 'tool-call', id: 'x', name: 'f', input: {} },
    ])
  })

  it('asks a model to go on that has reached the limit of its output', async () => {
    servers.first.play((response, _asked, index) =>
      index < 2 ? cutAtLength(response, `part ${index}, `) : streamed(response, 'the end.'),
    )
    const { models } = start()
    const parts = await ask(models, [A, B])
    expect(textIn(parts)).to.equal('part 0, part 1, the end.')
    expect(end(parts)).to.include({ reason: 'stop', model: 'one' })
    expect(messagesOf(servers.first.asked[2]?.body)[1]?.content).to.equal('part 0, part 1, ')
    expect(models.model(A)).not.to.have.property('cooldownUntil')
  })

  it('ends at a limit that is reached again and again', async () => {
    servers.first.play((response) => cutAtLength(response, 'more '))
    const parts = await ask(start().models, [A])
    expect(end(parts).reason).to.equal('length')
    expect(textIn(parts)).to.equal('more '.repeat(4))
  })

  it('ends at a limit that the caller has set', async () => {
    servers.first.play((response) => cutAtLength(response, 'short'))
    const parts = await ask(start().models, [A], { maxOutputTokens: 5 })
    expect(end(parts).reason).to.equal('length')
    expect(servers.first.asked).to.have.length(1)
  })
})
