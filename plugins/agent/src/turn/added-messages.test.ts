import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { eachTest, said, until } from '../test/support.js'

describe('AddedMessages', () => {
  const rigs = eachTest()
  const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const

  it('acknowledges the words of a master while an approval waits, and takes them in afterwards', async () => {
    let approve = (): void => {}
    const approved = new Promise<void>((resolve) => (approve = resolve))
    const guarded = defineTool({
      name: 'guarded',
      description: 'needs an approval',
      parameters: Type.Object({}),
      run: async (_input, call) => {
        await call.wait('approval', 'a1', () => approved)
        return 'done'
      },
    })
    const rig = await rigs.start([{ calls: [{ name: 'guarded', input: {} }] }, 'All done.'], { tools: [guarded] })
    const first = await rig.hear('do it', owner)
    await until(() => rig.agent.turns()[0]?.state === 'waiting')
    await rig.hear('and be quick', owner)
    await until(() => rig.texts.length === 1)
    expect(rig.texts[0]).to.contain('Noted')
    approve()
    await rig.ended(first)
    expect(rig.texts.slice(1)).to.deep.equal(['All done.'])
    expect(said(rig.models.requests[1]).join('\n')).to.contain('and be quick')
  })
})
