import { expect } from 'chai'
import type { Socket } from 'node:net'
import { SeededRandom, SkippingClock, randomBytes } from '@mynah/plugin-chat/testing'
import { startBot, type RunningBot } from './bot.js'
import { joins, scripted, type Scripted } from './scripted.js'
import { until } from '@mynah/kernel/testing'

/** Hours of the bot's time; `npm run test:faults` takes more of them. */
const HOURS = Number(process.env.MYNAH_NONSENSE_HOURS ?? 2)
const COMMANDS = [
  'PRIVMSG',
  'NOTICE',
  'JOIN',
  'PART',
  'QUIT',
  'KICK',
  'MODE',
  'NICK',
  'INVITE',
  'TOPIC',
  'PING',
  'PONG',
  'ERROR',
  'CAP',
  'BATCH',
  'AUTHENTICATE',
  'ACCOUNT',
  'AWAY',
  'CHGHOST',
  'SETNAME',
  'WALLOPS',
  'TAGMSG',
  'FAIL',
  'WARN',
  'NOTE',
  'KILL',
  'MONITOR',
  'RPL',
]
const WORDS = [
  'mynah',
  '#room',
  'alice',
  '*',
  '',
  ':',
  '@',
  '+o',
  '-ooo',
  '+kkk',
  '=',
  '0',
  '-1',
  'LS',
  'ACK',
  'NAK',
  'DEL',
  'NEW',
  'echo-message',
  'sasl',
  'PREFIX=(ov)@+',
  'PREFIX=',
  'CHANTYPES=',
  'CASEMAPPING=x',
  'NICKLEN=x',
  '+id',
  '-id',
  'chathistory',
  '__proto__',
  'constructor',
  'toString',
  '\x01VERSION\x01',
  '\x01ACTION',
  '\x01',
  '\x03',
  '\x1b[2J',
  '\u{1f426}',
  '/help',
  'x'.repeat(600),
]
const TAGS = [
  '',
  '',
  '',
  '@time=2026-01-01T00:00:00Z ',
  '@time=never ',
  '@msgid=1;account=alice ',
  '@batch=id ',
  '@+draft/reply=1 ',
  '@;;; ',
  '@a=\\ ',
  `@x=${'y'.repeat(9_000)} `,
]
const SOURCES = ['', ':s ', ':alice!a@host ', ':mynah!m@host ', ': ', ':! ', ':!@ ', ':@ ']

function line(chance: SeededRandom): string {
  const command = chance.below(3) ? chance.pick(COMMANDS) : String(chance.below(1_000)).padStart(3, '0')
  const words = Array.from({ length: chance.below(7) }, () => chance.pick(WORDS))
  const last = chance.below(2) ? ` :${chance.pick(WORDS)} ${chance.pick(WORDS)}` : ''
  return `${chance.pick(TAGS)}${chance.pick(SOURCES)}${command}${words.length ? ` ${words.join(' ')}` : ''}${last}`
}

describe('Connection to a server that sends random lines', function () {
  this.timeout(HOURS * 40_000)
  let server: Scripted
  let bot: RunningBot
  let sane = true
  const chance = new SeededRandom(20_261_121)
  const babble = (socket: Socket): void => {
    switch (chance.below(40)) {
      case 0:
        return void socket.write(randomBytes(chance, 2_000))
      case 1:
        return void socket.write('x'.repeat(20_000))
      case 2:
        return void socket.destroy()
      case 3:
        return void socket.write('\r\n\r\n\n\0\r')
      default:
        socket.write(`${line(chance)}\r\n`)
    }
  }

  beforeEach(async () => {
    sane = true
    server = await scripted((sent, say, socket) => {
      if (!sane) for (let count = chance.below(30); count > 0 && !socket.destroyed; count--) babble(socket)
      if (!sane && chance.below(4) === 0) return
      if (sent.startsWith('USER')) say(':s 001 mynah :Welcome')
      const token = /^PING :?(.*)$/.exec(sent)?.[1]
      if (token !== undefined) say(`:s PONG s :${token}`)
      joins(sent, say)
    })
  })
  afterEach(async () => {
    await bot.stop()
    await server.stop()
  })

  const recovers = async (): Promise<void> => {
    sane = true
    for (const socket of server.sockets) socket.destroy()
    await until(() => server.sockets.size > 0 && bot.status() === 'online', 'until the bot is back')
    await until(() => {
      for (const socket of server.sockets) socket.write(':bob!b@c PRIVMSG mynah :are you there?\r\n')
      return bot.heard.some(({ text }) => text === 'are you there?')
    }, 'until the bot hears again')
  }

  it('recovers after hours', async () => {
    const clock = new SkippingClock()
    bot = await startBot(server, {}, { clock })
    sane = false
    let lines = 0
    while (clock.skipped < HOURS * 3_600_000 || lines < 15_000) {
      for (const socket of server.sockets) {
        for (let count = 0; count < 20 && !socket.destroyed; count++, lines++) babble(socket)
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await recovers()
    expect(
      bot.log.filter(({ level, name }) => level === 'error' && name !== 'chat').map(({ message }) => message),
    ).to.deep.equal([])
  })

  it('drops lists that never end', async () => {
    bot = await startBot(server)
    const socket = Array.from(server.sockets)[0] as Socket
    const names = `:s 353 mynah = #room :${Array.from({ length: 60 }, (_, index) => `n${index}`).join(' ')}\r\n`
    const motd = ':s 372 mynah :- for ever\r\n'
    for (let round = 0; round < 100; round++) {
      socket.write((names + motd).repeat(50))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await until(
      () => bot.log.some(({ message }) => message.includes('did not end its lists')),
      'until they are forgotten',
    )
    expect(bot.status()).to.equal('online')
    await recovers()
  })
})
