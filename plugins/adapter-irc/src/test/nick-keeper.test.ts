import { expect } from 'chai'
import { substitute } from '../nick-keeper.js'
import { fastClock } from './bot.js'
import { KINDS } from './servers.js'
import { onStage } from './stage.js'
import { until } from '@mynah/kernel/testing'

const nameOf = async (bot: { chat: { list(): Promise<{ selfName?: string }[]> } }): Promise<string | undefined> =>
  (await bot.chat.list())[0]?.selfName

for (const kind of KINDS) {
  onStage(kind, {}, (stage) => {
    it('takes another name while its own is taken, and listens to that', async () => {
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

    it('takes its name back as soon as somebody gives it up before its eyes', async () => {
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

    it('takes its name back after a while where it did not see it become free', async () => {
      const thief = await stage.user('mynah')
      const bot = await stage.bot({}, { clock: fastClock })
      expect(await nameOf(bot)).to.equal('mynah_')
      await thief.leave()
      await until(async () => (await nameOf(bot)) === 'mynah', 'until it has its name')
    })
  })
}

describe('substitutes for a taken name', () => {
  it('are short enough for old servers in the end, and run out', () => {
    expect([1, 2, 3].map((attempt) => substitute('averylongname', attempt))).to.deep.equal([
      'averylongname_',
      'averylongname__',
      'averylon_',
    ])
    expect(substitute('averylongname', 4)).to.match(/^avery_\d{3}$/)
    expect(substitute('averylongname', 9)).to.equal(undefined)
  })
})
