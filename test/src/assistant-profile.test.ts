import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { ModelServer } from './model-server.js'
import { WholeHost } from './whole-host.js'

describe('profile of the assistant', function () {
  this.timeout(60_000)
  let host: WholeHost | undefined
  let server: ModelServer | undefined
  afterEach(async () => {
    await host?.close()
    await server?.stop()
  })

  it('is part of the prompt between memory and persona, only in chats with the owner', async () => {
    server = await ModelServer.start(() => 'Tea?')
    host = await WholeHost.start(`ai:
  providers: { play: { sdk: openai-compatible, baseUrl: "${server.url}", apiKey: key, models: [player] } }
  agents: { main: { provider: play, model: player } }
`)
    await writeFile(join(host.folder, 'SOUL.md'), 'You are a magpie.')
    await mkdir(join(host.folder, 'data/memory'), { recursive: true })
    await writeFile(join(host.folder, 'data/memory/MEMORY.md'), 'The cup is blue.')
    for (const id of ['alice', 'bob']) {
      const answers = server.bodies.length
      await host.rpc('sandbox:send', {
        data: { endpointId: 'sandbox', channel: { type: 'private', id }, sender: { id }, content: 'hello' },
      })
      await until(() => (server?.bodies.length ?? 0) > answers)
    }
    const [owner, other] = server.asked.map(({ messages: [system] }) => String(system?.content)) as [string, string]
    const places = ['The cup is blue.', 'Ada likes tea.', 'You are a magpie.'].map((text) => owner.indexOf(text))
    expect(places, owner)
      .to.deep.equal([...places].sort((a, b) => a - b))
      .and.to.not.include(-1)
    expect(other).to.include('magpie').and.not.include('likes tea')
  })
})
