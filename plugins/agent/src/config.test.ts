import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { eachTest, until } from './test/support.js'

describe('configuration of the agent', () => {
  const rigs = eachTest()
  const tools = ['one', 'two', 'three'].map((name) =>
    defineTool({ name, description: name, parameters: Type.Object({}), run: () => name }),
  )
  const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const

  it('warns of removed keys with their replacement, and starts', async () => {
    const rig = await rigs.start(['hi'], {
      config: {
        'ai.trigger': { permissionLevel: 3 },
        'ai.agent': { chatModel: 'x', visionModel: 'y', permissionLevel: 1, execAsk: true },
      },
    })
    expect(await rig.say('hello')).to.deep.equal(['hi'])
    const warned = rig.log
      .filter(({ level, message }) => level === 'warn' && message.includes('was removed'))
      .map(({ message }) => message)
    expect(warned).to.have.length(5)
    expect(warned.join('\n'))
      .to.match(/ai\.trigger\.permissionLevel was removed.*ai\.trigger\.masters/)
      .and.include('use ai.agents.main.model')
      .and.include('use ai.agent.execApprovalMode')
  })

  for (const [what, agent, most] of [
    [
      'the patterns of a provider over what is built in',
      { modelHarness: { providerPatterns: { 's*': { maxTools: 1 } } } },
      1,
    ],
    [
      'what is said of the agent over patterns',
      { maxTools: 2, modelHarness: { providerPatterns: { 's*': { maxTools: 1 } } } },
      2,
    ],
    [
      'what is said of a model over all',
      {
        maxTools: 2,
        modelHarness: {
          providerPatterns: { '*': { maxTools: 1 } },
          models: { scripted: { maxTools: 1 }, 'script:scripted': { maxTools: 3 } },
        },
      },
      3,
    ],
  ] as const) {
    it(`takes ${what}`, async () => {
      const rig = await rigs.start(['hi'], { tools, config: { 'ai.agent': agent } })
      await rig.say('hello')
      const offered = rig.models.requests[0]?.tools?.map(({ name }) => name) ?? []
      expect(offered.filter((name) => !['ask_user', 'tool_search'].includes(name))).to.have.length(most)
    })
  }

  for (const database of [false, true]) {
    it(`ends an idle conversation, also for readers, ${database ? 'with a database' : 'in memory'}`, async () => {
      const rig = await rigs.start(['one', 'two', 'three'], {
        database,
        config: { 'ai.sessions': { expireMs: 60_000 } },
      })
      await rig.say('hello', owner)
      await rig.clock.advance(30_000)
      expect((await rig.say('/tree', owner)).join()).to.include('1. hello')
      await rig.clock.advance(61_000)
      for (const command of ['/tree', '/status', '/context'])
        expect((await rig.say(command, owner)).join(), command).to.include('no conversation')
      await rig.say('again', owner)
      await until(() => rig.models.requests.length === 2)
      expect(JSON.stringify(rig.models.requests[1]?.messages)).to.not.include('hello')
    })
  }
})
