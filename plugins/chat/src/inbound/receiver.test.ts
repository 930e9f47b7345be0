import { expect } from 'chai'
import fc from 'fast-check'
import { WireError } from '@mynah/contract'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import {
  adapters,
  aiPaths,
  beforeSendMessage,
  Chat,
  commands,
  defineAdapter,
  defineCommand,
  getOutboundReplyStore,
  messageReceive,
  messageSend,
  middlewares,
  MessageStore,
  noticeReceive,
  param,
  Reply,
  requestReceive,
  Text,
  type Content,
  type EndpointHandle,
  type InboundRecord,
  type Message,
  type OutboundRecord,
  Forward,
  Image,
  Quote,
  quotedMedia,
} from '../api.js'
import chat from '../index.js'
import { MemoryMessageStore } from '../store/memory-store.js'
import { eachTest, until, type Platform } from '../test/support.js'

const echo = defineCommand({
  name: 'echo',
  description: 'Echoes',
  args: { text: param.rest() },
  run: ({ args }) => args.text,
})

describe('Receiver', () => {
  const platforms = eachTest()

  it('passes a message to middlewares by priority, the dispatcher, and message.receive', async () => {
    const order: string[] = []
    const around = (name: string, priority: number) => ({
      name,
      priority,
      handle: async (_message: Message, next: () => Promise<void>) => {
        order.push(`${name} in`)
        await next()
        order.push(`${name} out`)
      },
    })
    const bot = await platforms.start({
      commands: [
        defineCommand({
          name: 'go',
          description: 'x',
          run: () => {
            order.push('command')
          },
        }),
      ],
      setup: (ctx) => {
        ctx.contribute(middlewares, around('low', -1))
        ctx.contribute(middlewares, around('high', 5))
        ctx.on(messageReceive, (message) => {
          order.push(`received ${message.text}`)
        })
      },
    })
    await bot.say('/go')
    expect(order).to.deep.equal(['high in', 'low in', 'command', 'low out', 'high out', 'received /go'])
  })

  it('knows the quoted message by its segment', async () => {
    const quotes: (string | undefined)[] = []
    const bot = await platforms.start({
      setup: (ctx) => void ctx.on(messageReceive, ({ replyTo }) => void quotes.push(replyTo)),
    })
    await bot.say([Reply('m7'), Text('yes')])
    await bot.say([Reply('m7'), Text('yes')], { replyTo: 'm8' })
    await bot.say('no')
    expect(quotes).to.deep.equal(['m7', 'm8', undefined])
  })

  it('stops at a middleware that does not call next, and reports one that fails', async () => {
    const bot = await platforms.start({
      commands: [echo],
      setup: (ctx) => {
        ctx.contribute(middlewares, {
          name: 'guard',
          handle: (message, next) => {
            if (message.text.includes('break')) throw new Error('broken')
            return message.text.includes('stop') ? undefined : next()
          },
        })
      },
    })
    expect(await bot.say('/echo stop', { id: 'a' })).to.deep.equal([])
    expect(bot.steps('a')).to.include('middleware guard stopped')
    expect(await bot.say('/echo break', { id: 'b' })).to.deep.equal([])
    expect(bot.steps('b')).to.include('middleware guard failed')
    expect(bot.log.some(({ message }) => message.includes('broken'))).to.equal(true)
    expect(await bot.say('/echo on')).to.deep.equal(['on'])
  })

  it('handles a message once, however often it is delivered', async () => {
    const bot = await platforms.start({ commands: [echo] })
    expect(await bot.say('/echo hi', { id: 'same' })).to.deep.equal(['hi'])
    for (let time = 0; time < 3; time++) await bot.hear('/echo hi', { id: 'same' })
    expect(await bot.say('/echo next')).to.deep.equal(['next'])
    expect(bot.texts).to.deep.equal(['hi', 'next'])
    expect(bot.chat.counters).to.include({ received: 2, duplicates: 3 })
  })

  it('handles and traces a message with any content', async () => {
    const bot = await platforms.start({ commands: [echo] })
    const segment = fc.record({
      type: fc.oneof(
        fc.constantFrom(
          'text',
          'at',
          'image',
          'video',
          'audio',
          'record',
          'voice',
          'face',
          'sticker',
          'emoji',
          'file',
          'reply',
          'card',
          'component',
        ),
        fc.string(),
      ),
      data: fc.dictionary(
        fc.constantFrom('text', 'id', 'name', 'url', 'file', 'alt', 'title', 'fields', 'buttons', 'toString'),
        fc.jsonValue(),
      ),
    })
    const content = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((text) => `/${text}`),
      fc.array(fc.oneof(segment, fc.anything())),
    )
    await fc.assert(
      fc.asyncProperty(content, async (said) => {
        const id = await bot.hear(said as Content)
        await bot.handled(id)
        expect(bot.steps(id).some((step) => step.startsWith('handling'))).to.equal(false)
      }),
      { numRuns: 300 },
    )
    expect(bot.chat.counters.errors).to.equal(0)
  })

  it('keeps the last thousand traces, newest first', async () => {
    const bot = await platforms.start()
    for (let index = 0; index < 1_010; index++) await bot.hear('hello', { id: `t${index}` })
    await bot.handled('t1009')
    const traces = bot.chat.traces({ limit: 2_000 })
    expect(traces).to.have.length(1_000)
    expect([traces[0]?.messageId, traces[999]?.messageId]).to.deep.equal(['t1009', 't10'])
    expect(bot.chat.traces({ limit: 5, endpointId: 'other' })).to.deep.equal([])
  })

  it('announces a request or a notice once', async () => {
    const events: string[] = []
    const bot = await platforms.start({
      setup: (ctx) => {
        ctx.on(requestReceive, ({ id }) => {
          events.push(`request ${id}`)
        })
        ctx.on(noticeReceive, ({ id, kind }) => {
          events.push(`notice ${id} ${kind}`)
        })
      },
    })
    const account = bot.accounts.get('one') as EndpointHandle
    for (let time = 0; time < 2; time++) {
      await account.request({ id: 'r', kind: 'friend', sender: { id: 'x' } })
      await account.notice({ id: 'n', kind: 'nudge', payload: null })
    }
    await bot.say('done')
    expect(events).to.deep.equal(['request r', 'notice n nudge'])
    expect((await bot.chat.list())[0]?.unread).to.deep.equal({ messages: 1, requests: 1, notices: 1 })
  })
})

