import { expect } from 'chai'
import { aiPaths, roleGrants, type Message } from '../api.js'
import { eachTest, until, type PlatformOptions } from '../test/support.js'

const ann = { type: 'private', id: 'ann' } as const

describe('MessageActions', () => {
  const platforms = eachTest()
  const taking = (taken: Message[]): PlatformOptions => ({
    setup: (ctx) =>
      ctx.contribute(aiPaths, {
        name: 'model',
        decide: () => ({ matches: true, reason: 'all' }),
        handle: async (message) => {
          await message.detach()
          taken.push(message)
        },
      }),
  })

  it('marks a detached message as handled, traces it until it is done, and replies later', async () => {
    const taken: Message[] = []
    const bot = await platforms.start(taking(taken))
    const id = await bot.hear('question')
    await until(() => taken.length === 1)
    const message = taken[0] as Message
    expect((await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 1 }))[0]).to.include({
      state: 'handled',
      id: message.row,
    })
    message.step('wait', 'approval', 'ended', 'bash', { parent: 'turn/1', durationMs: 12.3456, waitedMs: 12 })
    message.step('tool', 'bash', 'ran', undefined, { id: 'turn/1', durationMs: 40, waitedMs: undefined })
    message.step('model', 'scripted', 'answered')
    expect(await bot.chat.message(message.row as string)).to.equal(message)
    await bot.chat.send('test', 'one', message.channel, 'answer', { key: 'turn/1', answers: message })
    expect(bot.sent[0]?.message).to.include({ text: 'answer', replyTo: id })
    expect(bot.chat.traces({ limit: 1, messageId: id })[0]).to.not.have.property('endedAt')
    message.done()
    await bot.handled(id)
    expect(bot.steps(id)).to.include.members(['model scripted answered', 'send one sent'])
    const steps = bot.chat.traces({ limit: 1, messageId: id })[0]?.steps.slice(-4)
    expect(steps?.map(({ ms: _, ...step }) => step)).to.deep.equal([
      {
        stage: 'wait',
        name: 'approval',
        outcome: 'ended',
        reason: 'bash',
        parent: 'turn/1',
        durationMs: 12.346,
        waitedMs: 12,
      },
      { stage: 'tool', name: 'bash', outcome: 'ran', id: 'turn/1', durationMs: 40 },
      { stage: 'model', name: 'scripted', outcome: 'answered' },
      { stage: 'send', name: 'one', outcome: 'sent' },
    ])
    const again = await bot.chat.message(message.row as string)
    expect(again).to.include({ id, text: 'question' })
    expect([...(again as Message).roles]).to.deep.equal(['user'])
  })

  it('handles a message to the end where detaching failed', async () => {
    const bot = await platforms.start({
      setup: (ctx) =>
        ctx.contribute(aiPaths, {
          name: 'model',
          decide: () => ({ matches: true, reason: 'all' }),
          handle: async (message) => {
            await message.detach()
            throw Object.create(null)
          },
        }),
    })
    const id = await bot.hear('question')
    await until(() => bot.steps(id).some((step) => step.startsWith('ai model failed')))
    expect((await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 1 }))[0]).to.include({
      state: 'handled',
    })
  })
})

describe('Roles', () => {
  const platforms = eachTest()

  it('adds the roles that plugins grant', async () => {
    const seen: string[][] = []
    const bot = await platforms.start({
      setup: (ctx) => {
        ctx.contribute(roleGrants, {
          name: 'test',
          roles: (_adapter, endpoint, user) => (endpoint === 'one' && user === 'ann' ? ['master'] : []),
        })
        ctx.contribute(aiPaths, {
          name: 'model',
          decide: (message) => {
            seen.push([...message.roles])
            return { matches: false, reason: 'no' }
          },
          handle: async () => {},
        })
      },
    })
    await bot.say('x')
    await bot.say('x', { sender: { id: 'bob' } })
    expect(seen).to.deep.equal([['user', 'master'], ['user']])
    expect([...bot.chat.rolesOf('test', 'one', 'ann')]).to.include('master')
  })
})

