import { expect } from 'chai'
import { At, Text } from '@mynah/plugin-chat/api'
import { eachTest, said, until } from '../test/support.js'

describe('configuration of ai.trigger', () => {
  const rigs = eachTest()

  it('answers prefixes in private chats only, removes them, and ignores other messages', async () => {
    const rig = await rigs.start(() => 'ok', {
      config: { 'ai.trigger': { respondToPrivate: false, prefixes: ['bot ', 'ai:'], ignorePrefixes: ['#'] } },
    })
    expect(await rig.say('hello')).to.deep.equal([])
    expect(await rig.say('bot hello')).to.deep.equal(['ok'])
    expect(said(rig.models.requests[0]).at(-1)).to.match(/\|hello$/)
    expect(await rig.say('#bot hello')).to.deep.equal([])
    const group = { channel: { type: 'group', id: 'g' } } as const
    expect(await rig.say('bot hello', group)).to.deep.equal([])
    expect(await rig.say('bot hello', { ...group, mentioned: true })).to.deep.equal(['ok'])
    expect(said(rig.models.requests[1]).at(-1)).to.match(/name="Ann">\nbot hello\n<\/message>/)
    expect(await rig.say('/nonsense')).to.not.include('ok')
    // A beginning with nothing behind it asks nothing.
    expect(await rig.say('ai: ')).to.deep.equal([])
    expect(rig.models.requests).to.have.length(2)
  })

  it('ignores prefixes behind a mention as well', async () => {
    const rig = await rigs.start(() => 'ok', { config: { 'ai.trigger': { ignorePrefixes: ['#', '!'] } } })
    const group = { channel: { type: 'group', id: 'g' }, mentioned: true } as const
    const at = At('bot', 'bot')
    for (const words of [' #later', '#later', ' !later'])
      expect(await rig.say([at, Text(words)], group), words).to.deep.equal([])
    expect(await rig.say([at, Text(' '), At('bob'), Text(' #later')], group)).to.deep.equal([])
    expect(await rig.say([at, Text(' see #later')], group)).to.deep.equal(['ok'])
  })

  it('skips segments of unknown types', async () => {
    const rig = await rigs.start(() => 'ok')
    const unknown = { type: 'poll', data: { text: 'for whom do you vote?' } }
    expect(await rig.say([unknown])).to.deep.equal([])
    expect(await rig.say([Text('hello'), unknown])).to.deep.equal(['ok'])
    const request = said(rig.models.requests[0]).join('\n')
    expect(request).to.contain('hello').and.not.to.contain('vote')
  })

  it('recognises masters and trusted users, on all endpoints or on one', async () => {
    const rig = await rigs.start(() => 'ok', {
      config: { 'ai.trigger': { masters: ['boss'], trusted: ['deputy', 'test|one|helper', 'test|two|other'] } },
    })
    const by = (id: string) => rig.say('/models', { sender: { id }, channel: { type: 'private', id } })
    for (const id of ['boss', 'deputy', 'helper']) expect((await by(id)).join(), id).to.include('scripted')
    for (const id of ['other', 'ann']) expect((await by(id)).join(), id).to.include('for my owner')
  })

  it('lets the answered user of a group inspect the turn, as do masters', async () => {
    const rig = await rigs.start([{ text: 'never', hold: new Promise(() => {}) }])
    const group = (id: string) => ({ channel: { type: 'group', id: 'g' }, sender: { id } }) as const
    const id = await rig.hear('hello', { ...group('ann'), mentioned: true })
    await until(() => rig.models.requests.length === 1)
    expect((await rig.say('/status', group('ann'))).join()).to.include('1 being answered')
    expect((await rig.say('/status', group('owner'))).join()).to.include('1 being answered')
    for (const command of ['/status', '/usage', '/context'])
      expect((await rig.say(command, group('bob'))).join(), command).to.include('master and trusted')
    await rig.say('/stop', group('bob'))
    expect(rig.agent.turns()).to.have.length(1)
    await rig.say('/stop', group('ann'))
    await rig.ended(id)
  })
})
