import { expect } from 'chai'
import { SendError, type OutboundMessage } from '../api.js'
import { eachTest, until, type Platform } from '../test/support.js'

const ann = { type: 'private', id: 'ann' } as const

describe('Edits', () => {
  const platforms = eachTest()

  /** Starts a host whose platform does not come back before `back` is called. */
  async function start(edits: string[]): Promise<{ bot: Platform; back: () => void }> {
    let isBack = true
    const bot = await platforms.start({
      connect: async () => {
        if (!isBack) throw new Error('the platform is unavailable')
      },
      bot: {
        edit: async (_target: unknown, messageId: string, { text }: OutboundMessage) => {
          if (text === 'refused') throw new SendError('refused', 'message to edit not found')
          edits.push(`${messageId}: ${text}`)
        },
      },
    })
    await until(() => bot.chat.online() === 1)
    isBack = false
    return { bot, back: () => void (isBack = true) }
  }

  it('wait until their endpoint is online', async () => {
    const edits: string[] = []
    const { bot, back } = await start(edits)
    bot.accounts.get('one')?.lost(new Error('connection reset'))
    const editing = bot.chat.edit('test', 'one', ann, 'p1', 'over')
    await bot.clock.advance(10_000)
    expect(edits).to.deep.equal([])
    back()
    await until(async () => {
      await bot.clock.advance(1_000)
      return edits.length === 1
    })
    expect([await editing, edits]).to.deep.equal([true, ['p1: over']])
  })

  it('are given up after five minutes, and at a stop', async () => {
    const edits: string[] = []
    const { bot } = await start(edits)
    bot.accounts.get('one')?.lost(new Error('connection reset'))
    const first = bot.chat.edit('test', 'one', ann, 'p1', 'over')
    await bot.clock.advance(5 * 60_000)
    expect(await first).to.equal(false)
    const second = bot.chat.edit('test', 'one', ann, 'p1', 'over')
    await bot.stop()
    expect([await second, edits]).to.deep.equal([false, []])
  })

  it('fail at once where there is no such endpoint, or the platform refuses them', async () => {
    const { bot } = await start([])
    expect(await bot.chat.edit('test', 'two', ann, 'p1', 'over')).to.equal(false)
    const refused = await bot.chat.edit('test', 'one', ann, 'p1', 'refused').catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(SendError)
  })

  it('end a message that waits, so that it is never sent', async () => {
    const { bot, back } = await start([])
    bot.accounts.get('one')?.lost(new Error('connection reset'))
    for (const text of ['taken back', 'wanted']) await bot.chat.send('test', 'one', ann, text, { key: text })
    const [row] = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 5 })
    expect(row).to.include({ state: 'intent', text: 'taken back' })
    expect(await bot.chat.withdraw(row?.id ?? '')).to.equal(undefined)
    back()
    await until(async () => {
      await bot.clock.advance(1_000)
      return bot.sent.length > 0
    })
    expect(bot.sent.map(({ message }) => message.text)).to.deep.equal(['wanted'])
    expect(await bot.chat.withdraw('none')).to.equal(undefined)
  })

  it('wait for a message that is being sent, and give its id', async () => {
    let arrive = (): void => {}
    const arrival = new Promise<void>((resolve) => (arrive = resolve))
    let isSending = false
    const bot = await platforms.start({
      send: async () => {
        isSending = true
        await arrival
        return { messageId: 'p1' }
      },
    })
    const sending = bot.chat.send('test', 'one', ann, 'hello', { key: 'hello' })
    await until(() => isSending)
    const [row] = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 5 })
    const withdrawing = bot.chat.withdraw(row?.id ?? '')
    arrive()
    expect([await withdrawing, (await sending).messageId]).to.deep.equal(['p1', 'p1'])
    expect(await bot.chat.withdraw(row?.id ?? '')).to.equal('p1')
  })
})
