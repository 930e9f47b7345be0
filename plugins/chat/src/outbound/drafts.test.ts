import { expect } from 'chai'
import { beforeSendMessage, Formatted, messageSend, SendError, type Bot, type OutboundMessage } from '../api.js'
import { eachTest, until, type PlatformOptions } from '../test/support.js'

const ann = { type: 'private', id: 'ann' } as const

describe('Drafts', () => {
  const platforms = eachTest()

  function drawing(edits: string[], more: PlatformOptions = {}): PlatformOptions {
    const bot: Partial<Bot> = {
      edit: async (_target: unknown, messageId: string, message: OutboundMessage) => {
        edits.push(`${messageId}: ${message.text}`)
      },
    }
    return { send: async () => ({ messageId: 'p1' }), bot, ...more }
  }

  it('sends one message, edits it at most once a second, and ends it', async () => {
    const edits: string[] = []
    const told: string[] = []
    const bot = await platforms.start(
      drawing(edits, {
        setup: (ctx) => {
          ctx.on(messageSend, ({ messageId }) => {
            told.push(messageId)
          })
        },
      }),
    )
    const draft = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
    draft?.update('He')
    await until(() => bot.texts.length === 1)
    draft?.update('Hel')
    draft?.update('Hello')
    await bot.clock.advance(999)
    expect(edits).to.deep.equal([])
    await bot.clock.advance(1)
    await until(() => edits.length === 1)
    draft?.update('Hello wo')
    expect(await draft?.end('Hello world')).to.include({ messageId: 'p1' })
    expect(bot.texts).to.deep.equal(['He'])
    expect(edits).to.deep.equal(['p1: Hello', 'p1: Hello world'])
    expect(told).to.deep.equal(['p1'])
    const rows = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 5 })
    expect(rows.map(({ text, state, messageId }) => [text, state, messageId])).to.deep.equal([
      ['Hello world', 'sent', 'p1'],
    ])
  })

  it('shows no more updates once chat has stopped', async () => {
    const edits: string[] = []
    const bot = await platforms.start(drawing(edits))
    const draft = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
    draft?.update('a')
    await until(() => draft?.messageId === 'p1')
    const rejections: unknown[] = []
    const note = (error: unknown): void => void rejections.push(error)
    process.on('unhandledRejection', note)
    try {
      await bot.stop()
      draft?.update('a b')
      await new Promise((resolve) => setImmediate(resolve))
    } finally {
      process.off('unhandledRejection', note)
    }
    expect(rejections).to.deep.equal([])
    expect(edits).to.deep.equal([])
  })

  it('continues the message with the same key, and returns its receipt once it has ended', async () => {
    const edits: string[] = []
    const bot = await platforms.start(drawing(edits))
    const first = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
    first?.update('half')
    await until(() => bot.texts.length === 1)
    await until(() => first?.messageId === 'p1')
    const again = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
    const receipt = await again?.end('whole')
    expect(bot.texts).to.deep.equal(['half'])
    expect(edits).to.deep.equal(['p1: whole'])
    const third = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
    expect(await third?.end('something else')).to.deep.equal(receipt)
    expect(edits).to.have.length(1)
  })

  it('repeats its last edit where an edit of an earlier process may still arrive', async () => {
    const edits: string[] = []
    const bot = await platforms.start(drawing(edits))
    const first = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
    first?.update('a')
    await until(() => first?.messageId !== undefined)
    const again = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
    await again?.end('a b')
    expect(edits).to.deep.equal(['p1: a b'])
    await bot.clock.advance(19_999)
    expect(edits).to.have.length(1)
    await bot.clock.advance(1)
    await until(() => edits.length === 2)
    expect(edits).to.deep.equal(['p1: a b', 'p1: a b'])
    await bot.clock.advance(60_000)
    expect(edits).to.have.length(2)
  })

  it('counts as one message that was sent', async () => {
    const bot = await platforms.start(drawing([]))
    const draft = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
    draft?.update('He')
    await until(() => bot.texts.length === 1)
    await draft?.end('Hello')
    expect(bot.chat.counters).to.include({ sent: 1, errors: 0 })
    expect((await bot.chat.info('test', 'one')).stats).to.include({ sent: 1, notSent: 0 })
    expect(bot.chat.activity(60).endpoints[0]?.sent.at(-1)).to.equal(1)
  })

  it('counts as not sent where the platform refuses it', async () => {
    const bot = await platforms.start(
      drawing([], {
        send: async () => {
          throw new SendError('refused', 'blocked')
        },
      }),
    )
    const draft = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
    await draft?.end('Hello').catch(() => undefined)
    expect(bot.chat.counters).to.include({ sent: 0, failed: 1, errors: 1 })
    expect((await bot.chat.info('test', 'one')).stats).to.include({ sent: 0, notSent: 1, lost: 0 })
  })

  it('calls before.sendMessage for each edit', async () => {
    const edits: string[] = []
    const bot = await platforms.start(
      drawing(edits, {
        setup: (ctx) => {
          ctx.on(beforeSendMessage, (outgoing, next) =>
            next({
              ...outgoing,
              segments: [{ type: 'text', data: { text: `${String(outgoing.segments[0]?.data.text)}!` } }],
            }),
          )
        },
      }),
    )
    const draft = await bot.chat.draft('test', 'one', ann, { key: 'k' })
    draft?.update('a')
    await until(() => bot.texts.length === 1)
    await draft?.end('b')
    expect([...bot.texts, ...edits]).to.deep.equal(['a!', 'p1: b!'])
  })

  it('returns no draft where the platform cannot edit', async () => {
    const bot = await platforms.start()
    expect(await bot.chat.draft('test', 'one', ann, { key: 'k' })).to.equal(undefined)
  })

  it('sends the final text as a new message where an edit is refused, and only then', async () => {
    const edits: string[] = []
    let sent = 0
    const bot = await platforms.start(
      drawing(edits, {
        send: async () => ({ messageId: `p${++sent}` }),
        bot: {
          edit: async () => {
            edits.push('tried')
            throw new SendError('refused', 'message to edit not found')
          },
        },
      }),
    )
    const draft = await bot.chat.draft('test', 'one', ann, { key: 'k' })
    draft?.update('a')
    await until(() => bot.texts.length === 1)
    draft?.update('a b')
    await bot.clock.advance(1_000)
    await until(() => edits.length === 1)
    expect(bot.texts).to.deep.equal(['a'])
    expect(await draft?.end('a b c')).to.include({ messageId: 'p2' })
    expect(bot.texts).to.deep.equal(['a', 'a b c'])
    const rows = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 5 })
    expect(rows.map(({ text, state, messageId }) => [text, state, messageId])).to.deep.equal([['a b c', 'sent', 'p2']])
  })

  for (const [why, recall] of [
    ['deletes the partial message', async () => {}],
    [
      'leaves the partial message where the platform keeps it',
      async () => {
        throw new SendError('refused', 'message to delete not found')
      },
    ],
  ] as const) {
    it(`${why} when the platform refuses to edit it, once the whole text is sent`, async () => {
      const done: string[] = []
      const bot = await platforms.start(
        drawing([], {
          send: async (_target, { text }) => {
            done.push(text)
            return { messageId: `p${done.length}` }
          },
          bot: {
            edit: async () => {
              throw new SendError('refused', 'too long')
            },
            recall: async (_target: unknown, messageId: string) => {
              done.push(`recall ${messageId}`)
              await recall()
            },
          },
        }),
      )
      const draft = await bot.chat.draft('test', 'one', ann, { key: 'k' })
      draft?.update('a')
      await until(() => done.length === 1)
      expect(await draft?.end('a b')).to.include({ messageId: 'p2' })
      expect(done).to.deep.equal(['a', 'a b', 'recall p1'])
      const again = await bot.chat.draft('test', 'one', ann, { key: 'k' })
      expect(await again?.end('a b')).to.include({ messageId: 'p2' })
      expect(done).to.have.length(3)
    })
  }

  describe('where the platform refuses an edit after one without an answer', () => {
    /** A platform whose first edit to the whole text has no answer, and whose further ones are refused. */
    async function start(recall: (attempt: number) => void) {
      const done: string[] = []
      let edits = 0
      let recalls = 0
      const bot = await platforms.start(
        drawing([], {
          send: async (_target, { text }) => {
            done.push(text)
            return { messageId: `p${done.length}` }
          },
          bot: {
            edit: async () => {
              if (edits++ === 0) throw new Error('socket hang up')
              throw new SendError('refused', 'too old')
            },
            recall: async () => recall(++recalls),
          },
        }),
      )
      const draft = await bot.chat.draft('test', 'one', ann, { key: 'k' })
      draft?.update('a')
      await until(() => done.length === 1)
      let outcome: string | undefined
      void draft?.end('a b').then(
        ({ messageId }) => (outcome = messageId),
        (error: Error & { code?: string }) => (outcome = error.code),
      )
      await until(async () => {
        if (outcome === undefined) await bot.clock.advance(1_000)
        return outcome !== undefined
      })
      return { outcome, done, recalls }
    }

    it('sends the whole once the old message is certainly gone', async () => {
      const ended = await start((attempt) => {
        if (attempt === 1) throw new Error('socket hang up')
      })
      expect(ended).to.deep.equal({ outcome: 'p2', done: ['a', 'a b'], recalls: 2 })
    })

    it('sends nothing and says that it may have arrived where the old message stays', async () => {
      const ended = await start(() => {
        throw new SendError('refused', 'cannot be deleted')
      })
      expect(ended).to.deep.equal({ outcome: 'upstream_unavailable:unknown', done: ['a'], recalls: 1 })
    })
  })

  for (const [text, shown] of [
    ['whole', 'whole'],
    ['**whole**', 'whole'],
  ] as const)
    it(`sends "${text}" no second time where the platform may show all of it already`, async () => {
      const sent: string[] = []
      const bot = await platforms.start(
        drawing([], {
          send: async (_target, message) => {
            sent.push(message.text)
            throw new Error('socket hang up')
          },
        }),
      )
      const draft = await bot.chat.draft('test', 'one', ann, { key: 'k' })
      draft?.update([Formatted(text)])
      await until(() => sent.length === 1)
      const failure = await draft?.end([Formatted(text)]).catch((error: unknown) => error)
      expect(failure).to.include({
        code: 'upstream_unavailable:unknown',
        message: 'It is unknown whether the message arrived: socket hang up',
      })
      expect(sent).to.deep.equal([shown])
      const [row] = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 5 })
      expect(row).to.include({ state: 'unknown', error: 'socket hang up' })
    })

  for (const [why, failure, end] of [
    ['the platform has refused the first part', new SendError('refused', 'not yet'), 'part'],
    ['it is more than the platform may show', new Error('socket hang up'), 'part and more'],
  ] as const)
    it(`sends the whole where ${why}`, async () => {
      const sent: string[] = []
      const bot = await platforms.start(
        drawing([], {
          send: async (_target, message) => {
            sent.push(message.text)
            if (sent.length === 1) throw failure
            return { messageId: 'p2' }
          },
        }),
      )
      const draft = await bot.chat.draft('test', 'one', ann, { key: 'k' })
      draft?.update('part')
      await until(() => sent.length === 1)
      expect(await draft?.end(end)).to.include({ messageId: 'p2' })
      expect(sent).to.deep.equal(['part', end])
    })

  it('fails with the reason of the platform, also for the same key later', async () => {
    const bot = await platforms.start(
      drawing([], {
        send: async () => {
          throw new SendError('refused', 'blocked')
        },
      }),
    )
    const draft = await bot.chat.draft('test', 'one', ann, { key: 'k' })
    draft?.update('a')
    expect(
      await draft?.end('b').then(
        () => 'sent',
        (error: Error) => error.message,
      ),
    ).to.equal('The message cannot be sent: blocked')
    expect(
      (await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 5 })).map(
        ({ state }) => state,
      ),
    ).to.deep.equal(['failed'])
  })
})
