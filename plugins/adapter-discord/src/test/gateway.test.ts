import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '@mynah/kernel'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import { gatewayAddress } from '../gateway.js'
import { DiscordHost, room, until } from './discord-host.js'
import { DiscordServer } from './discord-server.js'

describe('Sessions of Discord', function () {
  this.timeout(60_000)
  let bot: DiscordHost
  afterEach(() => bot.stop())

  const hear = async (text: string): Promise<void> => {
    bot.server.say(text)
    await bot.hears(bot.messages.length + 1)
  }

  for (const [name, lose] of [
    ['Discord asks for it (op 7)', (server: DiscordServer) => server.frame({ op: 7, d: null })],
    ['Discord asks to resume again (op 9 true)', (server: DiscordServer) => server.frame({ op: 9, d: true })],
    ['the connection has ended', (server: DiscordServer) => server.closeSockets(4_000)],
  ] as const)
    it(`are resumed where ${name}`, async () => {
      bot = await DiscordHost.start()
      await hear('before')
      lose(bot.server)
      bot.server.say('meanwhile')
      await until(() => bot.server.logins.length === 2, 'the second login')
      await bot.hears(2)
      expect(bot.texts).to.deep.equal(['before', 'meanwhile'])
      expect(bot.server.logins).to.deep.equal(['identify', 'resume'])
    })

  it('are resumed after connections that were refused', async () => {
    bot = await DiscordHost.start()
    await hear('before')
    await bot.server.kill()
    await until(async () => (await bot.reason()).includes('cannot be reached'), 'a connection that was refused')
    bot.server.say('meanwhile')
    await bot.server.http.restart()
    await bot.hears(2)
    expect(bot.texts).to.deep.equal(['before', 'meanwhile'])
    expect(bot.server.logins).to.deep.equal(['identify', 'resume'])
  })

  it('are resumed after a restart of the host', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-discord-'))
    try {
      const file = join(folder, 'messages.sqlite')
      bot = await DiscordHost.start({}, [{ plugin: database, config: { file } }, inbox], systemClock)
      await hear('before')
      await bot.halt()
      bot.server.say('meanwhile')
      await bot.run()
      await bot.hears(2)
      expect(bot.texts).to.deep.equal(['before', 'meanwhile'])
      expect(bot.server.logins).to.deep.equal(['identify', 'resume'])
      await bot.halt()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('that are over (op 9 false) begin again, and what was missed comes from the history in order', async () => {
    bot = await DiscordHost.start()
    await hear('before')
    bot.server.forgetSessions()
    const missed = Array.from({ length: 150 }, (_, index) => `missed ${index + 1}`)
    for (const text of missed) bot.server.say(text)
    await until(() => bot.server.logins.length === 2, 'the second login')
    bot.server.say('after')
    await until(
      () => bot.texts.includes('after'),
      () => `all; heard ${bot.texts.length}`,
    )
    expect(bot.server.logins).to.deep.equal(['identify', 'identify'])
    expect(bot.texts).to.deep.equal(['before', ...missed, 'after'])
  })

  for (const [code, words] of [
    [4_004, 'token'],
    [4_013, 'intents'],
    [4_014, 'Message Content Intent'],
  ] as const)
    it(`that end with ${code} name what to change`, async () => {
      bot = new DiscordHost(await new DiscordServer().listen())
      bot.server.closeWith = code
      await bot.run()
      await until(async () => (await bot.reason()) !== '', 'a reason')
      expect(await bot.reason())
        .to.include(words)
        .and.include(String(code))
      expect(bot.status).not.to.equal('online')
    })

  it('are only opened over TLS, unless Discord is a local server', async () => {
    bot = await DiscordHost.start()
    expect(gatewayAddress('wss://gateway.discord.gg', 'https://discord.com/api/v10')).to.equal(
      'wss://gateway.discord.gg',
    )
    expect(() => gatewayAddress('ws://gateway.discord.gg', 'https://discord.com/api/v10')).to.throw('apiRoot')
    expect(() => gatewayAddress('http://gateway.discord.gg', 'http://127.0.0.1')).to.throw('apiRoot')
    await bot.chat.send('discord', 'bot', room, 'hello')
  })
})