describe('Prompts', () => {
  const platforms = eachTest()
  const ask = defineCommand({
    name: 'ask',
    description: 'Asks',
    run: async ({ prompt }) => `answer ${(await prompt('name?', { timeout: 5_000 })) ?? 'none'}`,
  })

  it('takes the next message of the same sender in the same channel', async () => {
    const bot = await platforms.start({ commands: [ask] })
    const first = await bot.hear('/ask')
    await until(() => bot.texts.length === 1)
    await bot.say('not me', { sender: { id: 'bob' } })
    await bot.say('not here', { channel: { type: 'group', id: 'g' } })
    const answer = await bot.hear('Ann')
    await bot.handled(first)
    expect(bot.texts).to.deep.equal(['name?', 'answer Ann'])
    await bot.handled(answer)
    expect(bot.steps(answer)).to.include('prompt answered')
    expect(await bot.say('later')).to.deep.equal([])
  })

  it('takes no forwarded message, which is no command either', async () => {
    const bot = await platforms.start({ commands: [ask] })
    const first = await bot.hear('/ask')
    await until(() => bot.texts.length === 1)
    for (const text of ['Ann', '/ask', '1 yes'])
      expect(await bot.say([quotedMedia(Image('https://example.org/a.png')), Forward({ text })])).to.deep.equal([])
    await bot.hear([Text('Ann'), Quote({ text: 'Bob' }, 'm9')])
    await bot.handled(first)
    expect(bot.texts).to.deep.equal(['name?', 'answer Ann'])
  })

  it('lets a command through, and takes a text that only looks like one', async () => {
    const bot = await platforms.start({ commands: [ask, echo] })
    const first = await bot.hear('/ask')
    await until(() => bot.texts.length === 1)
    const command = await bot.hear('/echo meanwhile')
    await bot.handled(command)
    expect(bot.texts).to.deep.equal(['name?', 'meanwhile'])
    await bot.hear('/no-such-command-at-all')
    await bot.handled(first)
    expect(bot.texts.at(-1)).to.equal('answer /no-such-command-at-all')
  })

  it('ends without an answer after its timeout', async () => {
    const bot = await platforms.start({ commands: [ask] })
    const first = await bot.hear('/ask')
    await until(() => bot.texts.length === 1)
    await bot.clock.advance(5_000)
    await bot.handled(first)
    expect(bot.texts).to.deep.equal(['name?', 'answer none'])
  })

  it('does not wait for the answer to a question that was not sent', async () => {
    let fails = true
    const bot = await platforms.start({
      commands: [ask, echo],
      send: async () => {
        if (fails) throw new Error('gone')
      },
    })
    await bot.say('/ask')
    fails = false
    expect(await bot.say('/echo heard')).to.deep.equal(['heard'])
  })
})