describe('Chat.transcript', () => {
  const platforms = eachTest()

  it('returns both sides of one conversation, oldest first, found by row and by words of any script', async () => {
    const bot = await platforms.start()
    for (const text of ['one', 'Two', '明天开会']) await bot.say(text)
    await bot.say('elsewhere', { channel: { type: 'group', id: 'g' } })
    await bot.chat.send('test', 'one', ann, 'three')
    const ask = (more: object) =>
      bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 10, ...more })
    const all = await ask({})
    expect(all.map(({ text }) => text)).to.deep.equal(['one', 'Two', '明天开会', 'three'])
    expect((await ask({ limit: 2 })).map(({ text }) => text)).to.deep.equal(['明天开会', 'three'])
    expect((await ask({ after: all[1]?.id })).map(({ text }) => text)).to.deep.equal(['明天开会', 'three'])
    expect((await ask({ before: all[1]?.id })).map(({ text }) => text)).to.deep.equal(['one'])
    expect((await ask({ text: 'tW' })).map(({ text }) => text)).to.deep.equal(['Two'])
    expect((await ask({ text: '开会' })).map(({ text }) => text)).to.deep.equal(['明天开会'])
    expect(await ask({ text: '%' })).to.deep.equal([])
  })
})

describe('ActivityLog', () => {
  const platforms = eachTest()

  it('counts messages and failures by the minute, with the status of endpoints', async () => {
    const bot = await platforms.start({
      send: async (_target, { text }) => {
        if (text === 'bad') throw new Error('no')
      },
    })
    await bot.say('a')
    await bot.clock.advance(60_000)
    await bot.say('b')
    await bot.say('c')
    await bot.chat.send('test', 'one', ann, 'good')
    await bot.chat.send('test', 'one', ann, 'bad').catch(() => {})
    await bot.clock.advance(60_000)
    const { endpoints, step, from } = bot.chat.activity(4)
    expect({ step, from }).to.deep.equal({
      step: 60_000,
      from: Math.floor(bot.clock.now() / 60_000) * 60_000 - 3 * 60_000,
    })
    expect(endpoints).to.deep.equal([
      {
        adapter: 'test',
        endpointId: 'one',
        received: [0, 1, 2, 0],
        sent: [0, 0, 1, 0],
        failed: [0, 0, 1, 0],
        status: '-ooo',
      },
    ])
  })

  it('counts the answers to the messages that it counts, and no others', async () => {
    let answer: (text: string) => void = () => {}
    const late = new Promise<string>((resolve) => (answer = resolve))
    const bot = await platforms.start({ commands: [{ name: 'hi', description: '', run: () => late }] })
    const said = bot.say('/hi')
    await until(() => bot.chat.activity(1).endpoints[0]?.received[0] === 1)
    await bot.clock.advance(70 * 60_000)
    answer('hello')
    await said
    expect(bot.chat.activity(60).answers.count).to.equal(0)
    expect(bot.chat.activity(80).answers.count).to.equal(1)
    expect(bot.chat.activity(80, 'other')).to.deep.include({ endpoints: [], answers: { count: 0, medianMs: 0 } })
  })

  it('counts an answer when it is sent, also one that waited for its endpoint', async () => {
    const bot = await platforms.start({
      commands: [
        {
          name: 'hi',
          description: '',
          run: () => {
            bot.accounts.get('one')?.lost('gone')
            return 'hello'
          },
        },
      ],
    })
    await bot.say('/hi')
    expect(bot.chat.activity(1).answers.count).to.equal(0)
    await bot.clock.advance(2_000)
    await until(() => bot.texts.length === 1)
    await until(() => bot.chat.activity(1).answers.count === 1)
    expect(bot.chat.activity(1).answers.medianMs).to.be.above(0)
  })
})
