import { expect } from 'chai'
import { definePlugin } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import { Models, usageReported, type ModelPart } from '../api/models.js'
import { isModelError } from '../api/errors.js'
import { scripted, scriptedModels } from '../testing.js'

describe('scriptedModels', () => {
  const ask = async (models: Models, text = 'hi', signal?: AbortSignal) => {
    const parts: ModelPart[] = []
    for await (const part of models.stream(
      { messages: [{ role: 'user', content: text }] },
      { candidates: [], ...(signal ? { signal } : {}) },
    ))
      parts.push(part)
    return parts
  }
  const failure = async (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => (isModelError(error) ? error.class : String(error)),
    )

  it('answer in parts, and record their requests', async () => {
    const models = scriptedModels([
      { reasoning: 'hm', text: 'one two', calls: [{ name: 'f', input: { a: 1 } }] },
      { error: 'rate-limit' },
    ])
    const parts = await ask(models)
    expect(parts.map(({ type }) => type)).to.deep.equal(['start', 'reasoning', 'text', 'text', 'tool-call', 'finish'])
    expect(parts.at(-1)).to.deep.include({ reason: 'tool-calls' })
    expect(await failure(ask(models))).to.equal('rate-limit')
    expect(await failure(ask(models))).to.equal('unconfigured')
    expect(models.requests.map(({ messages }) => messages[0]?.content)).to.deep.equal(['hi', 'hi', 'hi'])
  })

  it('may be a function, and break off', async () => {
    const models = scriptedModels(({ messages }) => ({
      text: `you said ${String(messages.at(-1)?.content)}`,
      error: 'network',
    }))
    expect((await ask(models, 'x')).at(-1)).to.deep.include({ type: 'finish', reason: 'interrupted' })
  })

  it('wait, and stop with their caller', async () => {
    const abort = new AbortController()
    const held = ask(scriptedModels([{ text: 'never', hold: new Promise(() => {}) }]), 'hi', abort.signal)
    setImmediate(() => abort.abort())
    expect(await failure(held)).to.equal('aborted')
    expect(await failure(ask(scriptedModels(['x']), 'hi', AbortSignal.abort()))).to.equal('aborted')
  })

  it('replace the plugin ai in a host', async () => {
    const used: unknown[] = []
    const models = scriptedModels(['fine'], { now: () => 7 })
    const user = definePlugin({
      name: 'user',
      needs: { models: Models },
      async setup(ctx) {
        ctx.on(usageReported, (report) => void used.push(report))
        await ask(ctx.models)
        expect((await ctx.models.image({ provider: 'script', prompt: 'a fox' })).images[0]?.mediaType).to.equal(
          'image/png',
        )
      },
    })
    const { host } = await startHost([scripted(models), user])
    expect(used).to.deep.equal([
      {
        at: 7,
        kind: 'text',
        provider: 'script',
        model: 'scripted',
        usage: { input: 10, cachedInput: 0, output: 5 },
        origin: undefined,
        session: undefined,
        turn: undefined,
        purpose: undefined,
      },
    ])
    expect(models.images).to.have.length(1)
    await host.stop()
  })
})