describe('Dispatcher', () => {
  const platforms = eachTest()
  const withAi = (
    dispatcher: Record<string, unknown>,
    decide = (message: Message) => ({ matches: message.text.includes('ai'), reason: 'test' }),
  ): Promise<Platform> =>
    platforms.start({
      commands: [echo],
      config: { endpoints: [{ adapter: 'test', id: 'one' }], dispatcher },
      setup: (ctx) => {
        ctx.contribute(aiPaths, {
          name: 'model',
          decide,
          handle: async (_message, reply) => {
            await reply('from the model')
          },
        })
      },
    })
  const matrix: [Record<string, unknown>, string[]][] = [
    [{}, ['ai']],
    [{ order: 'ai-first' }, ['ai']],
    [{ mode: 'dual' }, ['ai']],
    [{ mode: 'dual', order: 'ai-first' }, ['from the model']],
    [{ mode: 'dual', allowDualReply: true }, ['ai', 'from the model']],
    [{ mode: 'dual', order: 'ai-first', allowDualReply: true }, ['from the model', 'ai']],
  ]
  for (const [config, expected] of matrix) {
    const answers = expected.join(', ')
    it(`answers a command that the AI matches too with ${answers} for ${JSON.stringify(config)}`, async () => {
      const bot = await withAi(config)
      expect(await bot.say('/echo ai')).to.deep.equal(expected)
      expect(await bot.say('ai?')).to.deep.equal(['from the model'])
      expect(await bot.say('/echo x')).to.deep.equal(['x'])
      expect(await bot.say('nothing')).to.deep.equal([])
    })
  }

  it('lets commands answer while an AI path fails', async () => {
    const bot = await withAi({ mode: 'dual' }, () => {
      throw new Error('cannot decide')
    })
    expect(await bot.say('/echo x', { id: 'm' })).to.deep.equal(['x'])
    expect(bot.steps('m')).to.include('ai model failed')
  })

  it('post-processes its replies, and only these have a reply context', async () => {
    const seen: (string | undefined)[] = []
    let remove = (): void => {}
    const bot = await platforms.start({
      commands: [
        echo,
        defineCommand({
          name: 'direct',
          description: 'x',
          run: async ({ message }) => {
            await message.$reply('direct')
          },
        }),
      ],
      setup: (ctx) => {
        ctx.contribute(aiPaths, {
          name: 'model',
          decide: ({ text }) => ({ matches: text === 'ai', reason: '' }),
          handle: async (_message, reply) => {
            await reply('model')
          },
        })
        ctx.on(beforeSendMessage, (outgoing, next) => {
          seen.push(getOutboundReplyStore()?.source)
          return next(outgoing)
        })
      },
    })
    remove = bot.chat.dispatcher.addOutboundPolish((segments, { source, message }) => [
      ...segments,
      { type: 'text', data: { text: ` (${source} to ${message.sender.id})` } },
    ])
    expect(await bot.say('/echo hi')).to.deep.equal(['hi (command to ann)'])
    expect(await bot.say('ai')).to.deep.equal(['model (ai to ann)'])
    expect(await bot.say('/direct')).to.deep.equal(['direct'])
    remove()
    expect(await bot.say('/echo hi')).to.deep.equal(['hi'])
    expect(seen).to.deep.equal(['command', 'ai', undefined, 'command'])
    expect(getOutboundReplyStore()).to.equal(undefined)
  })

  it('lets a listener change a message or hold it back, and announces what was sent', async () => {
    const sent: string[] = []
    const bot = await platforms.start({
      commands: [echo],
      setup: (ctx) => {
        ctx.on(beforeSendMessage, (outgoing, next) =>
          JSON.stringify(outgoing.segments).includes('hold')
            ? undefined
            : next({ ...outgoing, segments: [...outgoing.segments, { type: 'text', data: { text: '!' } }] }),
        )
        ctx.on(messageSend, ({ messageId }) => {
          sent.push(messageId)
        })
      },
      send: async () => ({ messageId: 'p1' }),
    })
    expect(await bot.say('/echo hold')).to.deep.equal([])
    expect(await bot.say('/echo hi')).to.deep.equal(['hi!'])
    await until(() => sent.length > 0)
    expect(sent).to.deep.equal(['p1'])
  })
})

