import { expect } from 'chai'
import { substitute } from './nick-keeper.js'
import { fastClock } from './test/bot.js'
import { KINDS } from './test/servers.js'
import { onStage } from './test/stage.js'
import { until } from '@mynah/kernel/testing'

const nameOf = async (bot: { chat: { list(): Promise<{ selfName?: string }[]> } }): Promise<string | undefined> =>
  (await bot.chat.list())[0]?.selfName

for (const kind of KINDS) {
  onStage('Nick', kind, {}, (stage) => {
    it('uses another nick while the configured one is taken', async () => {
      await stage.user('mynah', '#room')
      await stage.user('mynah_')
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot()
      expect(await nameOf(bot)).to.equal('mynah__')
      alice.say('#room', 'mynah: not for the bot')
      alice.say('#room', 'mynah__: for the bot')
      await until(() => bot.heard.length === 2, 'for both lines')
      expect(bot.heard.map(({ addressed }) => addressed)).to.deep.equal([false, true])
    })

    it('takes the configured nick as soon as a visible user gives it up', async () => {
      const thief = await stage.user('mynah', '#room')
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot()
      expect(await nameOf(bot)).to.equal('mynah_')
      thief.raw('NICK other')
      await until(async () => (await nameOf(bot)) === 'mynah', 'until it has its name')
      alice.say('mynah', 'is that you?')
      await until(() => bot.heard.length === 1, 'for the private line')
      expect(bot.heard[0]?.addressed).to.equal(true)
    })

    it('takes the configured nick after a while when an invisible user gave it up', async () => {
      const thief = await stage.user('mynah')
      const bot = await stage.bot({}, { clock: fastClock })
      expect(await nameOf(bot)).to.equal('mynah_')
      await thief.leave()
      await until(async () => (await nameOf(bot)) === 'mynah', 'until it has its name')
    })
  })
}

describe('substitute', () => {
  it('returns nicks that fit old servers in the end, then none', () => {
    expect([1, 2, 3].map((attempt) => substitute('averylongname', attempt))).to.deep.equal([
      'averylongname_',
      'averylongname__',
      'averylon_',
    ])
    expect(substitute('averylongname', 4)).to.match(/^avery_\d{3}$/)
    expect(substitute('averylongname', 9)).to.equal(undefined)
  })
})
