import { expect } from 'chai'
import type { TextEntity } from '@mynah/plugin-chat/api'
import { SeededRandom } from '@mynah/plugin-chat/testing'
import { linesOf, type Part } from './post.js'

const entity = (type: TextEntity['type'], offset: number, length: number, more: object = {}): TextEntity => ({
  type,
  offset,
  length,
  ...more,
})
const wordsOf = (lines: readonly Part[][]): string =>
  lines.map((line) => line.map(({ text }) => String(text)).join('')).join('\n')

describe('formatted messages of Lark', () => {
  it('have a line for each line of the text, also for empty ones', () => {
    expect(linesOf('one\n\ntwo', [])).to.deep.equal([
      [{ tag: 'text', text: 'one' }],
      [],
      [{ tag: 'text', text: 'two' }],
    ])
    expect(linesOf('', [])).to.deep.equal([[]])
  })

  it('have the styles that Lark knows, also several at once and over lines', () => {
    const styled = [
      entity('bold', 0, 9),
      entity('italic', 2, 5),
      entity('strikethrough', 10, 1),
      entity('quote', 12, 1),
      entity('code', 14, 1),
    ]
    expect(linesOf('b bi\nbi b s q c', styled)).to.deep.equal([
      [
        { tag: 'text', text: 'b ', style: ['bold'] },
        { tag: 'text', text: 'bi', style: ['bold', 'italic'] },
      ],
      [
        { tag: 'text', text: 'bi', style: ['bold', 'italic'] },
        { tag: 'text', text: ' b', style: ['bold'] },
        { tag: 'text', text: ' ' },
        { tag: 'text', text: 's', style: ['lineThrough'] },
        { tag: 'text', text: ' ' },
        { tag: 'text', text: 'q' },
        { tag: 'text', text: ' ' },
        { tag: 'text', text: 'c' },
      ],
    ])
  })

  it('have links with their style, and code as a block of its own', () => {
    const url = 'https://example.org/?a=<b>&c="d"'
    expect(linesOf('a link', [entity('bold', 2, 4), entity('link', 2, 4, { url })])).to.deep.equal([
      [
        { tag: 'text', text: 'a ' },
        { tag: 'a', text: 'link', href: url, style: ['bold'] },
      ],
    ])
    expect(linesOf('run\nlet a\n= 1\nend', [entity('pre', 4, 9, { language: 'js' })])).to.deep.equal([
      [{ tag: 'text', text: 'run' }],
      [],
      [{ tag: 'code_block', language: 'js', text: 'let a\n= 1' }],
      [],
      [{ tag: 'text', text: 'end' }],
    ])
    expect(linesOf('x', [entity('pre', 0, 1)])).to.deep.equal([[], [{ tag: 'code_block', text: 'x' }], []])
  })

  it('keep each character where it is, whatever is marked', () => {
    const random = new SeededRandom(29)
    const words = ['<at user_id="all">', '**', '你好', '👋🏽', '\n', '{{x}}', ' ', '[a](b)', '\\', '&lt;']
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: random.below(12) }, () => random.pick(words)).join('')
      const types = ['bold', 'italic', 'strikethrough', 'code', 'quote'] as const
      const entities = Array.from({ length: random.below(5) }, () =>
        entity(random.pick(types), random.below(text.length + 1), random.below(text.length + 3)),
      )
      expect(wordsOf(linesOf(text, entities)), JSON.stringify(entities)).to.equal(text)
    }
  })
})