describe('Receiver with an unavailable store', () => {
  let unavailable = false
  class UnavailableStore extends MemoryMessageStore {
    override accept(record: InboundRecord) {
      if (unavailable) throw new WireError('not_ready', 'The database is unavailable')
      return super.accept(record)
    }
    override addIntent(record: OutboundRecord) {
      if (unavailable) throw new WireError('not_ready', 'The database is unavailable')
      return super.addIntent(record)
    }
  }
  const storing = definePlugin({
    name: 'test-store',
    provides: [MessageStore],
    setup: (ctx) => {
      ctx.provide(MessageStore, new UnavailableStore())
    },
  }) as unknown as AnyPlugin
  afterEach(() => {
    unavailable = false
  })

  for (const acknowledges of ['after-store', 'never'] as const) {
    it(
      acknowledges === 'never'
        ? 'leaves messages answered and unsaved'
        : 'withholds the acknowledgement while the store is unavailable',
      async () => {
        let account: EndpointHandle | undefined
        const sent: string[] = []
        const platform = definePlugin({
          name: 'test-platform',
          setup: (ctx) => {
            ctx.contribute(
              adapters,
              defineAdapter({
                name: 'test',
                acknowledges,
                create: (endpoint) => ({
                  connect: async () => {
                    account = endpoint
                  },
                  disconnect: async () => {},
                  send: async (_target, { text }) => {
                    sent.push(text)
                  },
                }),
              }),
            )
            ctx.contribute(commands, echo)
          },
        }) as unknown as AnyPlugin
        const { host } = await startHost([
          { plugin: storing },
          { plugin: platform },
          { plugin: chat as unknown as AnyPlugin, config: { endpoints: [{ adapter: 'test', id: 'one' }] } },
        ])
        try {
          const say = (id: string) =>
            (account as EndpointHandle).receive({
              id,
              channel: { type: 'private', id: 'ann' },
              sender: { id: 'ann' },
              content: `/echo ${id}`,
            })
          const counters = () => (host.get(Chat) as Chat).counters
          await until(() => account !== undefined)
          await say('kept')
          await until(() => sent.length === 1)
          unavailable = true
          let refused: unknown
          await say('away').catch((error: unknown) => {
            refused = error
          })
          if (acknowledges === 'never') {
            await until(() => sent.length === 2)
            expect(refused).to.equal(undefined)
            expect(sent).to.deep.equal(['kept', 'away'])
            await until(() => counters().unsaved > 0)
          } else {
            expect(refused).to.have.property('code', 'not_ready')
            unavailable = false
            await say('away')
            await until(() => sent.length === 2)
            expect(sent).to.deep.equal(['kept', 'away'])
          }
        } finally {
          await host.stop()
        }
      },
    )
  }
})

describe('MessageHandler', () => {
  const platforms = eachTest()

  it('leaves a message to the call that changed its row', async () => {
    let taken = ''
    class TakenStore extends MemoryMessageStore {
      override startHandling(id: string): boolean {
        return super.startHandling(id) && id !== taken
      }
      override accept(record: InboundRecord) {
        if (record.messageId === 'taken') taken = record.id
        return super.accept(record)
      }
    }
    const storing = definePlugin({
      name: 'test-store',
      provides: [MessageStore],
      setup: (ctx) => void ctx.provide(MessageStore, new TakenStore()),
    }) as unknown as AnyPlugin
    const bot = await platforms.start({ commands: [echo], plugins: [{ plugin: storing }] })
    expect(await bot.say('/echo taken', { id: 'taken' })).to.deep.equal([])
    expect(bot.steps('taken')).to.deep.equal(['store accept remembered', 'handling skipped'])
    expect(await bot.say('/echo mine')).to.deep.equal(['mine'])
  })
})
