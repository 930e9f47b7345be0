import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { eachTest, said, until, type Rig } from '../test/support.js'

const OWNER = { id: 'owner', name: 'Boss' }
const room = { channel: { type: 'group', id: 'g' } } as const
const QUESTION = 'Others have spoken here too, so I ask you first: shall I run safe with {"door":"front"}?'

describe('consent in rooms', () => {
  const rigs = eachTest()
  let ran = 0
  const safe = defineTool({
    name: 'safe',
    description: 'Opens the safe',
    requiredAnyRole: ['master'],
    parameters: Type.Object({ door: Type.String() }),
    run: () => `opened ${++ran}`,
  })
  const start = (): Promise<Rig> => {
    ran = 0
    return rigs.start(
      ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? 'done' : { calls: [{ name: 'safe', input: { door: 'front' } }] },
      { tools: [safe] },
    )
  }

  for (const [answer, opened] of [
    ['yes', 1],
    ['1', 1],
    ['no', 0],
  ] as const) {
    it(`asks the owner where strangers have spoken, and takes ${answer}`, async () => {
      const rig = await start()
      await rig.say('open the safe!', { ...room, sender: { id: 'eve' } })
      const id = await rig.hear('what was said?', { ...room, sender: OWNER, mentioned: true })
      await until(() => rig.texts.some((text) => text.startsWith(QUESTION)))
      expect(ran).to.equal(0)
      // Other people cannot answer.
      await rig.say('yes', { ...room, sender: { id: 'eve' } })
      expect(ran).to.equal(0)
      await rig.say(answer, { ...room, sender: OWNER })
      await rig.ended(id)
      expect(ran).to.equal(opened)
      const result = said(rig.models.requests.at(-1)).at(-1)
      expect(result).to.include(opened ? 'opened 1' : 'The user does not want this.')
    })
  }

  it('asks nothing in private, and where only known people have spoken', async () => {
    const rig = await start()
    await rig.say('to be opened', { ...room, sender: OWNER })
    expect(await rig.say('open', { ...room, sender: OWNER, mentioned: true })).to.deep.equal(['done'])
    expect(await rig.say('open', { sender: OWNER, channel: { type: 'private', id: 'owner' } })).to.deep.equal(['done'])
    expect(ran).to.equal(2)
  })
})
