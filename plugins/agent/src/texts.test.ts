import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { introspectionSources } from '@mynah/plugin-introspection/api'
import type { Reader } from '@mynah/kernel'
import { eachTest } from './test/support.js'

const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const

describe('texts of the agent', () => {
  const rigs = eachTest()

  it('name /reset to those who may use it, and to others the owner', async () => {
    const rig = await rigs.start(() => ({ error: 'overflow' }))
    expect((await rig.say('hello', owner)).join()).to.include('Use /reset')
    expect((await rig.say('hello')).join())
      .to.include('My owner can start a new one')
      .and.not.include('Use /reset')
  })

  it('tell an empty account from a wrong key', async () => {
    const rig = await rigs.start([{ error: 'billing' }, { error: 'auth' }])
    expect((await rig.say('hello')).join())
      .to.include('no credit left')
      .and.not.include('key')
    expect((await rig.say('hello')).join()).to.include('refuses the host’s key')
  })

  it('tell what was done when the rounds are used up, and offer to go on', async () => {
    const look = defineTool({
      name: 'look',
      description: 'look',
      parameters: Type.Object({}),
      run: () => Math.random(),
    })
    const rig = await rigs.start(
      ({ toolChoice }) => (toolChoice === 'none' ? '' : { calls: [{ name: 'look', input: {} }] }),
      { tools: [look], config: { 'ai.agent': { maxIterations: 4 } } },
    )
    const [said] = await rig.say('look around')
    expect(said).to.include('So far: look × 3.').and.include('Say "go on"')
  })

  it('give one reason why nothing was compacted', async () => {
    const rig = await rigs.start(({ purpose }) => (purpose === 'summary' ? { error: 'server' } : 'ok'))
    await rig.say('hello', owner)
    expect((await rig.say('/compact', owner)).join()).to.equal('There is nothing to compact.')
    for (const text of ['one', 'two', 'three']) await rig.say(text, owner)
    expect((await rig.say('/compact', owner)).join()).to.match(/^No summary could be made/)
  })

  it('name the provider that has the model of an agent', async () => {
    let sources: Reader<{ readonly resource: string; items(): readonly unknown[] }> | undefined
    const rig = await rigs.start(['hi'], {
      config: { 'ai.agents': { main: { model: 'scripted' }, other: { provider: 'elsewhere', model: 'x' } } },
      setup: (ctx) => {
        sources = ctx.read(introspectionSources) as never
      },
    })
    await rig.say('hello')
    const bindings = sources
      ?.all()
      .find(({ value }) => value.resource === 'bindings')
      ?.value.items()
    expect(bindings).to.deep.include.members([
      { name: 'main', provider: 'script', model: 'scripted', mcpServers: [], hasAgentFile: false },
      { name: 'other', provider: 'elsewhere', model: 'x', mcpServers: [], hasAgentFile: false },
    ])
  })
})
