import { expect } from 'chai'
import { room, startBot } from './bot.js'
import { joins, scripted } from './scripted.js'
import { onStage } from './stage.js'
import { until } from '@mynah/kernel/testing'

onStage('Connection', 'ngircd', { flood: true }, (stage) => {
  it('detects a frozen server, and reconnects when it answers again', async () => {
    const bot = await stage.bot({ pingTimeout: 2 })
    stage.server.freeze()
    try {
      await bot.offline()
      expect(await bot.error()).to.contain('has said nothing for 2 s')
    } finally {
      stage.server.thaw()
    }
    await bot.online()
  })

  it('stops while the server is frozen', async () => {
    const bot = await stage.bot()
    stage.server.freeze()
    try {
      await bot.stop()
    } finally {
      stage.server.thaw()
    }
  })

  it('stays within the default flood limits of a server, without losing a line', async () => {
    const alice = await stage.user('alice', '#room')
    const bot = await stage.bot({ pacing: { burst: 5, perSecond: 3 } })
    await alice.sees('mynah', '#room')
    const texts = Array.from({ length: 14 }, (_, index) => `line ${index}`)
    await Promise.all([
      bot.send(room(), texts.slice(0, 7).join('\n')),
      ...texts.slice(7).map((text) => bot.send(room(), text)),
    ])
    await until(() => alice.heard('mynah').length === texts.length, 'for all lines')
    expect(alice.heard('mynah')).to.deep.equal(texts)
    expect(bot.status()).to.equal('online')
  })
})

describe('Connection to a scripted server', function () {
  this.timeout(20_000)
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  const PLAIN = Buffer.from('bot\0bot\0s3cret').toString('base64')
  const withServices = (): ReturnType<typeof scripted> =>
    scripted((line, say) => {
      if (line === 'CAP LS 302') say(':s CAP * LS :sasl=PLAIN account-tag message-tags')
      const requested = /^CAP REQ :?(.*)$/.exec(line)?.[1]
      if (requested !== undefined) say(`:s CAP * ACK :${requested}`)
      if (line === 'AUTHENTICATE PLAIN') say('AUTHENTICATE +')
      else if (line === `AUTHENTICATE ${PLAIN}`) {
        say(':s 900 mynah mynah!m@host bot :You are now logged in')
        say(':s 903 mynah :SASL authentication successful')
      } else if (line.startsWith('AUTHENTICATE ')) say(':s 904 mynah :SASL authentication failed')
      if (line === 'CAP END') say(':s 001 mynah :Welcome')
      joins(line, say)
    })

  it('logs in with an account, and identifies users by their accounts', async () => {
    const server = await withServices()
    ends.push(() => server.stop())
    const bot = await startBot(server, {
      sasl: { account: 'bot', password: 's3cret' },
      identify: 'account',
      trusted: ['alice-account'],
    })
    ends.push(() => bot.stop())
    for (const line of [
      '@account=alice-account :alice!a@host PRIVMSG #room :it is me',
      ':alice-account!a@host PRIVMSG #room :no, me',
    ])
      for (const socket of server.sockets) socket.write(`${line}\r\n`)
    await until(() => bot.heard.length === 2, 'for both lines')
    expect(bot.heard.map(({ sender, roles }) => [sender.id, sender.name, roles.has('trusted')])).to.deep.equal([
      ['alice-account', 'alice', true],
      ['~alice-account', 'alice-account', false],
    ])
    expect(JSON.stringify(await bot.chat.info('irc', 'bot'))).to.not.contain('s3cret')
  })

  it('does not connect when the server refuses the account', async () => {
    const server = await withServices()
    ends.push(() => server.stop())
    const bot = await startBot(server, { sasl: { account: 'bot', password: 'wrong' } }, { eager: true })
    ends.push(() => bot.stop())
    await until(async () => (await bot.error()).includes('do not accept account and password'), 'for the reason')
    expect(await bot.error()).to.not.contain('wrong')
    expect(bot.status()).to.not.equal('online')
  })

  it('survives invalid lines', async () => {
    const server = await scripted((line, say) => {
      if (line.startsWith('USER')) say(':s 001 mynah :Welcome')
      joins(line, say)
    })
    ends.push(() => server.stop())
    const bot = await startBot(server)
    ends.push(() => bot.stop())
    const nonsense = [
      'PRIVMSG',
      ':a!b@c PRIVMSG',
      ':a PRIVMSG #room',
      'NOTICE',
      ':x 353',
      ':x 005 mynah PREFIX',
      'MODE',
      'KICK #room',
      ':a!b@c KICK',
      'JOIN',
      ':a!b@c NICK',
      ':a!b@c MODE #room',
      'CAP',
      '@',
      '@a=b',
      ':',
      '\x01',
      '\xff\xfe',
      ':s BATCH',
      'PING',
      ':a!b@c INVITE mynah',
      'ERROR',
      '433',
      '366 a',
      '474 mynah #room',
    ]
    for (const socket of server.sockets) {
      for (const line of nonsense) socket.write(`${line}\r\n`, 'latin1')
      socket.write(Buffer.from([...Buffer.from(':bob!b@c PRIVMSG #room :na'), 0xef, ...Buffer.from('ve\r\n')]))
    }
    await until(() => bot.heard.some(({ text }) => text === 'naïve'), 'for a line in an old encoding')
    expect(bot.status()).to.equal('online')
    for (const socket of server.sockets) socket.write('x'.repeat(100_000))
    await until(async () => (await bot.error()).includes('more than 16384 bytes'), 'until the endless line is refused')
  })

  it('does not repeat a message whose connection ends before the server answers', async () => {
    const server = await scripted((line, say, socket) => {
      if (line === 'CAP LS 302') say(':s CAP * LS :echo-message')
      if (line.startsWith('CAP REQ')) say(':s CAP * ACK :echo-message')
      if (line === 'CAP END') say(':s 001 mynah :Welcome')
      joins(line, say)
      if (line.startsWith('PRIVMSG')) socket.destroy()
    })
    ends.push(() => server.stop())
    const bot = await startBot(server)
    ends.push(() => bot.stop())
    const outcome = await bot.send(room(), 'lost?').then(
      () => 'sent',
      (error: Error) => error.message,
    )
    expect(outcome).to.match(/did not take the message/)
  })
})
