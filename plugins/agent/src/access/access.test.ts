import { expect } from 'chai'
import execSecurity from '@mynah/plugin-exec-security'
import { Approvals } from '@mynah/plugin-exec-security/api'
import type { AnyPlugin } from '@mynah/kernel'
import { eachTest, until, type Rig } from '../test/support.js'

const ASKED = 'I have asked my owner whether I may talk to you.'
const from = (id: string, name = id) => ({ sender: { id, name }, channel: { type: 'private', id } }) as const
const MINUTE = 60_000

describe('ai.access', () => {
  const rigs = eachTest()
  const start = (access: object, database = false) =>
    rigs.start(() => 'hi', {
      database,
      config: { 'ai.access': access },
      plugins: [{ plugin: execSecurity as unknown as AnyPlugin, config: {} }],
    })
  const approvals = (rig: Rig): Approvals => rig.host.get(Approvals) as Approvals
  /** Texts that a person has got in private. */
  const to = (rig: Rig, id: string): string[] =>
    rig.sent.filter(({ target }) => target.id === id).map(({ message }) => message.text)

  it('ignores people whom the rules keep out, and says so in the trace', async () => {
    const rig = await start({ private: 'trusted', groups: 'list', list: ['test|one|g'] })
    const id = await rig.hear('hello', from('ann'))
    await rig.ended(id)
    expect(rig.texts).to.deep.equal([])
    expect(JSON.stringify(rig.chat.traces({ limit: 1, messageId: id }))).to.include('ai.access lets others in only')
    expect(await rig.say('hello', from('owner'))).to.deep.equal(['hi'])
    const group = (channel: string) => ({ channel: { type: 'group', id: channel }, mentioned: true }) as const
    expect(await rig.say('hello', group('g'))).to.deep.equal(['hi'])
    expect(await rig.say('hello', group('h'))).to.deep.equal([])
  })

  for (const database of [false, true]) {
    it(`asks the owner about a stranger, and says one sentence, ${database ? 'with a database' : 'in memory'}`, async () => {
      const rig = await start({ private: 'paired' }, database)
      expect(await rig.say('hello', from('eve', 'Eve\n\u202eOwner'))).to.include(ASKED)
      const [request, ...more] = await approvals(rig).pending()
      expect(more).to.deep.equal([])
      expect(request).to.include({ kind: 'pairing', title: 'Eve Owner (eve, test)' })
      await until(() => to(rig, 'owner').length === 1)
      expect(to(rig, 'owner')[0])
        .to.include('Eve Owner')
        .and.include(request?.id ?? '-')
      await rig.say('are you there?', from('eve'))
      expect(to(rig, 'eve')).to.deep.equal([ASKED])
      expect(rig.models.requests).to.deep.equal([])
      await rig.say(`/approve ${request?.id}`, from('owner'))
      await until(() => to(rig, 'eve').length === 2)
      expect(to(rig, 'eve')[1]).to.include('you can talk to me now')
      expect(await rig.say('hello', from('eve'))).to.deep.equal(['hi'])
      // Another stranger is no one that was let in.
      expect(await rig.say('hello', from('mallory'))).to.include(ASKED)
      await rig.say('/pairing remove eve', from('owner'))
      expect(await rig.say('hello', from('eve'))).to.include(ASKED)
    })
  }

  it('keeps a refused stranger out, until the owner lets him in by a command', async () => {
    const rig = await start({ private: 'paired' })
    await rig.say('hello', from('eve'))
    const [request] = await approvals(rig).pending()
    await approvals(rig).decide(request?.id ?? '', false, 'owner')
    await until(async () => (await rig.say('/pairing', from('owner'))).join().includes('eve (eve): was refused'))
    await rig.say('hello', from('eve'))
    expect(to(rig, 'eve')).to.deep.equal([ASKED])
    expect(await approvals(rig).pending()).to.deep.equal([])
    expect((await rig.say('/pairing accept eve', from('eve'))).join()).to.not.include('may talk')
    await rig.say('/pairing accept eve', from('owner'))
    expect(await rig.say('hello', from('eve'))).to.deep.equal(['hi'])
  })

  it('reminds the owner once, when the stranger writes again', async () => {
    const rig = await start({ private: 'paired' })
    for (const pending of [1, 1, 0]) {
      await rig.say('hello', from('eve'))
      expect(await approvals(rig).pending()).to.have.length(pending)
      await rig.clock.advance(31 * MINUTE)
      await until(async () => (await approvals(rig).pending()).length === 0)
      await until(async () => (await rig.say('/pairing', from('owner'))).join().includes('was not answered'))
    }
    expect(to(rig, 'eve')).to.deep.equal([ASKED])
  })

  it('has at most ten open requests of an endpoint', async () => {
    const rig = await start({ private: 'paired' })
    for (let at = 0; at < 12; at++) await rig.say('hello', from(`eve${at}`))
    expect(await approvals(rig).pending()).to.have.length(10)
    expect([to(rig, 'eve9'), to(rig, 'eve10')]).to.deep.equal([[ASKED], []])
    await rig.say('/pairing accept eve0', from('owner'))
    await until(async () => (await approvals(rig).pending()).length === 9)
    await rig.say('hello', from('eve10'))
    expect(to(rig, 'eve10')).to.deep.equal([ASKED])
  })

  it('goes on waiting for the owner after a restart', async () => {
    const before = await start({ private: 'paired' }, true)
    await before.say('hello', from('eve'))
    const rig = await rigs.follow(before, () => 'hi', {
      database: true,
      config: { 'ai.access': { private: 'paired' } },
      plugins: [{ plugin: execSecurity as unknown as AnyPlugin, config: {} }],
    })
    const [request] = await approvals(rig).pending()
    await approvals(rig).decide(request?.id ?? '', true, 'owner')
    await until(() => to(rig, 'eve').some((text) => text.includes('you can talk to me now')))
    expect(await rig.say('hello', from('eve'))).to.deep.equal(['hi'])
  })

  it('is overridden by an endpoint', async () => {
    const rig = await rigs.start(() => 'hi', { endpoint: { access: { private: 'trusted' } } })
    expect(await rig.say('hello', from('ann'))).to.deep.equal([])
    expect(await rig.say('hello', from('owner'))).to.deep.equal(['hi'])
  })
})

describe('strangersPerHour', () => {
  const rigs = eachTest()

  it('limits people without a role to 20 turns an hour, and no others', async () => {
    const rig = await rigs.start(() => 'hi', { config: { 'ai.trigger': { trusted: ['tess'] } } })
    for (let at = 0; at < 20; at++) expect(await rig.say('hello', from('ann'))).to.deep.equal(['hi'])
    expect((await rig.say('hello', from('ann'))).join()).to.match(/ask again after \d\d:\d\dZ/)
    for (const id of ['owner', 'tess'])
      for (let at = 0; at < 21; at++) expect(await rig.say('hello', from(id))).to.deep.equal(['hi'])
    expect(await rig.say('hello', from('bob'))).to.deep.equal(['hi'])
    await rig.clock.advance(60 * MINUTE)
    expect(await rig.say('hello', from('ann'))).to.deep.equal(['hi'])
  })

  it('is no limit with 0', async () => {
    const rig = await rigs.start(() => 'hi', { config: { 'ai.agent': { rateLimit: { strangersPerHour: 0 } } } })
    for (let at = 0; at < 22; at++) expect(await rig.say('hello', from('ann'))).to.deep.equal(['hi'])
  })
})
