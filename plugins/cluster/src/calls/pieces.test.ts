import { expect } from 'chai'
import { MAX_LENGTH, Pieces, piecesOf } from './pieces.js'

describe('pieces of a call', () => {
  const joined = (pieces: readonly string[], into = new Pieces()): unknown[] =>
    pieces.flatMap((piece) => into.add(piece)?.value ?? [])

  it('come together again, whatever the text', () => {
    for (const value of [
      '',
      'plain',
      'grün 猫 😀 \0 \n "x"',
      { a: ['x'.repeat(20_000), null, 1.5] },
      '猫'.repeat(9_000),
    ]) {
      const pieces = piecesOf('id', value)
      expect(joined(pieces)).to.deep.equal([value])
      for (const piece of pieces) expect(Buffer.byteLength(piece)).to.be.below(8_000)
    }
  })

  it('may be among those of others', () => {
    const [one, two] = [piecesOf('one', 'a'.repeat(30_000)), piecesOf('two', 'b'.repeat(30_000))]
    expect(joined(one.flatMap((piece, index) => [piece, two[index] ?? '']))).to.deep.equal([
      'a'.repeat(30_000),
      'b'.repeat(30_000),
    ])
  })

  it('are dropped where one is missing, or what arrives is none', () => {
    const pieces = piecesOf('id', 'a'.repeat(30_000))
    expect(joined(pieces.filter((_, index) => index !== 2))).to.deep.equal([])
    expect(joined(['', 'nonsense', 'id x 1 {}', ...piecesOf('other', 7)])).to.deep.equal([7])
  })

  it('are bounded', () => {
    expect(() => piecesOf('id', 'x'.repeat(MAX_LENGTH))).to.throw(RangeError, 'more than')
    const into = new Pieces()
    const [first = '', ...rest] = piecesOf('first', 'a'.repeat(10_000))
    into.add(first)
    for (let index = 0; index < 300; index++) into.add(piecesOf(`n${index}`, 'b'.repeat(10_000))[0] ?? '')
    expect(joined(rest, into), 'the oldest one is forgotten').to.deep.equal([])
  })
})
