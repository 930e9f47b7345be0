import { expect } from 'chai'
import { ruleMatches } from '../policy/rules.js'
import { marked, markedLine, markedPattern } from './marks.js'

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

  const BLANKS = {
    fillers: [0x115f, 0x1160, 0x3164, 0xffa0, 0x17b4, 0x17b5, 0x180e, 0x034f, 0x16fe4],
    'other spaces': [0x00a0, 0x1680, 0x2000, 0x2007, 0x2009, 0x200a, 0x202f, 0x205f, 0x3000],
    'signs without ink': [0x2800, 0xfffc, 0x1d159],
    'variation selectors': [0xfe00, 0xfe0f, 0xe0100, 0xe01ef, 0x180b],
    'tags and shorthand controls': [0xe0001, 0xe0020, 0xe007f, 0x1bca0],
    'controls of direction': [0x200e, 0x200f, 0x061c, 0x202a, 0x202e, 0x2066, 0x2069],
    'joiners and invisible operators': [0x200b, 0x200c, 0x200d, 0x2060, 0x2061, 0x2064, 0xfeff, 0x00ad],
    'ends of lines that are none': [0x0b, 0x0c, 0x0d, 0x85, 0x2028, 0x2029],
    'characters without a meaning': [0xe000, 0xfff9, 0xffff, 0xf0000],
  }
  for (const [what, codes] of Object.entries(BLANKS))
    it(`names ${what}`, () => {
      for (const code of codes) {
        const hex = code.toString(16).toUpperCase().padStart(4, '0')
        expect(marked(`a${String.fromCodePoint(code)}b`)).to.equal(`a‹U+${hex}›b`)
      }
    })

  it('puts a text on one line, so that no line of it passes for another', () => {
    expect(markedLine('a\nYes\u2800\rb')).to.equal('a ⏎ Yes‹U+2800›‹U+000D›b')
  })

  it('writes such characters of a pattern by their numbers, which match the same', () => {
    const pattern = 'echo a\u00a0\u{e0041}\\.\u2800'
    const shown = markedPattern(pattern)
    expect(shown).to.equal('echo a\\x{A0}\\x{E0041}\\.\\x{2800}')
    for (const one of [pattern, shown]) expect(ruleMatches(one, 'echo a\u00a0\u{e0041}.\u2800')).to.equal(true)
    expect(ruleMatches(shown, 'echo a .')).to.equal(false)
  })

  it('leaves plain text alone, in any language', () => {
    for (const text of ['ls -la\n\tpwd', 'echo "größe"', 'cat 文件.txt', 'echo привет мир', 'grep ñ a.txt'])
      expect(marked(text)).to.equal(text)
  })
})
