import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { KINDS } from './servers.js'
import { onStage } from './stage.js'

for (const kind of KINDS) {
  onStage('Automata', kind, { flood: true }, (stage) => {
    it('get eight answers and no more, while others in the channel are answered', async () => {
      const status = await stage.user('znc', '#room')
      const alice = await stage.user('alice', '#room')
      const bot = await stage.bot({}, { talk: ({ sender }) => `${sender.name}: noted` })
      await alice.sees('mynah', '#room')
      let said = 0
      const say = (): void => status.say('#room', `mynah: Disconnected from IRC. Reconnecting (${++said})...`)
      say()
      for (let answers = 1; answers <= 8; answers++) {
        await until(() => status.heard('mynah').length === answers, `answer ${answers}`)
        say()
      }
      await until(() => bot.notices.some(({ kind: noticed }) => noticed === 'loop'), 'the notice')
      expect(bot.log.some(({ message }) => message.startsWith('loop with a peer ended'))).to.equal(true)
      alice.say('#room', 'mynah: hi')
      await until(() => alice.heard('mynah').includes('alice: noted'), 'the answer to another person')
      expect(status.heard('mynah').filter((text) => text === 'znc: noted')).to.have.length(8)
    })
  })
}
