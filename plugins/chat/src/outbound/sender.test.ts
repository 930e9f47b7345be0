import { expect } from 'chai'
import { defineCommand, middlewares, SendError } from '../api.js'
import { eachTest, until } from '../test/support.js'

const ann = { type: 'private', id: 'ann' } as const
const failure = async (action: Promise<unknown>): Promise<Error & { code?: string }> =>
  action.then(
    () => {
      throw new Error('nothing failed')
    },
    (error: unknown) => error as Error,
  )

/** Returns a platform whose sending is held until it is let go. */
function held(): { readonly send: () => Promise<void>; readonly release: () => void } {
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  return { send: () => gate, release: () => release() }
}

describe('Sender', () => {
  const platforms = eachTest()

  it('stores messages at the call, in the order of the calls', async () => {
    const { send, release } = held()
    const bot = await platforms.start({ send })
    const sends = ['a', 'b', 'c'].map((text) => bot.chat.send('test', 'one', ann, text))
    await until(() => bot.attempts === 1)
    const rows = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 10 })
    expect(rows.map(({ text, state, direction }) => [text, state, direction])).to.deep.equal([
      ['a', 'sending', 'out'],
      ['b', 'intent', 'out'],
      ['c', 'intent', 'out'],
    ])
    release()
    await Promise.all(sends)
    expect(bot.texts).to.deep.equal(['a', 'b', 'c'])
  })

  it('keeps the time of the call', async () => {
    const { send, release } = held()
    const bot = await platforms.start({ send })
    const first = bot.chat.send('test', 'one', ann, 'first')
    const second = bot.chat.send('test', 'one', ann, 'second')
    const called = bot.clock.now()
    await bot.clock.advance(5_000)
    release()
    expect((await first).timestamp).to.equal(called)
    expect((await second).timestamp).to.equal(called)
  })

  it('sends a key once, and returns the first outcome to a second call', async () => {
    const bot = await platforms.start({
      send: async (_target, { text }) => {
        if (text === 'lost') throw new Error('socket hang up')
        if (text === 'no') throw new SendError('refused', 'blocked by the user')
        return { messageId: `id of ${text}` }
      },
    })
    const both = await Promise.all([
      bot.chat.send('test', 'one', ann, 'hi', { key: 'k' }),
      bot.chat.send('test', 'one', ann, 'hi', { key: 'k' }),
    ])
    expect(both[0]).to.deep.equal(both[1])
    expect(await bot.chat.send('test', 'one', ann, 'other words', { key: 'k' })).to.deep.equal(both[0])
    for (const [text, code] of [
      ['lost', 'upstream_unavailable:unknown'],
      ['no', 'invalid_request'],
    ] as const) {
      expect(await failure(bot.chat.send('test', 'one', ann, text, { key: text }))).to.include({ code })
      expect(await failure(bot.chat.send('test', 'one', ann, text, { key: text }))).to.include({ code })
    }
    expect(bot.attempts).to.equal(3)
    expect(bot.texts).to.deep.equal(['hi'])
  })

  it('waits for an offline endpoint, and sends the waiting messages before new ones', async () => {
    const bot = await platforms.start({
      setup: (ctx) =>
        ctx.contribute(middlewares, {
          name: 'late',
          handle: async (message) => {
            bot.accounts.get('one')?.lost('gone')
            expect(await message.$reply('answer')).to.include({ messageId: '' })
          },
        }),
    })
    await bot.say('hello')
    expect(bot.texts).to.deep.equal([])
    expect(
      (await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, text: 'ANSWER', limit: 1 }))[0],
    ).to.include({ state: 'intent' })
    await bot.clock.advance(2_000)
    await until(() => bot.texts.length === 1)
    await bot.chat.send('test', 'one', ann, 'later')
    expect(bot.texts).to.deep.equal(['answer', 'later'])
  })

  it('fails after five minutes offline, and never sends then', async () => {
    let reachable = true
    const bot = await platforms.start({
      connect: async () => {
        if (!reachable) throw new Error('no route')
      },
    })
    await until(() => bot.chat.online() === 1)
    reachable = false
    bot.accounts.get('one')?.lost('gone')
    expect(await bot.chat.send('test', 'one', ann, 'notice', { key: 'job/1' })).to.include({ messageId: '' })
    await bot.clock.advance(5 * 60_000)
    const [row] = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 1 })
    expect(row).to.include({ state: 'failed' })
    reachable = true
    await bot.clock.advance(120_000)
    expect(bot.chat.online()).to.equal(1)
    expect(bot.texts).to.deep.equal([])
    expect(await failure(bot.chat.send('test', 'one', ann, 'notice', { key: 'job/1' }))).to.include({
      code: 'invalid_request',
    })
  })

  it('refuses a message without key and answer while the endpoint is offline', async () => {
    const bot = await platforms.start()
    bot.accounts.get('one')?.lost('gone')
    expect(await failure(bot.chat.send('test', 'one', ann, 'x'))).to.include({ code: 'not_ready' })
    expect(await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 1 })).to.deep.equal([])
  })

  it('sends through an endpoint that was replaced meanwhile', async () => {
    let go = (): void => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const bot = await platforms.start({
      commands: [
        defineCommand({
          name: 'slow',
          description: 'takes its time',
          run: async () => {
            await gate
            return 'done'
          },
        }),
      ],
    })
    const id = await bot.hear('/slow')
    await bot.host.update('chat', { endpoints: [{ adapter: 'test', id: 'one', master: 'another user' }] })
    go()
    await bot.handled(id)
    await until(() => bot.texts.includes('done'))
  })
})

describe('Sender with the answer of a command', () => {
  const platforms = eachTest()

  it('ends the handling when the answer is stored, without waiting for the platform', async () => {
    const { send, release } = held()
    const bot = await platforms.start({
      send,
      commands: [defineCommand({ name: 'go', description: 'answers', run: () => 'gone' })],
    })
    const ids = await Promise.all(Array.from({ length: 600 }, () => bot.hear('/go')))
    await until(() =>
      bot.chat
        .traces({ limit: 1000 })
        .every(({ steps }) => steps.some(({ stage, outcome }) => stage === 'command' && outcome === 'ran')),
    )
    const rows = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 2000 })
    expect(rows.filter(({ state }) => state === 'handled')).to.have.length.greaterThan(399)
    expect(rows.filter(({ state }) => state === 'handling' || state === 'received')).to.deep.equal([])
    release()
    for (const id of ids) await bot.handled(id)
    expect(bot.texts).to.have.length(600)
  })
})
