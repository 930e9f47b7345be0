import { expect } from 'chai'
import { Models } from '@mynah/plugin-ai/api'
import { candidatesAfter } from '../turn/model-choice.js'
import { eachWire, saidIn, type Body, type Wire } from '../test/wire.js'

const providers = { fast: ['mini', 'small'], deep: ['large'] }
const main = {
  provider: 'fast',
  model: 'mini',
  models: [{ model: 'fast:small' }, { model: 'deep:large', roles: ['trusted'] }],
}
const group = { channel: { type: 'group', id: 'crew' }, mentioned: true } as const

describe('/model and /think', () => {
  const wires = eachWire()
  const start = (agent: object = main, provider: Record<string, unknown> = {}): Promise<Wire> =>
    wires.start(() => 'ok', { providers, provider, config: { 'ai.agents': { main: agent } } })
  const lastModel = (wire: Wire): string | undefined => wire.turns.at(-1)?.model
  const effortOf = (body: Body | undefined): unknown => (body as unknown as Record<string, unknown>)['reasoning_effort']
  const say = async (wire: Wire, text: string, user?: string, where = {}): Promise<string> =>
    (await wire.host.say(text, user, where)).join('\n')

  it('a choice answers from the next message on, in this conversation alone, until it is taken back', async () => {
    const wire = await start()
    await say(wire, 'hello')
    expect(lastModel(wire)).to.equal('mini')
    expect(await say(wire, '/model fast:small')).to.include('fast:small answers')
    await say(wire, 'hello again')
    expect(lastModel(wire)).to.equal('small')
    await say(wire, 'hello', 'ben')
    expect(lastModel(wire)).to.equal('mini')
    expect(await say(wire, '/model')).to.include('Model: fast:small (chosen')
    expect(await say(wire, '/status')).to.include('Model: fast:small (chosen')
    expect(await say(wire, '/model default')).to.include('fast:mini')
    await say(wire, 'and now')
    expect(lastModel(wire)).to.equal('mini')
    expect(await say(wire, '/status')).to.not.include('Model:')
  })

  it('keeps the beginning of requests as it was', async () => {
    const wire = await start()
    await say(wire, 'hello')
    await say(wire, '/model small')
    await say(wire, 'again')
    const [before, after] = wire.turns
    expect(after?.messages.slice(0, 2)).to.deep.equal(before?.messages)
    expect(after?.tools).to.deep.equal(before?.tools)
  })

  it('can be chosen before the conversation begins, by the name alone and in any case', async () => {
    const wire = await start()
    expect(await say(wire, '/model SMALL')).to.include('fast:small')
    await say(wire, 'hello')
    expect(lastModel(wire)).to.equal('small')
  })

  it('lists what the sender may choose, and nothing else', async () => {
    const wire = await start()
    const ofStranger = await say(wire, '/model')
    expect(ofStranger).to.include('Model: fast:mini').and.include('choose: fast:small.')
    expect(await say(wire, '/model', 'tess')).to.include('choose: fast:small, deep:large.')
    expect(await say(wire, '/model', 'owner'))
      .to.include('fast:mini')
      .and.include('deep:large')
  })

  it('refuses models that the sender may not use, without a word about them', async () => {
    const wire = await start()
    for (const name of ['deep:large', 'large']) {
      const answer = await say(wire, `/model ${name}`)
      expect(answer)
        .to.match(/^There is no such model for you/)
        .and.not.include('large')
    }
    await say(wire, 'hello')
    expect(lastModel(wire)).to.equal('mini')
    expect(await say(wire, '/model mini')).to.include('own model answers again: fast:mini')
    expect(await say(wire, '/model large', 'tess')).to.include('deep:large answers')
  })

  it('names the nearest of an unknown model, and repeats no word of a hostile name', async () => {
    const wire = await start()
    expect(await say(wire, '/model smal')).to.include('Did you mean fast:small?')
    expect(await say(wire, '/model depe:large', 'owner')).to.include('Did you mean deep:large?')
    for (const name of ['@everyone', '../../etc/passwd', '"<at id=all/>"', `x${'y'.repeat(2_000)}`, '__proto__', ':']) {
      const answer = await say(wire, `/model ${name}`, 'owner')
      expect(answer, name).to.match(/^There is no such model/)
      expect(answer.length).to.be.lessThan(200)
      expect(answer).to.not.include(name)
    }
  })

  it('is for masters where no models are listed', async () => {
    const wire = await start({ provider: 'fast', model: 'mini' })
    expect(await say(wire, '/model small')).to.equal('Only a master can choose another one.')
    expect(await say(wire, '/think high', 'tess')).to.equal('Only a master can choose another one.')
    expect(await say(wire, '/model deep:large', 'owner')).to.include('deep:large')
    await say(wire, 'hello', 'owner')
    expect(lastModel(wire)).to.equal('large')
  })

  it('in a group is changed by masters and trusted users, for all', async () => {
    const wire = await start()
    expect(await say(wire, '/model small', 'ann', group)).to.include('roles master and trusted')
    expect(await say(wire, '/model', 'ann', group)).to.include('roles master and trusted')
    expect(await say(wire, '/model large', 'tess', group)).to.include('deep:large')
    await say(wire, 'hello', 'ann', group)
    expect(lastModel(wire)).to.equal('large')
  })

  it('a failure of the chosen model is followed by the models of the agent', async () => {
    const wire = await start()
    const models = wire.host.host.get(Models)
    if (!models) throw new Error('no models')
    const chosen = { provider: 'deep', model: 'large' }
    const { signal } = new AbortController()
    const chain = async (config: object) =>
      (await candidatesAfter(chosen, models, { name: 'main', config, preset: undefined }, signal)).map(
        ({ provider, model }) => `${provider}:${model}`,
      )
    expect(await chain({ ...main, fallback: ['fast:small'] })).to.deep.equal(['deep:large', 'fast:mini', 'fast:small'])
    expect(await chain({ ...main, fallback: [] })).to.deep.equal(['deep:large'])
    expect(await chain({ provider: 'fast', model: 'none' })).to.deep.equal(['deep:large'])
  })

  it('a model that is gone falls back to that of the agent, and says so once', async () => {
    const wire = await start()
    await say(wire, '/model large', 'tess')
    await wire.host.host.update('ai', {
      providers: { fast: { sdk: 'openai-compatible', apiKey: 'k', baseUrl: wire.url, models: ['mini'] } },
    })
    expect(await say(wire, 'hello', 'tess')).to.match(/^ok\n\n\(deep:large can no longer be used here/)
    expect(lastModel(wire)).to.equal('mini')
    expect(await say(wire, 'hello', 'tess')).to.equal('ok')
    expect(saidIn(wire.turns.at(-1)).join()).to.not.include('no longer')
  })

  it('sends how much the model thinks, and says where that has no effect', async () => {
    const wire = await start(main, { sdk: 'openai' })
    expect(await say(wire, '/think')).to.equal('Thinking: as configured')
    expect(await say(wire, '/think high')).to.equal('Thinking: high')
    await say(wire, 'hello')
    expect(effortOf(wire.turns.at(-1))).to.equal('high')
    expect(await say(wire, '/status')).to.include('Thinking: high')
    await say(wire, '/think default')
    await say(wire, 'hello')
    expect(effortOf(wire.turns.at(-1))).to.equal(undefined)
    const other = await start()
    expect(await say(other, '/think low'))
      .to.include('Thinking: low')
      .and.include('fast:mini has no such setting')
    await say(other, 'hello')
    expect(effortOf(other.turns.at(-1))).to.equal(undefined)
    expect(await say(other, '/think much')).to.not.include('Thinking:')
  })

  it('a request of one who has chosen nothing is the same as before', async () => {
    const wire = await start()
    await say(wire, 'hello')
    const other = await start({ provider: 'fast', model: 'mini' })
    await say(other, 'hello')
    const plain = (body: Body | undefined): string => JSON.stringify(body).replaceAll(/\d{2}:\d{2}/g, 'time')
    expect(plain(wire.turns[0])).to.equal(plain(other.turns[0]))
  })

  it('a new conversation begins with the model of the agent', async () => {
    const wire = await start()
    await say(wire, '/model small', 'owner')
    await say(wire, '/reset', 'owner')
    await say(wire, 'hello', 'owner')
    expect(lastModel(wire)).to.equal('mini')
  })
})
