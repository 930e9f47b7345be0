import { lacks } from './lacks.js'
import { aroundEach, required, until } from './contract-host.js'
import type { AdapterContract } from './rig.js'

const AFTER_STORE = 'The adapter acknowledges after the store'

const lines = (count: number, word: string): string[] =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}`)

export function delivery(contract: AdapterContract): void {
  describe('delivery', function () {
    this.timeout(60_000)
    const test = aroundEach(() => contract.start())

    it('hears what is said, once and in the order in which it was said', async () => {
      const said = lines(10, 'line')
      for (const line of said) await test.rig.say(line)
      await test.host.hears(said)
    })

    it('sends in the order in which it was asked to', async () => {
      const texts = lines(10, 'message')
      await Promise.all(texts.map((text) => test.host.send(text)))
      await test.host.reaches(texts)
    })

    it('answers where it was spoken to', async () => {
      test.host.answer = (text) => `you said ${text}`
      await test.rig.say('hello')
      await test.host.reaches(['you said hello'])
    })

    it('keeps every character of a message', async () => {
      const text = 'é ß 你好 👋🏽 & <b> "quoted" %s \\ {x}'
      await test.rig.say(text)
      await test.host.hears([text])
      await test.host.send(text)
      await test.host.reaches([text])
    })

    it('handles a message that is delivered again once', async function () {
      if (test.host.adapter.acknowledges !== 'after-store') return lacks(this)
      const redeliver = required(test.rig, 'redeliver', AFTER_STORE, 'redeliver: () => server.deliverAgain()')
      await test.rig.say('first')
      await test.host.hears(['first'])
      for (let round = 0; round < 3; round++) await redeliver()
      await test.rig.say('second')
      await test.host.hears(['first', 'second'])
    })

    it('delivers again a message that the store did not take', async function () {
      const { kill, restart, redeliver } = test.rig
      if (test.host.adapter.acknowledges !== 'after-store') return lacks(this)
      await test.host.stop()
      let refused = 0
      let keeps = false
      test.host.keeps = () => keeps || ++refused === 0
      await test.host.start()
      // A platform that calls the bot sees the refusal at once.
      await test.rig.say('once').catch(() => undefined)
      await until(() => refused > 0, 'the store to refuse the message')
      keeps = true
      if (kill && restart) {
        await kill.call(test.rig)
        await test.host.offline()
        await restart.call(test.rig)
      } else await redeliver?.call(test.rig)
      await test.host.hears(['once'])
    })
  })
}
