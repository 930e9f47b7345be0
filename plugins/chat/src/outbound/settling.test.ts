import { expect } from 'chai'
import { SendError, type Bot, type OutboundMessage } from '../api.js'
import { eachTest, until, type Platform, type PlatformOptions } from '../test/support.js'

const ann = { type: 'private', id: 'ann' } as const

describe('messages whose outcome is unknown', () => {
  const platforms = eachTest()

  const rows = async (bot: Platform) =>
    (await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 9 })).map(
      ({ state, messageId, error }) => [state, messageId, error],
    )
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'sent',
      (error: Error & { code?: string }) => error.code ?? error.message,
    )
  /** Sends a message whose caller waits, and lets the time of all attempts pass. */
  async function send(bot: Platform, text = 'hello'): Promise<string> {
    let outcome: string | undefined
    void codeOf(bot.chat.send('test', 'one', ann, text)).then((code) => (outcome = code))
    await until(async () => {
      if (outcome === undefined) await bot.clock.advance(1_000)
      return outcome !== undefined
    })
    return outcome as string
  }
  interface Plan extends PlatformOptions {
    readonly lose: (attempt: number, message: OutboundMessage) => Error | undefined
  }
  /** Starts a platform whose answers are lost. */
  async function start({ lose, ...options }: Plan): Promise<{ bot: Platform; keys: string[] }> {
    const keys: string[] = []
    const bot = await platforms.start({
      ...options,
      send: async (_target, message, attempt) => {
        keys.push(message.key)
        const error = lose(attempt, message)
        if (error) throw error
        return { messageId: `p-${attempt}` }
      },
    })
    return { bot, keys }
  }
  const firstLost = (attempt: number): Error | undefined => (attempt === 1 ? new Error('socket hang up') : undefined)

  it('are unknown where the platform cannot settle it, and are sent once', async () => {
    const { bot, keys } = await start({ lose: firstLost })
    expect(await send(bot)).to.equal('upstream_unavailable:unknown')
    expect([keys.length, await rows(bot)]).to.deep.equal([1, [['unknown', '', 'socket hang up']]])
  })

  it('are sent again with the same key where the platform takes a key once', async () => {
    const { bot, keys } = await start({ adapter: { repeats: { forMs: 120_000 } }, lose: firstLost })
    expect(await send(bot)).to.equal('sent')
    expect(keys).to.have.length(2)
    expect(keys[0]).to.equal(keys[1])
    expect(await rows(bot)).to.deep.equal([['sent', 'p-2', undefined]])
  })

  it('are not sent again after the time for which the platform knows keys', async () => {
    const { bot, keys } = await start({
      adapter: { repeats: { forMs: 3_000 } },
      lose: () => new Error('socket hang up'),
    })
    expect(await send(bot)).to.equal('upstream_unavailable:unknown')
    expect([keys.length, await rows(bot)]).to.deep.equal([3, [['unknown', '', 'socket hang up']]])
  })

  it('stay unknown where a later attempt is refused', async () => {
    const { bot } = await start({
      adapter: { repeats: { forMs: 120_000 } },
      lose: (attempt) => (attempt === 1 ? new Error('socket hang up') : new SendError('refused', 'blocked')),
    })
    expect(await send(bot)).to.equal('upstream_unavailable:unknown')
    expect((await rows(bot))[0]?.[0]).to.equal('unknown')
  })

  const finding = (find: NonNullable<Bot['find']>): PlatformOptions => ({ bot: { find } })

  it('are sent where the platform has the message', async () => {
    const asked: unknown[] = []
    const { bot, keys } = await start({
      ...finding(async (target, key, since) => {
        asked.push([target, key, since])
        return { messageId: 'found' }
      }),
      lose: firstLost,
    })
    const since = bot.clock.now()
    expect(await send(bot)).to.equal('sent')
    expect([keys.length, await rows(bot)]).to.deep.equal([1, [['sent', 'found', undefined]]])
    expect(asked).to.deep.equal([[ann, keys[0], since]])
  })

  it('are sent again where the platform certainly has none, and fail if it refuses it then', async () => {
    const { bot, keys } = await start({ ...finding(async () => null), lose: firstLost })
    expect(await send(bot)).to.equal('sent')
    expect([keys.length, await rows(bot)]).to.deep.equal([2, [['sent', 'p-2', undefined]]])
    const other = await start({
      ...finding(async () => null),
      lose: (attempt) => firstLost(attempt) ?? new SendError('refused', 'blocked'),
    })
    expect(await send(other.bot)).to.equal('invalid_request')
    expect(await rows(other.bot)).to.deep.equal([['failed', '', 'blocked']])
  })

  it('are not sent again while the first attempt may still be on its way', async () => {
    let asked = 0
    const { bot, keys } = await start({
      ...finding(async () => (++asked < 4 ? null : { messageId: 'late' })),
      lose: firstLost,
    })
    expect(await send(bot)).to.equal('sent')
    expect([keys.length, await rows(bot)]).to.deep.equal([1, [['sent', 'late', undefined]]])
  })

  it('are unknown where the platform cannot say it, after some questions', async () => {
    let asked = 0
    const { bot, keys } = await start({
      ...finding(async () => {
        asked++
        return undefined
      }),
      lose: firstLost,
    })
    expect(await send(bot)).to.equal('upstream_unavailable:unknown')
    expect([keys.length, asked, await rows(bot)]).to.deep.equal([1, 5, [['unknown', '', 'socket hang up']]])
  })

  it('are looked for again where the question fails', async () => {
    let asked = 0
    const { bot } = await start({
      ...finding(async () => {
        if (++asked < 3) throw new Error('timed out')
        return { messageId: 'found' }
      }),
      lose: firstLost,
    })
    expect(await send(bot)).to.equal('sent')
    expect(await rows(bot)).to.deep.equal([['sent', 'found', undefined]])
  })

  describe('in parts', () => {
    const long = `${'a'.repeat(9)} ${'b'.repeat(9)} ${'c'.repeat(5)}`

    it('have a key for each part, keep their order, and have the id of the first', async () => {
      const { bot, keys } = await start({ adapter: { limits: { text: 10 } }, lose: () => undefined })
      const { messageId } = await bot.chat.send('test', 'one', ann, long)
      expect(bot.texts).to.deep.equal([`${'a'.repeat(9)} `, `${'b'.repeat(9)} `, 'ccccc'])
      const base = keys[0]?.slice(0, -2)
      expect(keys).to.deep.equal([`${base}-1`, `${base}-2`, `${base}-3`])
      expect(messageId).to.equal('p-1')
      await bot.chat.send('test', 'one', ann, 'short')
      expect(keys.at(-1)).to.not.match(/-1$/)
    })

    it('repeat only the part for which the platform limits the rate', async () => {
      const { bot, keys } = await start({
        adapter: { limits: { text: 10 } },
        lose: (attempt) =>
          attempt === 2 ? new SendError('rate-limited', 'slow down', { retryAfter: 2_000 }) : undefined,
      })
      expect(await send(bot, long)).to.equal('sent')
      expect(keys.map((key) => key.slice(-2))).to.deep.equal(['-1', '-2', '-2', '-3'])
      expect(await rows(bot)).to.deep.equal([['sent', 'p-1', undefined]])
    })

    it('repeat only that part also after a wait in the store', async () => {
      const { bot, keys } = await start({
        adapter: { limits: { text: 10 } },
        lose: (attempt) =>
          attempt === 2 ? new SendError('rate-limited', 'slow down', { retryAfter: 90_000 }) : undefined,
      })
      await bot.chat.send('test', 'one', ann, long, { key: 'k' })
      expect(keys).to.have.length(2)
      await bot.clock.advance(90_000)
      await until(async () => (await rows(bot))[0]?.[0] === 'sent')
      expect(keys.map((key) => key.slice(-2))).to.deep.equal(['-1', '-2', '-2', '-3'])
    })

    it('are unknown where a later part is refused', async () => {
      const { bot } = await start({
        adapter: { limits: { text: 10 } },
        lose: (attempt) => (attempt === 2 ? new SendError('refused', 'blocked') : undefined),
      })
      expect(await send(bot, long)).to.equal('upstream_unavailable:unknown')
      expect(await rows(bot)).to.deep.equal([['unknown', '', 'blocked']])
    })

    it('follow the message that shows a draft, and only the part that was not taken is sent again', async () => {
      const edits: string[] = []
      const { bot, keys } = await start({
        adapter: { limits: { text: 10 } },
        bot: { edit: async (_target, _id, message) => void edits.push(message.text) },
        lose: (attempt) =>
          attempt === 3 ? new SendError('rate-limited', 'slow down', { retryAfter: 2_000 }) : undefined,
      })
      const draft = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
      draft?.update('aaa')
      await until(() => draft?.messageId !== undefined)
      let ended = false
      void draft?.end(long).then(() => (ended = true))
      await until(async () => {
        await bot.clock.advance(1_000)
        return ended
      })
      expect(edits).to.deep.equal([`${'a'.repeat(9)} `])
      expect(bot.texts).to.deep.equal(['aaa', `${'b'.repeat(9)} `, 'ccccc'])
      expect(keys.map((key) => key.replace(/^.*(?=-)/, ''))).to.deep.equal(['-draft', '-2', '-3', '-3'])
      expect(await rows(bot)).to.deep.equal([['sent', 'p-1', undefined]])
    })

    it('are unknown where a part after a draft may have arrived', async () => {
      const { bot, keys } = await start({
        adapter: { limits: { text: 10 } },
        bot: { edit: async () => {} },
        lose: (attempt) => (attempt === 2 ? new Error('socket hang up') : undefined),
      })
      const draft = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
      draft?.update('aaa')
      await until(() => draft?.messageId !== undefined)
      const code = await codeOf(draft?.end(long) as Promise<unknown>)
      expect([code, keys.length, (await rows(bot))[0]?.[0]]).to.deep.equal([
        'upstream_unavailable:unknown',
        2,
        'unknown',
      ])
    })

    it('are looked for one by one', async () => {
      const { bot, keys } = await start({
        adapter: { limits: { text: 10 } },
        ...finding(async (_target, key) => (key.endsWith('-2') ? { messageId: 'found' } : null)),
        lose: (attempt) => (attempt === 2 ? new Error('socket hang up') : undefined),
      })
      expect(await send(bot, long)).to.equal('sent')
      expect(keys.map((key) => key.slice(-2))).to.deep.equal(['-1', '-2', '-3'])
    })
  })
})
