import { expect } from 'chai'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { defineCommand, MessageStore, middlewares, type EndpointKey, type InboundRecord } from '../api.js'
import { MemoryMessageStore } from '../store/memory-store.js'
import { eachTest, until } from '../test/support.js'

/** A store whose reads return late, and whose marks are written late. */
class SlowStore extends MemoryMessageStore {
  readonly #reads: (() => void)[] = []

  get readsInProgress(): number {
    return this.#reads.length
  }

  override listReceived(key: EndpointKey, limit: number): never {
    const rows = super.listReceived(key, limit)
    return new Promise<readonly InboundRecord[]>((resolve) => {
      this.#reads.push(() => resolve(rows))
    }) as never
  }

  /** Lets each call handle the message, so that only the intake can prevent that it is handled twice. */
  override startHandling(id: string): never {
    return new Promise((resolve) => setImmediate(resolve)).then(() => {
      super.startHandling(id)
      return true
    }) as never
  }

  /** Ends the oldest read. */
  endRead(): void {
    this.#reads.shift()?.()
  }

  get plugin(): AnyPlugin {
    return definePlugin({
      name: 'slow-store',
      provides: [MessageStore],
      setup: (ctx) => void ctx.provide(MessageStore, this),
    }) as unknown as AnyPlugin
  }
}

/** Handles two messages while the reads of the store are slow, and returns the ids of those that were handled. */
async function handledDuringReads(start: ReturnType<typeof eachTest>['start'], store: SlowStore): Promise<string[]> {
  const begun: string[] = []
  const count = defineCommand({
    name: 'count',
    description: 'counts',
    run: ({ message }) => {
      begun.push(message.id)
      return 'counted'
    },
  })
  const bot = await start({ commands: [count], plugins: [{ plugin: store.plugin }] })
  await until(() => store.readsInProgress === 1)
  await bot.hear('/count', { id: 'first' })
  store.endRead()
  // The second read returns the first message. The second message makes the intake read a third time.
  await until(() => store.readsInProgress === 1)
  await bot.hear('/count', { id: 'second' })
  store.endRead()
  await until(() => store.readsInProgress === 1)
  await bot.handled('first')
  store.endRead()
  while (begun.length < 2 || store.readsInProgress > 0) {
    store.endRead()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await bot.handled('second')
  await new Promise((resolve) => setTimeout(resolve, 20))
  return begun
}

describe('Intake', () => {
  const platforms = eachTest()

  it('accepts all messages at once, and handles 256 at a time in the order of arrival', async () => {
    const begun: string[] = []
    const open: (() => void)[] = []
    const bot = await platforms.start({
      setup: (ctx) =>
        ctx.contribute(middlewares, {
          name: 'slow',
          handle: (message) => {
            begun.push(message.id)
            return new Promise<void>((resolve) => {
              open.push(resolve)
            })
          },
        }),
    })
    const ids = await Promise.all(Array.from({ length: 1_000 }, () => bot.hear('x')))
    await until(() => begun.length === 256)
    expect(bot.chat.counters.received).to.equal(1_000)
    expect(bot.steps(ids[999] as string)).to.deep.equal(['store accept remembered', 'intake waits'])
    while (begun.length < 1_000 || open.length > 0) {
      for (const end of open.splice(0, 100)) end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(begun).to.deep.equal(ids)
    await bot.handled(ids[999] as string)
    expect(bot.steps(ids[999] as string)).to.include('intake taken up')
  })

  it('starts a message once that began and ended while the store was read', async () => {
    expect(await handledDuringReads((options) => platforms.start(options), new SlowStore())).to.deep.equal([
      'first',
      'second',
    ])
  })

  it('handles the answer to a prompt before the backlog', async () => {
    const ask = defineCommand({
      name: 'ask',
      description: 'asks',
      run: async ({ prompt }) => `you said ${await prompt('what?')}`,
    })
    const bot = await platforms.start({ commands: [ask] })
    const first = await bot.hear('/ask')
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        bot.hear('/ask', { sender: { id: `user${index}` }, channel: { type: 'private', id: `user${index}` } }),
      ),
    )
    await until(() => bot.texts.filter((text) => text === 'what?').length === 256)
    await bot.hear('this')
    await bot.handled(first)
    expect(bot.texts).to.include('you said this')
    for (let index = 0; index < 300; index++) {
      await until(() => bot.texts.filter((text) => text === 'what?').length >= Math.min(301, index + 2))
      await bot.hear('that', { sender: { id: `user${index}` }, channel: { type: 'private', id: `user${index}` } })
    }
    await until(() => bot.texts.filter((text) => text === 'you said that').length === 300)
  })

  it('handles started messages to the end before the host stops', async () => {
    let go = (): void => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const bot = await platforms.start({
      adapter: { acknowledges: 'after-store' },
      commands: [
        defineCommand({
          name: 'slow',
          description: 'slow',
          run: async () => {
            await gate
            return 'done'
          },
        }),
      ],
    })
    await bot.hear('/slow')
    const stopped = bot.host.stop()
    await new Promise((resolve) => setImmediate(resolve))
    expect(
      await bot.hear('/slow').then(
        () => 'taken',
        (error: { code: string }) => error.code,
      ),
    ).to.equal('not_ready')
    go()
    await stopped
    expect(bot.texts).to.deep.equal(['done'])
  })
})

describe('ActiveMessages', () => {
  const platforms = eachTest()
  const never = (): Promise<void> => new Promise(() => {})

  it('traces a slow handler from its first step, and reports it once after a minute', async () => {
    let end = (): void => {}
    const bot = await platforms.start({
      setup: (ctx) =>
        ctx.contribute(middlewares, {
          name: 'stuck',
          handle: () =>
            new Promise<void>((resolve) => {
              end = resolve
            }),
        }),
    })
    const id = await bot.hear('x')
    expect(bot.chat.traces({ limit: 1, messageId: id })[0]).to.not.have.property('endedAt')
    await bot.clock.advance(59_999)
    expect(bot.log.filter(({ level }) => level === 'warn')).to.deep.equal([])
    await bot.clock.advance(600_000)
    expect(bot.log.filter(({ level }) => level === 'warn').map(({ message }) => message)).to.deep.equal([
      'the middleware "stuck" has been running for 60 s',
    ])
    expect(bot.steps(id)).to.include('handling slow')
    end()
    await bot.handled(id)
  })

  it('reports a slow command after the time that the command sets', async () => {
    const ends: (() => void)[] = []
    const command = (name: string, slowAfter: number) =>
      defineCommand({
        name,
        description: name,
        slowAfter,
        run: () =>
          new Promise<void>((resolve) => {
            ends.push(resolve)
          }),
      })
    const bot = await platforms.start({ commands: [command('long', 300), command('short', 5)] })
    await bot.hear('/long')
    const short = await bot.hear('/short', { sender: { id: 'bob' }, channel: { type: 'private', id: 'bob' } })
    await until(() => ends.length === 2)
    await bot.clock.advance(5_000)
    expect(bot.steps(short)).to.include('handling slow')
    await bot.clock.advance(200_000)
    expect(bot.log.filter(({ level }) => level === 'warn').map(({ message }) => message)).to.deep.equal([
      'the command "short" has been running for 5 s',
    ])
    for (const end of ends) end()
  })

  it('delays a stop for half a minute at most', async () => {
    const bot = await platforms.start({ setup: (ctx) => ctx.contribute(middlewares, { name: 'stuck', handle: never }) })
    await bot.hear('x')
    const stopped = bot.host.stop()
    await bot.clock.advance(30_000)
    await bot.clock.advance(5_000)
    await stopped
  })
})
