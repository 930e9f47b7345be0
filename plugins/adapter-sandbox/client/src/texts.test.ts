// Every text in both languages, with the same places for values.
import { expect } from 'chai'
import { texts, translator } from './texts.js'

const places = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()

describe('the texts of the sandbox', () => {
  it('say the same in both languages', () => {
    for (const [key, { en, 'zh-CN': chinese }] of Object.entries(texts)) {
      expect(chinese, key).not.to.equal('')
      expect(places(chinese), key).to.deep.equal(places(en))
    }
  })

  it('are filled once: a value is never taken for a place', () => {
    const t = translator({ t: ({ en }) => en })
    expect(t('said', { name: '{text}', text: '$& hi' })).to.equal('{text}: $& hi')
  })
})
