import { expect } from 'chai'
import { chunksOf, type Part } from './chunks.js'

const split = (text: string, hasHeadings = true) => [...chunksOf([{ text }], hasHeadings)]

describe('passages of a document', () => {
  it('begin at headings and know the sections around them', () => {
    expect(split('intro\n# A\none\n## B\ntwo\n# C #\nthree')).to.deep.equal([
      { headings: [], text: 'intro' },
      { headings: ['A'], text: 'one' },
      { headings: ['A', 'B'], text: 'two' },
      { headings: ['C'], text: 'three' },
    ])
  })

  it('leave out sections that are skipped', () => {
    expect(split('# A\n### C\ntext')).to.deep.equal([{ headings: ['A', 'C'], text: 'text' }])
  })

  it('take no comment of code, and nothing of other texts, for a heading', () => {
    expect(split('```sh\n# comment\nls\n```').length).to.equal(1)
    expect(split('# comment\nkey: value', false)).to.deep.equal([{ headings: [], text: '# comment\nkey: value' }])
  })

  it('end at an empty line when they have enough, and never grow without limit', () => {
    const paragraph = 'word '.repeat(100).trim()
    const chunks = split(Array.from({ length: 20 }, () => paragraph).join('\n\n'))
    expect(chunks.map(({ text }) => text.length > 900 && text.length <= 1_800)).to.not.include(false)
    expect(chunks.flatMap(({ text }) => text.split('\n\n')).length).to.equal(20)
  })

  it('split a long line after a sentence, without losing or breaking a character', () => {
    const line = '😀这是一句话。'.repeat(1_000)
    const chunks = split(line)
    expect(chunks.map(({ text }) => text).join('')).to.equal(line)
    expect(chunks.every(({ text }) => text.endsWith('。'))).to.equal(true)
    const solid = '😀'.repeat(3_001)
    expect(
      split(solid)
        .map(({ text }) => text)
        .join(''),
    ).to.equal(solid)
    expect(split(solid).every(({ text }) => Buffer.from(text).toString() === text)).to.equal(true)
  })

  it('carry the page, and the name of a sheet as their heading', () => {
    const parts: Part[] = [
      { text: 'one', page: 1 },
      { text: 'two', page: 2 },
      { text: 'cells', label: 'Prices' },
    ]
    expect([...chunksOf(parts, false)]).to.deep.equal([
      { headings: [], page: 1, text: 'one' },
      { headings: [], page: 2, text: 'two' },
      { headings: ['Prices'], text: 'cells' },
    ])
  })
})
