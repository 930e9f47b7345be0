import { expect } from 'chai'
import { ModelServer } from './model-server.js'
import { say } from './sandbox-talk.js'
import { WholeHost } from './whole-host.js'

describe('The model that was chosen for a conversation', () => {
  let host: WholeHost
  let server: ModelServer
  before(async function () {
    this.timeout(60_000)
    server = await ModelServer.start(() => 'fine')
    host = await WholeHost.start(`ai:
  providers: { play: { sdk: openai, baseUrl: "${server.url}", apiKey: none, models: [player, reader, gpt-4o] } }
  agents:
    main: { provider: play, model: player, models: [{ model: "play:reader" }, { model: "play:gpt-4o", roles: [trusted] }] }
`)
  })
  after(async () => {
    await host.close()
    await server.stop()
  })

  const bob = { user: 'bob' }
  const last = (): Record<string, unknown> => JSON.parse(server.bodies.at(-1) ?? '{}') as Record<string, unknown>

  it('answers on the wire after a restart, and thinks as much as was chosen', async function () {
    this.timeout(120_000)
    await say(host, 'hello', bob)
    expect(last()).to.include({ model: 'player' }).and.not.have.property('reasoning_effort')
    expect((await say(host, '/model gpt-4o', bob)).join()).to.include('no such model')
    expect((await say(host, '/model reder', bob)).join()).to.include('Did you mean play:reader?')
    await say(host, '/model reader', bob)
    await say(host, '/think low', bob)
    await host.restart()
    await say(host, 'hello again', bob)
    expect(last()).to.include({ model: 'reader', reasoning_effort: 'low' })
    expect((await say(host, '/status', bob)).join())
      .to.include('play:reader')
      .and.include('Thinking: low')
    await say(host, 'hello')
    expect(last()).to.include({ model: 'player' }).and.not.have.property('reasoning_effort')
  })

  it('is shown with its session', async () => {
    const { json } = await host.rpc('agent:sessions', { filter: 'bob' })
    const [session] = (json['data'] as { sessions: Record<string, unknown>[] }).sessions
    expect(session).to.include({ model: 'play:reader', thinking: 'low' })
  })
})
