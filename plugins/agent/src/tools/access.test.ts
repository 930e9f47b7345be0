import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool, toolPolicies, type Tool, type ToolPolicy } from '@mynah/plugin-ai/api'
import { eachTest, said, type Rig } from '../test/support.js'

const tool = (name: string, more: Partial<Tool> = {}) =>
  defineTool({ name, description: name, parameters: Type.Object({}), run: () => `${name} ran`, ...more })
const group = (id: string, role?: 'owner' | 'admin', channel = 'g') =>
  ({ channel: { type: 'group', id: channel }, sender: { id, ...(role ? { role } : {}) }, mentioned: true }) as const
const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const
const offered = (rig: Rig, at = -1): string[] => rig.models.requests.at(at)?.tools?.map(({ name }) => name) ?? []
const lastResult = (rig: Rig): string => said(rig.models.requests.at(-1)).at(-1) ?? ''

/** Calls a tool for each message, and answers then. */
const calling =
  (name: string) =>
  ({ messages }: { readonly messages: readonly { readonly role: string }[] }) =>
    messages.at(-1)?.role === 'tool' ? 'done' : { calls: [{ name, input: {} }] }

describe('ToolAccess', () => {
  const rigs = eachTest()

  for (const [role, platformRole] of [
    ['group_admin', 'admin'],
    ['group_admin', 'owner'],
    ['group_owner', 'owner'],
  ] as const) {
    it(`lets a group ${platformRole} call tools for ${role}, in that group only`, async () => {
      const rig = await rigs.start(calling('mute'), { tools: [tool('mute', { requiredAnyRole: [role] })] })
      await rig.say('mute him', group('ann', platformRole))
      expect(lastResult(rig)).to.include('mute ran')
      expect(offered(rig)).to.include('mute')
      await rig.say('mute him', group('ann', undefined, 'other'))
      expect(lastResult(rig)).to.include(`it needs one of ${role}`)
      await rig.say('mute him', { sender: { id: 'ann', role: platformRole }, channel: { type: 'private', id: 'ann' } })
      expect(lastResult(rig)).to.include(`it needs one of ${role}`)
    })
  }

  it('offers and finds only what the sender may call', async () => {
    const script = ({ messages }: { readonly messages: readonly { readonly role: string }[] }) =>
      messages.at(-1)?.role === 'tool'
        ? 'done'
        : { calls: [{ name: 'tool_search', input: { query: 'open the safe' } }] }
    const rig = await rigs.start(script, {
      tools: [tool('safe', { description: 'Opens the safe', requiredAnyRole: ['master'] }), tool('door')],
    })
    await rig.say('hello')
    expect(offered(rig, 0)).to.include('door').and.not.include('safe')
    expect(lastResult(rig)).to.not.include('Opens the safe')
    expect(JSON.stringify(rig.models.requests)).to.not.include('Opens the safe')
    await rig.say('hello', owner)
    expect(offered(rig)).to.include('safe')
  })

  it('keeps the prompt of each kind of sender in a group', async () => {
    const rig = await rigs.start(() => 'ok', { tools: [tool('safe', { requiredAnyRole: ['master'] })] })
    for (const id of ['ann', 'owner', 'bob', 'owner', 'ann']) await rig.say('hello', group(id))
    const sent = rig.models.requests.map(({ tools, messages }) => JSON.stringify([tools, messages[0]]))
    const [ann, boss] = sent
    expect(ann).to.not.equal(boss)
    expect(sent).to.deep.equal([ann, boss, ann, boss, ann])
    expect(rig.models.requests.map((_, at) => offered(rig, at).includes('safe'))).to.deep.equal([
      false,
      true,
      false,
      true,
      false,
    ])
    // A summary replaces the prompts of all.
    expect((await rig.say('/compact', group('owner'))).join()).to.include('Compacted')
    await rig.say('hello', group('ann'))
    expect(offered(rig)).to.not.include('safe')
    await rig.say('hello', group('owner'))
    expect(offered(rig)).to.include('safe')
  })

  it('takes the roles and the refusals of policies', async () => {
    let policy: ToolPolicy = { name: 'test', roles: ({ name }) => (name === 'door' ? ['trusted'] : undefined) }
    const rig = await rigs.start(calling('door'), {
      tools: [tool('door')],
      setup: (ctx) =>
        void ctx.contribute(toolPolicies, {
          name: 'test',
          roles: (one) => policy.roles?.(one),
          refuse: (one, caller) => policy.refuse?.(one, caller),
        }),
    })
    await rig.say('open')
    expect(lastResult(rig)).to.include('it needs one of trusted')
    policy = {
      name: 'test',
      refuse: (_, { origin }) => (origin.user === 'bob' ? 'the door is not for bob' : undefined),
    }
    await rig.say('open')
    expect(lastResult(rig)).to.include('door ran')
    await rig.say('open', { sender: { id: 'bob' }, channel: { type: 'private', id: 'bob' } })
    expect(lastResult(rig)).to.include('the door is not for bob')
  })

  it('runs no tool before the first step that the sender may not call', async () => {
    let runs = 0
    const peek = tool('peek', {
      effect: 'read',
      preExec: () => ({}),
      run: () => {
        runs++
        return 'peeked'
      },
    })
    const rig = await rigs.start(() => 'ok', {
      tools: [peek],
      setup: (ctx) => void ctx.contribute(toolPolicies, { name: 'test', roles: () => ['master'] }),
    })
    await rig.say('hello')
    expect(runs).to.equal(0)
    await rig.say('hello', owner)
    expect(runs).to.equal(1)
  })
})
