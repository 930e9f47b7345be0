// Servers of models in the process of the host: they answer as long as the configuration has no provider.
import { expect } from 'chai'
import { definePlugin } from '@mynah/kernel'
import { startHost, until, type TestHost } from '@mynah/kernel/testing'
import { modelServers, Models } from '../api.js'
import ai from '../index.js'
import { answerOf, chunk, PlayedServer, refused, streamed } from '../test/support.js'

describe('servers of models in the process', () => {
  let running: TestHost
  let server: PlayedServer
  const asked: string[] = []
  const played = (text: string) =>
    definePlugin({
      name: 'played',
      setup(ctx) {
        ctx.contribute(modelServers, {
          alias: 'played',
          async handle(request) {
            asked.push(`${request.method} ${request.url} ${(await request.text()).includes('"hi"')}`)
            if (request.method === 'GET') return Response.json({ data: [{ id: 'one' }] })
            return new Response(`${chunk({ content: text })}${chunk({}, 'stop')}data: [DONE]\n\n`, {
              headers: { 'content-type': 'text/event-stream' },
            })
          },
        })
      },
    })
  const models = (): Models => running.host.get(Models) as Models
  const aliases = (): string[] =>
    models()
      .list()
      .map(({ alias }) => alias)
  const answer = async (): Promise<string> => {
    const message = await answerOf(models() as never, 'hi', ...(await models().candidatesFor({})))
    return JSON.stringify(message.message.content)
  }

  beforeEach(async () => {
    asked.length = 0
    server = await PlayedServer.start((response, { path }) =>
      path.endsWith('/models') ? void response.end('{"data": [{"id": "real"}]}') : streamed(response, 'from outside'),
    )
    running = await startHost([{ plugin: ai as never, config: {} }, { plugin: played('from inside') as never }])
    await until(() => models().list()[0]?.status === 'ready')
  })
  afterEach(async () => {
    await running.host.stop()
    await server.stop()
  })

  it('are asked without a port, also when they come after the plugin', async () => {
    expect(models().list()).to.deep.equal([
      {
        alias: 'played',
        sdk: 'openai-compatible',
        status: 'ready',
        inProcess: true,
        models: [{ id: 'one', score: models().list()[0]?.models[0]?.score, capabilities: {} }],
      },
    ])
    expect(await answer()).to.contain('from inside')
    expect(asked).to.deep.equal([
      'GET http://played.invalid/v1/models false',
      'POST http://played.invalid/v1/chat/completions true',
    ])
  })
  it('give way to the first provider of the configuration at once, and never answer in its place', async () => {
    const main = { sdk: 'openai-compatible', apiKey: 'k', baseUrl: server.url }
    await running.host.update('ai', { providers: { main } })
    expect(await answer()).to.contain('from outside')
    expect(aliases()).to.deep.equal(['main'])
    server.play((response) => refused(response, 401, { message: 'no' }))
    expect(await answer().catch(({ class: failure }: { class: string }) => failure)).to.equal('auth')
    await running.host.update('ai', {})
    expect(await answer()).to.contain('from inside')
  })

  it('go with their plugin, and are asked at their address where the configuration names it', async () => {
    const inside = { sdk: 'openai-compatible', apiKey: 'none', baseUrl: 'http://played.invalid/v1' }
    await running.host.update('ai', { providers: { inside } })
    expect(await answer()).to.contain('from inside')
    await running.host.update('ai', {})
    expect(aliases()).to.deep.equal(['played'])
    await running.host.remove('played')
    expect(aliases()).to.deep.equal([])
  })
})
