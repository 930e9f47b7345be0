import { expect } from 'chai'
import fc from 'fast-check'
import { Formatted, formatEntities, Image, Text, type TextEntity } from '../api.js'
import type { Segment } from '@mynah/contract/types'
import { formatTexts } from './format-texts.js'
import { markdownChunks } from './markdown-chunks.js'

const plain = async (markdown: string): Promise<unknown> => (await formatTexts([Formatted(markdown)]))[0]?.data.text
const marked = async (markdown: string): Promise<{ text: string; marks: readonly string[][] }> => {
  const [segment] = await formatTexts([Formatted(markdown)], formatEntities)
  const { text, entities = [] } = (segment as Segment).data as unknown as {
    text: string
    entities?: readonly TextEntity[]
  }
  const marks = entities.map(({ type, offset, length, url, language }) => [
    type,
    text.slice(offset, offset + length),
    ...[url ?? language ?? []].flat(),
  ])
  return { text, marks }
}

describe('text in Markdown', () => {
  describe('on a platform without formatting', () => {
    const examples: readonly (readonly [what: string, markdown: string, text: string])[] = [
      ['drops emphasis', 'some **bold *and italic*** ~~gone~~', 'some bold and italic gone'],
      ['keeps code, and what looks like emphasis in it', 'run `npm **i**`', 'run `npm **i**`'],
      ['keeps a fenced block without its fence', '```js\nconst a = "**b**"\n\n  c\n```', 'const a = "**b**"\n\n  c'],
      ['keeps a fenced block that is still being written', 'so:\n\n```\na = *b', 'so:\n\na = *b'],
      ['writes links as text', '[here](https://e.org/x) <https://e.org>', 'here (https://e.org/x) https://e.org'],
      ['writes references as links', '[here][1]\n\n[1]: https://e.org', 'here (https://e.org)'],
      ['writes titles as lines', '# One\ntwo', 'One\n\ntwo'],
      ['writes lists', '- a\n  - b\n- c\n\n3. d\n4. e', '• a\n  • b\n• c\n\n3. d\n4. e'],
      ['writes tasks', '- [x] a\n- [ ] b', '• ☑ a\n• ☐ b'],
      ['writes quotes', '> a\n> b', '> a\n> b'],
      ['keeps line breaks', 'a\nb\n\nc', 'a\nb\n\nc'],
      [
        'keeps ordinary words',
        '2 * 3 < 4, snake_case & <b>x</b> at C:\\dir',
        '2 * 3 < 4, snake_case & <b>x</b> at C:\\dir',
      ],
      [
        'aligns tables',
        '| Name | Age | 市 |\n|:--|--:|:-:|\n| *Al* | 5 | 北京 |\n| B | 42 | a |',
        'Name | Age |  市\n-----+-----+-----\nAl   |   5 | 北京\nB    |  42 |  a',
      ],
    ]
    for (const [what, markdown, text] of examples)
      it(what, async () => {
        expect(await plain(markdown)).to.equal(text)
      })
  })

  it('has entities on a platform that takes them', async () => {
    const { text, marks } = await marked(
      '# T\n**a *b*** `c` [d](https://e.org) ~~e~~\n\n> q\n\n```js\nf\n```\n\n|g|\n|-|\n|h|',
    )
    expect(text).to.equal('T\n\na b c d e\n\nq\n\nf\n\ng\n---\nh')
    expect(marks).to.deep.equal([
      ['bold', 'T'],
      ['bold', 'a b'],
      ['italic', 'b'],
      ['code', 'c'],
      ['link', 'd', 'https://e.org'],
      ['strikethrough', 'e'],
      ['quote', 'q'],
      ['pre', 'f', 'js'],
      ['pre', 'g\n---\nh'],
    ])
  })

  it('makes no link of an address that platforms refuse', async () => {
    for (const address of ['javascript:alert(1)', 'file:///etc/passwd', 'nowhere', 'http://'])
      expect(await marked(`[a](${address})`)).to.deep.equal({ text: `a (${address})`, marks: [] })
  })

  it('leaves texts of people and other segments as they are', async () => {
    const segments = [Text('**a**'), Image('https://e.org/a.png')]
    expect(await formatTexts(segments)).to.equal(segments)
  })

  it('is sent as it is written where it would hold up the host', async () => {
    for (const hostile of ['>'.repeat(5_000), '~~a'.repeat(20_000), '**a\n\n'.repeat(30_000)])
      expect(await plain(hostile)).to.equal(hostile)
    // Those that are parsed are parsed in small pieces.
    for (const hostile of ['[a](b\n'.repeat(2_000), '*a **b\n'.repeat(2_000), '- '.repeat(1_900)])
      expect(await plain(hostile)).to.be.a('string')
  })

  it('has entities within its text, one in the other or one after the other, whatever it is', async () => {
    const piece = fc.constantFrom(
      '*',
      '**',
      '_',
      '`',
      '```\n',
      '~~',
      '[',
      '](https://e.org)',
      '\n',
      '\n\n',
      '> ',
      '- ',
      '1. ',
      '|',
      '|-|\n',
      '# ',
      'a',
      ' ',
      '😀',
      '\\',
      '<',
      '&amp;',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const [segment] = await formatTexts([Formatted(pieces.join(''))], formatEntities)
        const { text, entities = [] } = (segment as Segment).data as unknown as {
          text: string
          entities?: readonly TextEntity[]
        }
        let before: TextEntity | undefined
        for (const entity of entities) {
          expect(entity.length).to.be.greaterThan(0)
          expect(entity.offset + entity.length).to.be.at.most(text.length)
          if (before) expect(entity.offset).to.be.at.least(before.offset)
          before = entity
        }
      }),
    )
  })

  it('is parsed in pieces that end at empty lines, and never within a fence', () => {
    const code = `\`\`\`\n${'code\n\n'.repeat(1_000)}\`\`\``
    const chunks = markdownChunks(`${'words\n\n'.repeat(500)}${code}\n\n${'more\n\n'.repeat(500)}`)
    expect(chunks.length).to.be.greaterThan(2)
    expect(chunks.filter((chunk) => chunk.includes('code')).length).to.equal(1)
  })
})
