import assert from 'node:assert/strict'
import { lacks } from './lacks.js'
import { aroundEach, until } from './contract-host.js'
import type { AdapterContract } from './rig.js'

/** A character of each plane that has assigned ones, and sequences that are shown as one. */
const PLANES = ['é ß ø', '中文 한국어 العربية', '𝕏 🐦 𐍈', '𠀀 𠮷', '𰻞', '👩‍👩‍👧 👋🏽 🇨🇭 e\u0301'] as const

/** Returns a text of so many code points, in which a missing or doubled one is noticed. */
function textOf(codePoints: number): string {
  let text = ''
  for (let count = 0; count < codePoints; count++) text += count % 97 === 0 ? '🐦' : (count % 10).toString()
  return text
}

/** The texts of messages, whole and at the limit of the platform. */
export function text(contract: AdapterContract): void {
  describe('text', function () {
    this.timeout(60_000)
    const test = aroundEach(() => contract.start())

    for (const words of PLANES) {
      it(`comes and goes unchanged: ${words}`, async () => {
        await test.rig.say(words)
        await test.host.hears([words])
        await test.host.send(words)
        await test.host.reaches([words])
      })
    }

    it('at the limit of the platform is one message, and above it is cut into parts in order', async function () {
      const limit = test.host.adapter.limits?.text
      if (limit === undefined) return lacks(this)
      await test.host.send(textOf(limit))
      await until(() => test.rig.sent().length > 0, 'the message at the limit')
      assert.deepEqual(test.rig.sent(), [textOf(limit)], 'a message at the limit is not cut')
      const long = textOf(2 * limit + 1)
      await test.host.send(long)
      const parts = (): string[] => test.rig.sent().slice(1)
      await until(
        () => parts().join('').length >= long.length,
        () => `all parts; there are ${parts().length}`,
      )
      assert.equal(parts().join(''), long)
      for (const part of parts()) assert.ok([...part].length <= limit, 'no part is longer than the limit')
    })
  })
}
