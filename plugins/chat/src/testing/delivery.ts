import { aroundEach } from './contract-host.js'
import type { AdapterContract } from './rig.js'

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

    if (contract.redelivers) {
      it('handles a message that is delivered again once', async () => {
        await test.rig.say('first')
        await test.host.hears(['first'])
        for (let round = 0; round < 3; round++) await test.rig.redeliver?.()
        await test.rig.say('second')
        await test.host.hears(['first', 'second'])
      })
    }
  })
}
