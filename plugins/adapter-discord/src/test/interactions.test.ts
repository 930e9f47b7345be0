import { expect } from 'chai'
import { definePlugin } from '@mynah/kernel'
import { commands, defineCommand, type EndpointHandle } from '@mynah/plugin-chat/api'
import type { DiscordConfig } from '../config.js'
import { Directory } from '../directory.js'
import { Events } from '../events.js'
import { Positions } from '../positions.js'
import { Rest } from '../rest.js'
import { DiscordHost, hasty, until } from './discord-host.js'
import { ALICE, DiscordServer, PRIVATE, ROOM, TOKEN } from './discord-server.js'

const roll = { id: '1', name: 'roll', type: 1, options: [{ type: 3, name: 'text', value: '2 dice' }] }

describe('Interactions of Discord', function () {
  this.timeout(60_000)
  let bot: DiscordHost
  afterEach(() => bot.stop())

  it('with a command are answered in the place of "is thinking", and then by messages', async () => {
    bot = await DiscordHost.start()
    bot.answer = { content: 'a six' }
    const id = bot.server.interact(2, roll)
    await bot.hears(1)
    await until(() => bot.server.answers.length === 1, 'the answer')
    expect(bot.texts).to.deep.equal(['/roll 2 dice'])
    expect(bot.messages[0]?.addressed).to.equal(true)
    expect(bot.server.callbacks).to.deep.equal([{ id, type: 5 }])
    expect(bot.server.answers[0]).to.include({ kind: 'first' })
    await bot.messages[0]?.$reply('and a two')
    expect(bot.server.answers.map(({ kind, body }) => [kind, body.content])).to.deep.equal([
      ['first', 'a six'],
      ['followup', 'and a two'],
    ])
    expect(bot.server.sent).to.deep.equal([])
  })

  it('for one user are answered where only that user sees it', async () => {
    bot = await DiscordHost.start()
    bot.answer = { content: 'a secret', options: { onlySender: true } }
    bot.server.interact(2, roll)
    await until(() => bot.server.answers.length === 2, 'the answer')
    expect(bot.server.answers.map(({ kind }) => kind)).to.deep.equal(['deleted', 'followup'])
    expect(bot.server.answers[1]?.body).to.include({ content: 'a secret', flags: 64 })
    bot.server.say('what is the secret?')
    await until(() => bot.server.sent.length === 1, 'the private message')
    expect(bot.server.sent[0]).to.include({ channel: PRIVATE, text: 'a secret' })
  })

  it('whose token has ended are answered in the channel', async () => {
    bot = await DiscordHost.start()
    const gone = { status: 404, body: { message: 'Unknown Webhook', code: 10_015 } }
    bot.server.http.fault(/webhooks/, gone, 2)
    bot.answer = { content: 'too late' }
    bot.server.interact(2, roll)
    await until(() => bot.server.sent.length === 1 || bot.server.answers.length === 1, 'the answer')
    expect(bot.server.sent.map(({ text, channel }) => [text, channel])).to.deep.equal([['too late', ROOM]])
  })

  it('are acknowledged in time, although the store has not taken them', async () => {
    bot = new DiscordHost(await new DiscordServer().listen())
    let release = (): void => {}
    const stored = new Promise<void>((resolve) => (release = resolve))
    const config = { token: TOKEN, apiRoot: bot.server.apiRoot }
    const signal = new AbortController().signal
    const rest = new Rest(config, hasty, signal)
    const endpoint = { config, clock: hasty, receive: () => stored } as unknown as EndpointHandle<DiscordConfig>
    const positions = new Positions({ get: async () => undefined, set: async () => {} })
    const directory = new Directory(rest)
    const events = new Events({ endpoint, rest, directory, positions, me: () => '1', prefix: () => '/' })
    const id = bot.server.newId()
    const token = 'interaction-token'
    const user = { id: ALICE, username: 'alice' }
    const data = { id, application_id: '1', type: 2, token, data: roll, channel_id: PRIVATE, user }
    const event = { type: 'INTERACTION_CREATE', sequence: 1, data }
    events.arrive(event)
    const taking = events.take(event, {})
    await until(() => bot.server.callbacks.length === 1, 'the acknowledgement before the store has answered')
    release()
    expect(await taking).to.equal(true)
    expect(bot.server.callbacks).to.deep.equal([{ id, type: 5 }])
  })

  it('have the commands of the bot as slash commands', async () => {
    const plugin = definePlugin({
      name: 'games',
      setup: (ctx) => {
        for (const name of ['roll', 'note add', 'note list'])
          ctx.contribute(
            commands,
            defineCommand({ name, description: { en: `Does ${name}`, 'zh-CN': '做' }, run: () => '' }),
          )
        ctx.contribute(
          commands,
          defineCommand({ name: 'stop', description: 'Stops', requiredAnyRole: ['master'], run: () => '' }),
        )
      },
    })
    bot = await DiscordHost.start({ slash: 'global' }, [plugin])
    await until(() => bot.server.commands !== undefined, 'the commands')
    const shown = bot.server.commands as { name: string; description: string; description_localizations?: object }[]
    const own = shown.filter(({ name }) => ['roll', 'note', 'stop'].includes(name))
    expect(own.map(({ name, description }) => [name, description])).to.deep.equal([
      ['note', 'add, list'],
      ['roll', 'Does roll'],
    ])
    expect(own[1]?.description_localizations).to.deep.equal({ 'zh-CN': '做' })
  })
})
