import { expect } from 'chai'
import { privately, room, startBot, type RunningBot } from './bot.js'
import { joins, scripted, type Scripted } from './scripted.js'
import { until } from '@mynah/kernel/testing'

interface Failure {
  readonly code?: string
  readonly message: string
}
const failure = (sending: Promise<unknown>): Promise<Failure> =>
  sending.then(
    () => ({ message: 'it was sent' }),
    (error: Failure) => error,
  )

describe('Refused messages', function () {
  this.timeout(20_000)
  let server: Scripted
  let bot: RunningBot
  let refuse: (to: string, line: string) => readonly string[] = () => []
  let lines: string[] = []
  let answers = true

  const start = async (capability?: string): Promise<void> => {
    answers = true
    lines = []
    server = await scripted((line, say) => {
      lines.push(line)
      if (line === 'CAP LS 302') say(`:s CAP * LS :${capability ?? ''}`)
      if (line.startsWith('CAP REQ')) say(`:s CAP * ACK :${line.slice(9)}`)
      if (line === 'CAP END') say(':s 001 mynah :Welcome')
      joins(line, say)
      const to = /^PRIVMSG (\S+) /.exec(line)?.[1]
      if (to !== undefined) for (const answer of refuse(to, line)) say(answer)
      const token = /^PING :?(.*)$/.exec(line)?.[1]
      if (token !== undefined && answers) say(`:s PONG s :${token}`)
    })
    bot = await startBot(server)
  }
  afterEach(async () => {
    await bot.stop()
    await server.stop()
  })

  const REFUSALS = [
    ['401', 'No such nick/channel'],
    ['402', 'No such server'],
    ['403', 'No such channel'],
    ['404', 'Cannot send to channel'],
    ['407', 'Too many targets'],
    ['413', 'No toplevel domain specified'],
    ['415', 'Bad server mask'],
    ['437', 'Temporarily unavailable'],
    ['439', 'Target change too fast'],
    ['442', 'Not on channel'],
    ['477', 'You need to be identified'],
    ['482', 'You are not channel operator'],
    ['489', 'Secure connection required'],
    ['531', 'Your message has been blocked'],
    ['716', 'is in +g mode'],
  ] as const
  for (const [number, reason] of REFUSALS) {
    it(`fail with the reason of the reply ${number}, for a channel and for a user`, async () => {
      await start()
      refuse = (to) => [`:s ${number} mynah ${to} :${reason}`]
      for (const target of [room(), privately('missing')])
        expect(await failure(bot.send(target, 'hello'))).to.include({
          code: 'invalid_request',
          message: `The message cannot be sent: ${reason}`,
        })
      refuse = () => []
      await bot.send(room(), 'hello again')
    })
  }

  it('fail after a FAIL reply, and for a prefixed channel', async () => {
    await start()
    refuse = (to) => [`FAIL PRIVMSG CANNOT_SEND ${to} :Quiet, please`]
    expect((await failure(bot.send(room(), 'hello'))).message).to.contain('Quiet, please')
    refuse = () => [':s 404 mynah #room :Cannot send to channel']
    expect((await failure(bot.send(room('@#room'), 'hello'))).message).to.contain('Cannot send')
  })

  it('fail without affecting other messages', async () => {
    await start()
    refuse = (to, line) => (line.includes('bad') ? [`:s 404 mynah ${to} :No`] : [])
    const outcomes = await Promise.all(
      ['one', 'bad', 'two'].map((text, index) => failure(bot.send(privately(`user${index}`), text))),
    )
    expect(outcomes.map(({ message }) => message)).to.deep.equal([
      'it was sent',
      'The message cannot be sent: No',
      'it was sent',
    ])
  })

  it('are not continued after a refused first line', async () => {
    await start()
    refuse = (to) => [`:s 404 mynah ${to} :No`]
    await failure(bot.send(room(), 'one\ntwo\nthree'))
    expect(lines.filter((line) => line.startsWith('PRIVMSG'))).to.deep.equal(['PRIVMSG #room :one'])
  })

  it('are detected without a PING where the server echoes messages', async () => {
    await start('echo-message')
    refuse = (to, line) => [line.includes('bad') ? `:s 404 mynah ${to} :No` : `:mynah!m@host ${line}`]
    await bot.send(room(), 'good')
    expect((await failure(bot.send(room(), 'bad'))).message).to.contain('No')
    expect(lines.filter((line) => line.includes('mynah-'))).to.deep.equal([])
  })

  it('are assumed sent where the server does not answer a PING, and no further PING is sent', async () => {
    await start()
    refuse = () => []
    answers = false
    await bot.send(room(), 'one')
    const asked = lines.filter((line) => line.includes('mynah-')).length
    await Promise.all([bot.send(room(), 'two'), bot.send(room(), 'three')])
    await until(() => lines.filter((line) => line.startsWith('PRIVMSG')).length === 3, 'for all three')
    expect(lines.filter((line) => line.includes('mynah-'))).to.have.length(asked)
  })

  it('are reported as unknown after a lost connection', async () => {
    await start()
    refuse = () => {
      for (const socket of server.sockets) socket.destroy()
      return []
    }
    expect(await failure(bot.send(room(), 'hello'))).to.include({ code: 'upstream_unavailable:unknown' })
    refuse = () => []
    await until(() => bot.status() === 'online', 'until the bot is back')
    await bot.send(room(), 'hello')
  })
})
