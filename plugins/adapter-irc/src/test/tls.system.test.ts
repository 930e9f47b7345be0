import { expect } from 'chai'
import { KINDS } from './servers.js'
import { onStage } from './stage.js'
import { until } from '@mynah/kernel/testing'

onStage('TLS', 'ngircd', { tls: true }, (stage) => {
  it('trusts a configured certificate', async () => {
    const alice = await stage.user('alice', '#room')
    const bot = await stage.bot(
      { tls: true, port: stage.server.tlsPort, ca: stage.server.certificate },
      { answer: ({ text }) => `got ${text}` },
    )
    alice.say('#room', 'hello')
    await until(() => alice.heard('mynah').includes('got hello'), 'for the answer')
    expect(bot.status()).to.equal('online')
  })

  it('does not connect to a server with an unknown certificate, and suggests a fix', async () => {
    const bot = await stage.bot({ tls: true, port: stage.server.tlsPort }, { eager: true })
    await until(async () => (await bot.error()).includes('certificate is not trusted'), 'for the reason')
    expect(await bot.error()).to.contain('set `ca`')
  })

  it('connects to it where the configuration accepts any certificate', async () => {
    const bot = await stage.bot({ tls: true, port: stage.server.tlsPort, tlsInsecure: true })
    expect(bot.status()).to.equal('online')
  })

  it('reports a port that does not speak TLS', async () => {
    const bot = await stage.bot({ tls: true, pingTimeout: 2 }, { eager: true })
    await until(async () => (await bot.error()) !== '', 'for the reason')
    expect(await bot.error()).to.match(/no TLS at this port|is there TLS at this port/)
  })
})

for (const kind of KINDS) {
  onStage('Server password', kind, { password: 'open-sesame' }, (stage) => {
    it('sends the password of the server, and reports a wrong one', async () => {
      const bot = await stage.bot({ password: 'open-sesame' })
      expect(bot.status()).to.equal('online')
      const { config } = await bot.chat.info('irc', 'bot')
      expect(JSON.stringify(config)).to.not.contain('open-sesame')
      await bot.stop()
      const stranger = await stage.bot({ password: 'wrong' }, { eager: true })
      await until(async () => /password|access denied/i.test(await stranger.error()), 'for the reason')
    })
  })
}
