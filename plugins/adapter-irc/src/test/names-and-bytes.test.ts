import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { startBot, type RunningBot } from './bot.js'
import { scripted, type Scripted } from './scripted.js'

const NICK = 'bot[x]'

describe('Names and bytes of a server', function () {
  this.timeout(20_000)
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  /** A bot in `#Fruit[1]` on a server that names its mapping, or none. */
  async function start(mapping: string | undefined, config: Record<string, unknown> = {}) {
    const server: Scripted = await scripted((line, say) => {
      if (line.startsWith('CAP LS')) say(':s CAP * LS :')
      if (line.startsWith('USER')) {
        say(`:s 001 ${NICK} :Welcome`)
        if (mapping !== undefined) say(`:s 005 ${NICK} CHANTYPES=# CASEMAPPING=${mapping} :are supported`)
        say(`:s 376 ${NICK} :End`)
      }
      if (line.startsWith('JOIN ')) {
        say(`:${NICK}!b@h JOIN #Fruit[1]`)
        say(`:s 353 ${NICK} = #Fruit[1] :${NICK} @Ann[1]`)
        say(`:s 366 ${NICK} #Fruit[1] :End`)
      }
    })
    ends.push(() => server.stop())
    const bot: RunningBot = await startBot(server, { nick: NICK, channels: ['#fruit[1]'], ...config })
    ends.push(() => bot.stop())
    const send = (...lines: (string | Buffer)[]): void => {
      for (const socket of server.sockets)
        for (const line of lines) socket.write(Buffer.concat([Buffer.from(line), Buffer.from('\r\n')]))
    }
    return { bot, send }
  }

  for (const mapping of ['rfc1459', 'strict-rfc1459', 'rfc1459-strict', undefined])
    it(`are folded with brackets by ${mapping ?? 'a server that names no mapping'}`, async () => {
      const { bot, send } = await start(mapping, { master: 'ann{1}' })
      send(':Ann[1]!a@h PRIVMSG #FRUIT{1} :bot{x}: hi there', ':ann{1}!a@h PRIVMSG BOT{X} :in private')
      await until(() => bot.heard.length === 2, 'both messages')
      for (const { addressed, roles, sender } of bot.heard) {
        expect(addressed).to.equal(true)
        expect([...roles]).to.include.members(['master'])
        expect(sender.id).to.equal('ann{1}')
      }
      expect(bot.heard[0]?.channel).to.include({ type: 'group', id: '#fruit[1]' })
      expect([...(bot.heard[0]?.roles ?? [])]).to.include('group_admin')
      expect(bot.heard[1]?.channel.type).to.equal('private')
    })

  for (const mapping of ['ascii', 'rfc7613', 'nonsense'])
    it(`are folded by letters only with ${mapping}, so that an owner has one name`, async () => {
      const { bot, send } = await start(mapping, { master: 'ANN[1]' })
      send(':Ann{1}!a@h PRIVMSG #Fruit[1] :bot{x}: hi there', ':ann[1]!a@h PRIVMSG #FRUIT[1] :BOT[x]: hi')
      await until(() => bot.heard.length === 2, 'both messages')
      expect(bot.heard.map(({ addressed, roles }) => [addressed, roles.has('master')])).to.deep.equal([
        [false, false],
        [true, true],
      ])
    })

  it('lose the character within which a line was cut, and no more', async () => {
    const { bot, send } = await start('rfc1459')
    const whole = Buffer.from(`:alice!a@h PRIVMSG #fruit[1] :${NICK}: 李子什么时候成柿，`)
    send(whole.subarray(0, -1), whole.subarray(0, -2), Buffer.from(':alice!a@h PRIVMSG #fruit[1] :caf\xe9', 'latin1'))
    await until(() => bot.heard.length === 3, 'all messages')
    const texts = bot.heard.map(({ text }) => text)
    expect(texts[0]).to.contain('李子什么时候成柿').and.not.contain('\ufffd').and.not.contain('ï')
    expect(texts[1]).to.equal(texts[0])
    expect(texts[2]).to.equal('café')
  })
})
