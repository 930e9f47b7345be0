import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import { isOfSlack } from '../api.js'
import { Lanes } from '../lanes.js'
import { Positions } from '../positions.js'
import { BOB, FIRST, ROOM, SlackServer } from './slack-server.js'
import { SlackHost, until } from './slack-host.js'

describe('Sockets of Slack', function () {
  this.timeout(60_000)
  let bot: SlackHost
  afterEach(() => bot.stop())

  const hear = async (text: string): Promise<void> => {
    const heard = bot.messages.length
    await bot.server.say(text)
    await bot.hears(heard + 1)
  }

  for (const reason of ['refresh_requested', 'warning'])
    it(`are replaced without a gap after ${reason}: the next one opens before the last closes`, async () => {
      bot = await SlackHost.start()
      await hear('before')
      bot.server.frame({ type: 'disconnect', reason, debug_info: {} })
      await until(() => bot.server.sockets().length === 2, 'the second socket, while the first is open')
      // Slack delivers over any of them.
      for (const text of ['one', 'two', 'three', 'four']) await bot.server.say(text)
      await bot.hears(5)
      bot.server.sockets()[0]?.close()
      await until(() => bot.server.sockets().length === 1, 'the end of the first socket')
      await hear('after')
      // Two connections have no common order.
      expect(bot.texts).to.have.members(['before', 'one', 'two', 'three', 'four', 'after'])
      expect([bot.texts[0], bot.texts[5]]).to.deep.equal(['before', 'after'])
      expect(bot.server.log).to.deep.equal(['open', 'open', 'close'])
      expect(bot.status).to.equal('online')
      // The history was not asked for.
      expect(bot.server.http.transcript.filter((line) => line.includes('history'))).to.deep.equal([])
    })

  it('are acknowledged once the message is accepted', async () => {
    bot = await SlackHost.start()
    await hear('hello')
    await until(() => bot.server.acknowledged.length === 1, 'the acknowledgement')
    expect(bot.server.waiting).to.equal(0)
  })

  it('that are switched off name what to change', async () => {
    bot = await SlackHost.start()
    bot.server.frame({ type: 'disconnect', reason: 'link_disabled', debug_info: {} })
    await until(() => bot.status !== 'online', 'the end of the connection')
    expect(await bot.reason())
      .to.include('Socket Mode')
      .and.include('link_disabled')
  })

  it('need a token of the app, which the reason names', async () => {
    bot = new SlackHost(await new SlackServer().listen(), { appToken: 'xapp-no-such-app' })
    await bot.run()
    await until(async () => (await bot.reason()) !== '', 'a reason')
    expect(await bot.reason())
      .to.include('`appToken`')
      .and.include('invalid_auth')
      .and.not.include('no-such-app')
    await bot.halt()
    bot = new SlackHost(bot.server, { appToken: undefined })
    await bot.run()
    await until(async () => (await bot.reason()) !== '', 'a reason')
    expect(await bot.reason())
      .to.include('`appToken`')
      .and.include('`signingSecret`')
  })

  it('do not take events of other workspaces', async () => {
    bot = await SlackHost.start()
    const event = { type: 'message', channel: ROOM, user: BOB, text: 'elsewhere', ts: bot.server.newTs() }
    await bot.server.dispatch(event, { ...FIRST, team: 'T0ELSE0001' })
    await hear('here')
    expect(bot.texts).to.deep.equal(['here'])
  })
})

