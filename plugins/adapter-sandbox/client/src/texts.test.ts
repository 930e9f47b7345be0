import { expect } from 'chai'
import { texts, translator } from './texts.js'

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()

describe('Texts of the sandbox', () => {
  it('have the same placeholders in both languages', () => {
    for (const [key, { en, 'zh-CN': chinese }] of Object.entries(texts)) {
      expect(chinese, key).not.to.equal('')
      expect(placeholders(chinese), key).to.deep.equal(placeholders(en))
    }
  })

  it('are filled once, so that a value is never a placeholder', () => {
    const t = translator({ t: ({ en }) => en })
    expect(t('said', { name: '{text}', text: '$& hi' })).to.equal('{text}: $& hi')
  })
})
