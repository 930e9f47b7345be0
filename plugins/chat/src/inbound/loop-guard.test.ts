import { expect } from 'chai'
import { noticeReceive, aiPaths, defineCommand, type InboundNotice } from '../api.js'
import { eachTest, until, type Platform } from '../test/support.js'

const hiCommand = defineCommand({ name: 'hi', description: 'Greets', run: () => 'hello' })
const inRoom = (id: string) => ({ channel: { type: 'group', id: 'room' } as const, sender: { id }, mentioned: true })

describe('a loop with a peer', () => {
  const platforms = eachTest()
  let notices: InboundNotice[] = []

  async function start(loop?: Record<string, unknown>, hold?: Promise<void>): Promise<Platform> {
    notices = []
    return platforms.start({
      commands: [hiCommand],
      config: loop ? { dispatcher: { loop } } : {},
      setup: (ctx) => {
        ctx.contribute(aiPaths, {
          name: 'talker',
          decide: () => ({ matches: true, reason: 'always' }),
          handle: async ({ text }, reply) => {
            if (text.startsWith('slow')) await hold
            await reply(`about ${text}`)
          },
        })
        ctx.on(noticeReceive, (notice) => void notices.push(notice))
      },
    })
  }

  /** The peer writes, each time a while after it was answered. Returns how many messages were answered. */
  async function talk(bot: Platform, times: number, ms: number, more = {}, text = (n: number) => `word ${n}`) {
    let answers = 0
    for (let n = 0; n < times; n++) {
      answers += (await bot.say(text(n), more)).length
      await bot.clock.advance(ms)
    }
    return answers
  }

  it('ends after eight answers, with a line in the log and a notice in the inbox', async () => {
    const bot = await start()
    expect(await talk(bot, 12, 1_000)).to.equal(8)
    expect(bot.log.filter(({ message }) => message.startsWith('loop with a peer ended'))).to.have.length(1)
    await until(() => notices.length === 1, 'the notice')
    expect(notices[0]).to.deep.include({ kind: 'loop', payload: { exchanges: 8, seconds: 60, pause: 60 } })
    expect(notices[0]?.target).to.deep.equal({ id: 'ann', name: 'Ann' })
  })

  it('ends also where each text is the same, and where the peer takes some seconds', async () => {
    const bot = await start()
    expect(await talk(bot, 12, 0, {}, () => 'Disconnected from IRC. Reconnecting...')).to.equal(8)
    expect(await talk(bot, 9, 7_000, { sender: { id: 'znc' }, channel: { type: 'private', id: 'znc' } })).to.equal(8)
  })

  it('ends in a channel, where others are answered as before', async () => {
    const bot = await start()
    expect(await talk(bot, 12, 500, inRoom('automaton'))).to.equal(8)
    expect(await talk(bot, 2, 500, inRoom('ann'))).to.equal(2)
    expect(await talk(bot, 1, 500, inRoom('automaton'))).to.equal(0)
  })

  it('is none where the peer answers later, or fewer times in a minute', async () => {
    const bot = await start()
    expect(await talk(bot, 20, 11_000)).to.equal(20)
    expect(await talk(bot, 20, 9_000)).to.equal(20)
  })

  it('is none where a person types on while the answers are on their way', async () => {
    let release = (): void => {}
    const bot = await start(
      undefined,
      new Promise((resolve) => {
        release = resolve
      }),
    )
    for (let n = 0; n < 30; n++) {
      await bot.hear(`slow ${n}`)
      await bot.clock.advance(500)
    }
    release()
    await until(() => bot.sent.length === 30, 'all answers')
    expect(notices).to.deep.equal([])
  })

  it('never stops commands, and never an owner', async () => {
    const bot = await start()
    for (let n = 0; n < 30; n++) expect(await bot.say('/hi')).to.deep.equal(['hello'])
    expect(await talk(bot, 30, 100, { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } })).to.equal(
      30,
    )
    expect(await talk(bot, 12, 100)).to.equal(8)
    expect(await bot.say('/hi')).to.deep.equal(['hello'])
  })

  it('ends where the peer mistypes a command each time', async () => {
    const bot = await start()
    expect(await talk(bot, 12, 100, {}, () => '/hii')).to.equal(8)
  })

  it('pauses for a minute, and for twice as long each time that it begins again', async () => {
    const bot = await start()
    expect(await talk(bot, 10, 0)).to.equal(8)
    await bot.clock.advance(59_000)
    expect(await talk(bot, 1, 0)).to.equal(0)
    await bot.clock.advance(1_000)
    expect(await talk(bot, 10, 0)).to.equal(8)
    await bot.clock.advance(119_000)
    expect(await talk(bot, 1, 0)).to.equal(0)
    await bot.clock.advance(1_000)
    expect(await talk(bot, 1, 0)).to.equal(1)
  })

  it('has a limit that can be set, or switched off', async () => {
    expect(await talk(await start({ exchanges: 3, seconds: 20, answeredWithin: 2 }), 6, 1_000)).to.equal(3)
    expect(await talk(await start({ exchanges: 3, seconds: 20, answeredWithin: 2 }), 6, 3_000)).to.equal(6)
    expect(await talk(await start({ exchanges: 0 }), 40, 0)).to.equal(40)
  })
})
