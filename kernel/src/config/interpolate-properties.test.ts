import { expect } from 'chai'
import fc from 'fast-check'
import { parseDocument, type ConfigDocument } from './document.js'
import { interpolate } from './interpolate.js'

const fill = (values: unknown, env: Record<string, string | undefined> = {}, mayBeUnset?: (path: string) => boolean) =>
  interpolate(
    { file: 'f.yml', text: '', source: values as Record<string, unknown>, place: (path) => ({ file: 'f.yml', path }) },
    env,
    mayBeUnset,
  )
const escape = (text: string): string => text.replaceAll('${', () => '$${')
const dollars = fc
  .array(fc.constantFrom('$', '$$', '{', '}', '${', '${A}', '${A:-', '$${', ':-', 'A', ' ', '\n'), { maxLength: 12 })
  .map((parts) => parts.join(''))
const texts = fc.oneof(fc.string({ unit: 'binary' }), dollars)

describe('interpolate of any string', () => {
  it('returns any text that was escaped', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { values, problems, touched } = fill({ a: escape(text), list: [escape(text)] }, { A: 'variable' })
        expect(values).to.deep.equal({ a: text, list: [text] })
        expect(problems).to.deep.equal([])
        expect(touched.size).to.equal(0)
      }),
      { numRuns: 500 },
    )
  })

  it('returns any value of a variable unchanged, in any text', () => {
    fc.assert(
      fc.property(texts, texts, texts, (before, value, after) => {
        // A dollar sign before a reference would make it a literal one.
        fc.pre(!before.endsWith('$'))
        const { values, problems, touched } = fill({ a: `${escape(before)}\${A}${escape(after)}` }, { A: value })
        expect(values).to.deep.equal({ a: before + value + after })
        expect(problems).to.deep.equal([])
        expect([...touched]).to.deep.equal(['a'])
      }),
      { numRuns: 500 },
    )
  })

  it('accepts any default without a closing brace', () => {
    fc.assert(
      fc.property(
        texts.filter((text) => !text.includes('}')),
        fc.constantFrom(undefined, ''),
        (fallback, unset) => {
          expect(fill({ a: `\${A:-${fallback}}` }, { A: unset }).values).to.deep.equal({ a: fallback })
          expect(fill({ a: `\${A:-${fallback}}` }, { A: 'set' }).values).to.deep.equal({ a: 'set' })
        },
      ),
    )
  })

  it('replaces or refuses each reference, and never throws', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { values, problems } = fill({ a: text }, { A: 'x' })
        if (problems.length === 0) expect(values['a'] as string).to.be.a('string')
        for (const { severity, message, place } of problems) {
          expect(severity).to.equal('fatal')
          expect(message).to.contain('a')
          expect(place?.path).to.equal('a')
        }
      }),
      { numRuns: 500 },
    )
  })

  it('does not change the source', () => {
    const source = parseDocument('a: ["${A}", { b: "${A:-x}" }]', 'f.yml').document as ConfigDocument
    const before = structuredClone(source.source)
    interpolate(source, { A: '1' })
    expect(source.source).to.deep.equal(before)
  })
})

describe('a reference to a variable', () => {
  for (const [text, expected] of [
    ['${A}', '1'],
    ['x${A}y', 'x1y'],
    ['${A}${A}', '11'],
    ['$${A}', '${A}'],
    ['$$${A}', '$${A}'],
    ['$${A}${A}', '${A}1'],
    ['${A:-b}', '1'],
    ['${E:-b}', 'b'],
    ['${E}', ''],
    ['${U:-}', ''],
    ['${U:-a:-b}', 'a:-b'],
    ['${U:-$x}', '$x'],
    ['${U:-{}', '{'],
    ['${U:-two\nlines}', 'two\nlines'],
    ['${_a9}', 'low'],
    ['$A', '$A'],
    ['{A}', '{A}'],
    ['$ {A}', '$ {A}'],
    ['$', '$'],
    ['${U:-${A}', '${A'],
  ] as const) {
    it(`"${text.replace('\n', '\\n')}" reads as "${expected.replace('\n', '\\n')}"`, () => {
      const { values, problems } = fill({ v: text }, { A: '1', E: '', _a9: 'low' })
      expect({ values, problems }).to.deep.equal({ values: { v: expected }, problems: [] })
    })
  }

  for (const text of [
    '${9A}',
    '${A-B}',
    '${A:?x}',
    '${A-x}',
    '${a b}',
    '${Ä}',
    '${',
    'x ${A',
    '${\n}',
    '${A:}',
    '${${A}}',
  ]) {
    it(`"${text.replace('\n', '\\n')}" is refused with the way to write it literally`, () => {
      const { problems } = fill({ v: text }, { A: '1' })
      expect(problems).to.have.length(1)
      expect(problems[0]).to.deep.include({
        severity: 'fatal',
        code: 'config/syntax',
        place: { file: 'f.yml', path: 'v' },
      })
      expect(problems[0]?.message).to.contain('write $${ for a literal ${')
    })
  }

  it('is shown in part when it is refused, since it may be long', () => {
    expect(fill({ v: `\${${'x y'.repeat(500)}}` }).problems[0]?.message.length).to.be.below(200)
  })

  it('is reported once when its variable is missing, with every place', () => {
    const { problems, unset } = fill({ a: '${M} ${M}', b: ['${M}', '${N:-x}'], http: { token: '${M}' } })
    expect(problems.map(({ message }) => message)).to.deep.equal([
      'the variable M is not set; used by a, b[0], http.token',
    ])
    expect([...unset]).to.deep.equal(['a', 'b[0]', 'http.token'])
  })

  it('next to a missing one leaves an optional key absent, and is a problem elsewhere', () => {
    const { values, problems } = fill(
      { http: { token: 'x${M}', tokens: [{ token: '${M}' }] } },
      {},
      (path) => path === 'http.token',
    )
    expect(values).to.deep.include({ http: { tokens: [{ token: '${M}' }] } })
    expect(problems.map(({ message }) => message)).to.deep.equal([
      'the variable M is not set; used by http.tokens[0].token',
    ])
  })

  it('is only replaced in strings', () => {
    expect(fill({ a: 1, b: true, c: null, d: [], e: {} }).values).to.deep.equal({
      a: 1,
      b: true,
      c: null,
      d: [],
      e: {},
    })
  })
})
