import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { eachTest, said, type Rig } from '../test/support.js'

const owner = { sender: { id: 'owner', name: 'Owner' }, channel: { type: 'private', id: 'owner' } } as const
const tool = (name: string, description = name) =>
  defineTool({ name, description, parameters: Type.Object({}), effect: 'read', run: () => `${name} ran` })
const offered = (rig: Rig, at = -1): string[] => rig.models.requests.at(at)?.tools?.map(({ name }) => name) ?? []

describe('visibleTools', () => {
  const rigs = eachTest()

  it('offers each tool once, before and after a compaction', async () => {
    const rig = await rigs.start(({ purpose }) => (purpose === 'summary' ? 'they counted' : 'ok'), {
      tools: [tool('dance')],
    })
    for (const text of ['one', 'two', 'three']) await rig.say(text, owner)
    const before = offered(rig)
    expect((await rig.say('/compact', owner)).join()).to.include('they counted')
    await rig.say('four', owner)
    expect(offered(rig)).to.deep.equal(before)
    expect(new Set(before).size).to.equal(before.length)
  })

  it('hides tools that are disabled for the model from search and calls', async () => {
    const search = {
      calls: [
        { name: 'tool_search', input: { query: 'dance a waltz' } },
        { name: 'waltz', input: {} },
      ],
    }
    const rig = await rigs.start([search, 'ok'], {
      tools: [tool('dance', 'Dances a waltz'), tool('waltz', 'A waltz')],
      config: { 'ai.agent': { maxTools: 1, modelHarness: { models: { scripted: { disabledTools: ['waltz'] } } } } },
    })
    await rig.say('dance')
    const results = said(rig.models.requests[1]).at(-1) ?? ''
    expect(results).to.include('dance: Dances a waltz').and.not.include('waltz: A waltz').and.not.include('waltz ran')
    expect(offered(rig)).to.not.include('waltz')
  })

  it('excludes permanent tools from search results', async () => {
    const rig = await rigs.start([
      { calls: [{ name: 'tool_search', input: { query: 'asks the user and finds tools' } }] },
      'ok',
    ])
    await rig.say('search')
    expect(said(rig.models.requests[1]).at(-1))
      .to.include('chat_history')
      .and.not.include('ask_user')
      .and.not.include('tool_search')
  })
})
