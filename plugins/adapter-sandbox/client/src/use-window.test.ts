// What of a long scene is in the document, what stands above a message, and what is kept of what was typed.
import { expect } from 'chai'
import { readDrafts, writeDrafts } from './drafts.js'
import { rowsOf, type Line } from './model.js'
import { contentOf, MAX_PICTURE_BYTES, picturesOf } from './pictures.js'
import { offsetsOf, visible } from './use-window.js'

const noon = new Date(2026, 0, 5, 12).getTime()
const line = (messageId: string, seconds: number, more: Partial<Line> = {}): Line => ({
  messageId,
  channel: { type: 'private', id: 'alice' },
  sender: { id: 'alice' },
  content: messageId,
  text: messageId,
  direction: 'in',
  timestamp: noon + seconds * 1000,
  ...more,
})

describe('rows of a scene', () => {
  const heads = (lines: readonly Line[], starts: readonly number[] = []): string =>
    rowsOf(lines, starts)
      .map(({ head, line: { messageId } }) => (head ? messageId.toUpperCase() : messageId))
      .join('')

  it('have one head for what one says within five minutes', () => {
    expect(
      heads([
        line('a', 0),
        line('b', 60),
        line('c', 61, { sender: { id: 'bob' } }),
        line('d', 62, { direction: 'out' }),
        line('e', 63, { direction: 'out' }),
        line('f', 400, { direction: 'out' }),
      ]),
    ).to.equal('AbCDeF')
  })

  it('have a rule where the day changes and where the host began anew', () => {
    const rows = rowsOf([line('a', 0), line('b', 10), line('c', 86_400)], [noon + 5_000, noon - 99_000])
    expect(rows.map(({ restart, day }) => [restart, day])).to.deep.equal([
      [undefined, undefined],
      [noon + 5_000, undefined],
      [undefined, noon + 86_400_000],
    ])
    expect(heads([line('a', 0), line('b', 10)], [noon + 5_000])).to.equal('AB')
  })
})

describe('the window over a scene', () => {
  const keys = Array.from({ length: 500 }, (_, index) => String(index))

  it('holds what is in view and a few beside, at any place', () => {
    const offsets = offsetsOf(keys, new Map(keys.map((key) => [key, 20])))
    expect(offsets.at(-1)).to.equal(10_000)
    expect(visible(offsets, 0, 400)).to.deep.equal({ first: 0, end: 28 })
    expect(visible(offsets, 5_000, 400)).to.deep.equal({ first: 242, end: 278 })
    expect(visible(offsets, 9_600, 400)).to.deep.equal({ first: 472, end: 500 })
    expect(visible(offsetsOf([], new Map()), 0, 400)).to.deep.equal({ first: 0, end: 0 })
  })

  it('goes by the heights that were measured, and guesses the others', () => {
    expect(offsetsOf(['a', 'b', 'c'], new Map([['b', 300]]))).to.deep.equal([0, 56, 356, 412])
  })
})

describe('drafts', () => {
  it('come back, the last fifty, without what is empty or endless', () => {
    const drafts = new Map(Array.from({ length: 60 }, (_, index): [string, string] => [`s${index}`, `text ${index}`]))
    drafts.set('empty', '').set('endless', 'x'.repeat(20_001))
    const kept = readDrafts(writeDrafts(drafts))
    expect(kept.size).to.equal(50)
    expect(kept.get('s59')).to.equal('text 59')
    expect(kept.has('s9')).to.equal(false)
  })

  it('are none where something else is stored', () => {
    for (const text of [null, '{', '{}', '[1,[2,3],["a"]]', 'null'])
      expect(readDrafts(text).size, String(text)).to.equal(0)
  })
})

describe('pictures', () => {
  const file = (name: string, type: string, size = 10): File => new File([new Uint8Array(size)], name, { type })

  it('become segments with their bytes, text before them', async () => {
    const { pictures, refused } = await picturesOf(
      [new File([new Uint8Array([1, 2, 3])], 'a.png', { type: 'image/png' })],
      [],
    )
    expect(refused).to.deep.equal([])
    expect(contentOf('look', pictures)).to.deep.equal([
      { type: 'text', data: { text: 'look' } },
      { type: 'image', data: { name: 'a.png', mime: 'image/png', base64: 'AQID' } },
    ])
    expect(contentOf(' ', pictures)).to.have.length(1)
    expect(contentOf('plain', [])).to.equal('plain')
  })

  it('are refused by kind, size and number', async () => {
    const { pictures, refused } = await picturesOf(
      [
        file('a.svg', 'image/svg+xml'),
        file('big.png', 'image/png', MAX_PICTURE_BYTES + 1),
        ...Array.from({ length: 5 }, (_, index) => file(`${index}.gif`, 'image/gif')),
      ],
      [],
    )
    expect(pictures).to.have.length(4)
    expect(refused.map(({ why }) => why)).to.deep.equal(['kind', 'size', 'count'])
  })
})
