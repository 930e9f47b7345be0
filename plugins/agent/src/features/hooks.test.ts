import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { aiHook, registerAIHook, type AIHookName } from '../api.js'
import { eachTest, said, until } from '../test/support.js'

const NAMES: readonly AIHookName[] = [
  'agent:bootstrap',
  'message:received',
  'message:sent',
  'tool:call',
  'ai.session.new',
  'ai.session.compact',
]

describe('AI hooks', () => {
  const rigs = eachTest()
  const undo: (() => void)[] = []
  afterEach(() => {
    for (const each of undo.splice(0)) each()
  })
  const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const

  it('notify modules and plugins alike, with the fields of each hook', async () => {
    const modules = new Map<string, Record<string, unknown>[]>()
    const plugins = new Map<string, unknown[]>()
    for (const name of NAMES)
      undo.push(
        registerAIHook(name, (payload) => {
          modules.set(name, [...(modules.get(name) ?? []), payload as never])
        }),
      )
    const tool = defineTool({
      name: 'look',
      description: 'looks',
      parameters: Type.Object({ at: Type.String() }),
      run: ({ at }) => {
        if (at === 'dark') throw new Error('too dark')
        return 'seen'
      },
    })
    const rig = await rigs.start(
      (request, index) => {
        if (said(request).join().includes('Write a summary')) return 'a summary'
        const calls = ['it', 'dark'].map((at) => ({ name: 'look', input: { at } }))
        return index === 0 ? { calls } : 'ok'
      },
      {
        tools: [tool],
        setup: (ctx) => {
          for (const name of NAMES)
            ctx.on(aiHook(name), (payload) => {
              plugins.set(name, [...(plugins.get(name) ?? []), payload])
            })
        },
      },
    )
    for (const text of ['hello', 'there', 'you']) await rig.say(text, owner)
    await rig.say('/compact', owner)
    await rig.say('/reset', owner)
    await rig.say('anew', owner)
    await until(() => modules.get('message:sent')?.length === 4)
    for (const name of NAMES) {
      expect(plugins.get(name), name).to.deep.equal(modules.get(name))
      for (const payload of modules.get(name) ?? [])
        expect(payload, name).to.include({ type: name }).and.have.property('timestamp').that.is.a('number')
    }
    const of = (name: AIHookName, index = 0): Record<string, unknown> => modules.get(name)?.[index] ?? {}
    expect(of('agent:bootstrap')).to.include.keys('tools', 'skills', 'files')
    expect(of('message:received')).to.include({
      sessionKey: 'test|one|private|owner',
      userId: 'owner',
      content: 'hello',
      platform: 'test',
      channel: 'owner',
    })
    expect(of('message:sent')).to.include({
      sessionKey: 'test|one|private|owner',
      content: 'ok',
      platform: 'test',
      channel: 'owner',
      success: true,
    })
    expect(of('tool:call'))
      .to.deep.include({ name: 'look', arguments: { at: 'it' }, success: true })
      .and.to.have.property('durationMs')
      .that.is.a('number')
    expect(of('tool:call', 1)).to.include({ success: false }).and.to.have.property('error').that.includes('too dark')
    expect(of('ai.session.compact'))
      .to.include({ sessionKey: 'test|one|private|owner', reason: 'command', summary: 'a summary' })
      .and.include.keys('sessionId', 'messagesBefore', 'messagesAfter', 'tokensBefore', 'tokensAfter')
    expect(of('ai.session.new')).to.not.have.property('previousSessionId')
    expect(of('ai.session.new', 1)).to.include({ previousSessionId: of('ai.session.new').sessionId })
  })

  it('survive a failing handler, and stop when they are removed', async () => {
    let heard = 0
    undo.push(
      registerAIHook('message:received', () => {
        throw new Error('no')
      }),
      registerAIHook('message:received', () => Promise.reject(new Error('no'))),
    )
    const off = registerAIHook('message:received', () => {
      heard++
    })
    const rig = await rigs.start(() => 'ok')
    await rig.say('hello')
    off()
    expect(await rig.say('hello')).to.deep.equal(['ok'])
    expect(heard).to.equal(1)
    expect(
      rig.log.filter(
        ({ level, message }) => level === 'warn' && message.includes('handler of the hook message:received failed'),
      ),
    ).to.have.length(4)
  })

  it('run transforms of a request in order, until they are removed', async () => {
    const rig = await rigs.start(() => 'ok')
    const adds = (word: string) =>
      rig.agent.onTransformContext((messages, { session }) => [
        ...messages,
        { role: 'user', content: `${word} in ${session}` },
      ])
    const first = adds('one')
    adds('two')
    await rig.say('hello')
    expect(said(rig.models.requests[0]).slice(-2)).to.deep.equal([
      'user: one in test|one|private|ann',
      'user: two in test|one|private|ann',
    ])
    first()
    await rig.say('again')
    expect(said(rig.models.requests[1]).join()).to.include('two in').and.not.include('one in')
  })
})
