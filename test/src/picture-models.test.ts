import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { ModelServer, type Play } from './model-server.js'
import { WholeHost } from './whole-host.js'

const PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from('a red kite'),
]).toString('base64')

describe('picture in a message', function () {
  this.timeout(120_000)
  let host: WholeHost | undefined
  let server: ModelServer | undefined
  afterEach(async () => {
    await host?.close()
    await server?.stop()
    host = server = undefined
  })

  /** Sends a picture; gives the words of the bot and the requests of the turn, as model and text. */
  async function shown(
    play: Play,
    ai: (url: string) => string,
  ): Promise<{ words: string; asked: { model: string | undefined; text: string }[] }> {
    server = await ModelServer.start(play)
    host = await WholeHost.start(`ai:\n${ai(server.url)}`)
    const channel = { type: 'private', id: 'alice' }
    const { json } = await host.rpc('sandbox:send', {
      data: {
        endpointId: 'sandbox',
        channel,
        sender: { id: 'alice' },
        content: [
          { type: 'text', data: { text: 'what is it?' } },
          { type: 'image', data: { base64: PNG } },
        ],
      },
    })
    const { messageId } = json['data'] as { messageId: string }
    for (;;) {
      const { json: traced } = await host.rpc('chat:traces', { messageId })
      if ((traced['data'] as { traces: { endedAt?: number }[] }).traces[0]?.endedAt !== undefined) break
      await setTimeout(10)
    }
    const history = await host.rpc('sandbox:history', { data: { endpointId: 'sandbox', channel } })
    return {
      words: history.text,
      asked: server.asked.map((asked) => ({ model: asked.model, text: JSON.stringify(asked.messages.at(-1)) })),
    }
  }

  it('goes to the agent for pictures, and to the next vision model if the first fails', async () => {
    const { words, asked } = await shown(
      (request) => (request.model === 'looker' ? { failure: { status: 429, message: 'too many' } } : 'A red kite.'),
      (url) => `  providers:
    words: { sdk: openai, baseUrl: "${url}", apiKey: k, models: [writer], capabilities: { vision: false } }
    eyes: { sdk: openai, baseUrl: "${url}", apiKey: k, models: [looker, watcher] }
  agents: { main: { provider: words, model: writer }, vision: { provider: eyes, model: looker } }
`,
    )
    expect(asked.map(({ model }) => model)).to.deep.equal(['looker', 'watcher'])
    for (const { text } of asked) expect(text).to.include(`data:image/png;base64,${PNG}`)
    expect(words).to.include('A red kite.')
  })

  it('is described as missing to a model without vision', async () => {
    const { words, asked } = await shown(
      () => 'I have no eyes.',
      (url) =>
        `  providers:\n` +
        `    words: { sdk: openai, baseUrl: "${url}", apiKey: k, models: [writer], capabilities: { vision: false } }\n`,
    )
    expect(asked).to.have.length(1)
    expect(asked[0]?.text).to.include('[image: cannot be shown to this model]').and.not.include(PNG)
    expect(words).to.include('I have no eyes.')
  })
})
