import { expect } from 'chai'
import { defineCommand, SendError, type OutboundMessage } from '../api.js'
import { eachTest, until, type Platform, type PlatformOptions } from '../test/support.js'

const group = { type: 'group', id: 'g', name: 'Group' } as const
const robot = { id: 'robot', name: 'Robot', bot: true } as const

describe('messages with more than words', () => {
  const platforms = eachTest()
  const hello = defineCommand({ name: 'hello', description: 'greets', run: () => 'hello you' })
  const secret = defineCommand({
    name: 'secret',
    description: 'replies to the sender alone',
    run: async ({ message }) => {
      await message.$reply('the secret', { onlySender: true })
    },
  })
  const start = (options: PlatformOptions = {}): Promise<Platform> =>
    platforms.start({ commands: [hello, secret], ...options })
  const rows = async (
    bot: Platform,
    channel: { type: 'private' | 'group'; id: string } = { type: 'private', id: 'ann' },
  ) => bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel, limit: 9 })

  describe('of other bots', () => {
    it('are stored and not handled', async () => {
      const bot = await start()
      const id = await bot.hear('/hello', { sender: robot })
      expect((await rows(bot)).map(({ messageId, state }) => [messageId, state])).to.deep.equal([[id, 'handled']])
      expect([bot.texts, bot.steps(id)]).to.deep.equal([[], ['store accept remembered', 'intake stored']])
    })

    it('are handled where the endpoint has bots', async () => {
      const bot = await start({ config: { endpoints: [{ adapter: 'test', id: 'one', bots: true }] } })
      expect(await bot.say('/hello', { sender: robot })).to.deep.equal(['hello you'])
    })

    it('are dropped where they are the own echo, and the cursor moves on', async () => {
      const bot = await start({ config: { endpoints: [{ adapter: 'test', id: 'one', bots: true }] } })
      const { receive, cursor } = bot.accounts.get('one') as NonNullable<ReturnType<typeof bot.accounts.get>>
      const echo = { id: 'e', channel: group, sender: { id: 'bot', bot: true }, content: '/hello' }
      await receive(echo, { cursor: { next: '7' } })
      expect([await rows(bot, group), await cursor.get('next')]).to.deep.equal([[], '7'])
    })
  })

  describe('with a token for the answer', () => {
    const via = (bot: Platform, forMs: number) => ({ token: 'interaction-token', until: bot.clock.now() + forMs })
    const sent = (bot: Platform): OutboundMessage => bot.sent.at(-1)?.message as OutboundMessage

    it('are answered with it, and no row, event or trace has it', async () => {
      const bot = await start()
      const token = via(bot, 60_000)
      const id = await bot.hear('/hello', { via: token })
      await bot.handled(id)
      expect(sent(bot).via).to.deep.equal(token)
      const shown = [await rows(bot), bot.chat.traces({ limit: 9 }), bot.log, await bot.chat.list()]
      expect(JSON.stringify(shown)).to.not.contain('interaction-token')
    })

    it('are answered without it where it is not valid any more', async () => {
      const bot = await start()
      await bot.say('/hello', { via: via(bot, 0) })
      expect(sent(bot)).to.not.have.property('via')
    })

    it('are answered without it by a later attempt after its time', async () => {
      const bot = await start({
        send: async (_target, _message, attempt) => {
          if (attempt === 1) throw new SendError('rate-limited', 'slow down', { retryAfter: 30_000 })
        },
      })
      await bot.hear('/hello', { via: via(bot, 20_000) })
      await until(() => bot.attempts === 1)
      await until(async () => {
        await bot.clock.advance(5_000)
        return bot.attempts === 2
      })
      await until(() => bot.sent.length === 1)
      expect(sent(bot)).to.not.have.property('via')
    })
  })

  describe('whose reply only the sender may see', () => {
    const say = (bot: Platform, more = {}) => bot.say('/secret', { channel: group, mentioned: true, ...more })

    it('are answered in private where the platform has nothing else', async () => {
      const bot = await start()
      await say(bot, { via: { token: 'x', until: bot.clock.now() + 60_000 } })
      const [{ target, message } = { target: undefined, message: undefined }] = bot.sent
      expect(target).to.deep.equal({ type: 'private', id: 'ann', name: 'Ann' })
      expect(message).to.not.have.any.keys('only', 'replyTo', 'via')
      expect((await rows(bot, group)).map(({ direction }) => direction)).to.deep.equal(['in'])
    })

    it('are answered in the group where the platform shows it to one user', async () => {
      const bot = await start({ adapter: { ephemeral: true } })
      await say(bot)
      expect(bot.sent[0]?.target).to.deep.equal(group)
      expect(bot.sent[0]?.message).to.include({ only: 'ann', text: 'the secret' })
      expect(bot.chat.can('test', 'one', 'ephemeral')).to.equal(true)
    })

    it('are answered as any other in a private chat', async () => {
      const bot = await start({ adapter: { ephemeral: true } })
      const id = await bot.hear('/secret')
      await bot.handled(id)
      expect(bot.sent[0]?.message).to.include({ replyTo: id }).and.not.have.property('only')
    })
  })

  describe('to which the bot reacts', () => {
    const react = (bot: Platform, isOn?: boolean) =>
      bot.chat.react('test', 'one', { type: 'private', id: 'ann' }, 'm1', '👍', isOn)

    it('have its reaction as long as the platform takes it', async () => {
      const calls: unknown[] = []
      const bot = await start({
        bot: {
          react: async (_target, messageId, emoji, isOn) => {
            calls.push([messageId, emoji, isOn])
            if (calls.length === 2) throw new Error('not allowed')
          },
        },
      })
      await bot.say('/hello')
      await react(bot)
      const reactions = async () => (await rows(bot))[0]?.reactions
      expect(await reactions()).to.deep.equal([{ emoji: '👍', sender: { id: 'bot', name: 'Bot' } }])
      expect(await react(bot, false).catch((error: Error) => error.message)).to.equal('not allowed')
      expect(await reactions()).to.have.length(1)
      await react(bot, false)
      expect(await reactions()).to.deep.equal([])
      expect(calls).to.deep.equal([
        ['m1', '👍', true],
        ['m1', '👍', false],
        ['m1', '👍', false],
      ])
    })

    it('are left alone on platforms without reactions', async () => {
      const bot = await start()
      expect(await react(bot).catch((error: { code?: string }) => error.code)).to.equal('unsupported')
    })
  })
})