describe('Messages from the downtime of the host', function () {
  this.timeout(60_000)
  let bot: SlackHost
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-slack-'))
    const file = join(folder, 'messages.sqlite')
    bot = await SlackHost.start({}, [{ plugin: database, config: { file } }, inbox])
  })
  afterEach(async () => {
    await bot.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('are received in order, also in threads and in channels where nothing was said before', async () => {
    const { ts } = await bot.server.say('a question')
    await bot.server.say('a first answer', { thread_ts: ts })
    await bot.hears(2)
    await bot.halt()
    const missed = Array.from({ length: 250 }, (_, index) => `missed ${index + 1}`)
    for (const text of missed) await bot.server.say(text)
    await bot.server.say('in the thread', { thread_ts: ts })
    const { ts: root } = await bot.server.say('a new question')
    await bot.server.say('in the new thread', { thread_ts: root, user: BOB })
    await bot.server.say('in private', { channel: 'D0ALICE001' })
    await bot.run()
    await bot.hears(missed.length + 6)
    const heardIn = (id: unknown): string[] =>
      bot.messages.filter(({ channel }) => channel.id === id).map(({ text }) => text)
    expect(heardIn(ROOM)).to.deep.equal(['a question', ...missed, 'a new question'])
    expect(heardIn(`${ROOM}:${String(ts)}`)).to.deep.equal(['a first answer', 'in the thread'])
    expect(heardIn(`${ROOM}:${String(root)}`)).to.deep.equal(['in the new thread'])
    expect(heardIn('U0ALICE001')).to.deep.equal(['in private'])
  })

  it('are read again where Slack limits the rate', async () => {
    await bot.server.say('before')
    await bot.hears(1)
    await bot.halt()
    await bot.server.say('missed')
    const limited = { status: 429, headers: { 'retry-after': '1' }, body: { ok: false, error: 'ratelimited' } }
    bot.server.http.fault(/conversations\.history/, limited, 2)
    await bot.run()
    await bot.hears(2)
    expect(bot.texts).to.deep.equal(['before', 'missed'])
  })
})

describe('Positions in Slack', () => {
  const ts = (index: number): string => `1700000000.${String(index).padStart(6, '0')}`

  it('fit into cursors, however many channels and threads there are', () => {
    const positions = new Positions({ get: async () => undefined, set: async () => {} })
    for (let index = 0; index < 1_000; index++) {
      const channel = `C${String(index).padStart(19, '0')}`
      for (const value of Object.values(positions.with(channel, ts(index), ts(index))))
        expect(Buffer.byteLength(value)).to.be.below(4_096)
      positions.pass(channel, ts(index), ts(index))
    }
    expect(positions.all()).to.have.length(256)
  })

  it('are written with others that were accepted, and never go back', async () => {
    const positions = new Positions({ get: async () => undefined, set: async () => {} })
    positions.pass('C01', ts(5), undefined)
    expect(positions.with('C03', ts(1), undefined)).to.deep.equal({ channels1: `C01=${ts(5)},C03=${ts(1)}` })
    // An answer in a thread says nothing about the channel.
    positions.pass('C01', ts(9), ts(2))
    positions.pass('C01', ts(4), undefined)
    const [thread, channel] = positions.all()
    expect(thread).to.deep.equal({ channel: 'C01', thread: ts(2), last: ts(9) })
    expect(channel).to.deep.equal({ channel: 'C01', thread: undefined, last: ts(5) })
    const saved = new Map([['channels1', `C01=${ts(5)},nonsense,=,C1=x`]])
    const loaded = new Positions({ get: async (name) => saved.get(name), set: async () => {} })
    await loaded.load()
    expect(loaded.all()).to.deep.equal([{ channel: 'C01', thread: undefined, last: ts(5) }])
  })

  it('wait only for their own channel', async () => {
    const lanes = new Lanes()
    const done: string[] = []
    let release = (): void => {}
    const held = lanes.run('a', () => new Promise<void>((resolve) => (release = resolve)))
    const second = lanes.run('a', async () => void done.push('a'))
    await lanes.run('b', async () => void done.push('b'))
    expect(done).to.deep.equal(['b'])
    release()
    await Promise.all([held, second, lanes.idle()])
    expect(done).to.deep.equal(['b', 'a'])
  })
})

describe('Addresses of Slack', () => {
  for (const [address, isRight] of [
    ['https://files.slack.com/x', true],
    ['wss://wss-primary.slack.com/link', true],
    ['https://files.slack.com.example.org/x', false],
    ['https://notslack.com/x', false],
    ['http://files.slack.com/x', false],
    ['https://me@files.slack.com/x', false],
    ['http://169.254.169.254/latest', false],
    ['file:///etc/passwd', false],
  ] as const)
    it(`${isRight ? 'include' : 'do not include'} ${address}`, () => {
      expect(isOfSlack(address)).to.equal(isRight)
    })
})
