import { expect } from 'chai'
import { marked } from './marks.js'

describe('marked', () => {
  for (const [what, text, shown] of [
    ['a filler', 'rm\u3164-rf', 'rm‹U+3164›-rf'],
    ['a blank that is no space', 'ls\u00a0a\u2003b', 'ls‹U+00A0›a‹U+2003›b'],
    ['a joiner, a tag and an override', 'a\u200db\u{e0041}\u202ec', 'a‹U+200D›b‹U+E0041›‹U+202E›c'],
    ['a letter of another script in a word', 'сat s\u0441ript', 'сat s‹U+0441›ript'.replace('сat', '‹U+0441›at')],
    ['a sign on a letter', 'a\u0301', 'a‹U+0301›'],
    ['a wide letter', '\uff52\uff4d x', '‹U+FF52›‹U+FF4D› x'],
    ['a control character', 'a\u0007', 'a‹U+0007›'],
  ] as const)
    it(`names ${what}`, () => {
      expect(marked(text)).to.equal(shown)
    })

  it('leaves plain text alone, in any language', () => {
    for (const text of ['ls -la\n\tpwd', 'echo "größe"', 'cat 文件.txt', 'echo привет мир', 'grep ñ a.txt'])
      expect(marked(text)).to.equal(text)
  })
})
