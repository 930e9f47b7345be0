import { expect } from 'chai'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { setSection } from './edit-yaml.js'
import { parseYaml } from './values.js'

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    '${HOME}',
    'yes',
    'null',
    '0x1F',
    '1e3',
    '~',
    '- a',
    'a: b',
    '#no',
    'x # y',
    "it's",
    '"q"',
    '\n',
    'two\nlines\n',
    'trailing ',
    '{a',
    '[b',
    '*c',
    '&d',
    '!e',
    '%f',
    '@g',
    '2026-01-01',
    '0o7',
    '1_000',
    '=',
    '<<',
    '---',
    '...',
  ),
)
const scalar = fc.oneof(
  text,
  fc.integer({ min: -1e9, max: 1e9 }),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((value) => value + 0 || 0),
)
const key = fc.oneof(
  fc.stringMatching(/^[a-z][a-zA-Z0-9_-]{0,8}$/),
  fc.constantFrom('a b', '1', 'true', 'null', '~', 'x.y', 'ä', '#k', '- k', 'k:'),
)
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value
const section = fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true })
const comment = fc.stringMatching(/^[ -~]{0,20}$/)
const gap = fc
  .array(
    fc.oneof(
      comment.map((words) => `# ${words}`),
      fc.constant(''),
    ),
    { maxLength: 3 },
  )
  .map((lines) => lines.map((line) => `${line}\n`).join(''))

interface Style {
  readonly flow: boolean
  readonly quote: 'PLAIN' | 'QUOTE_DOUBLE' | 'QUOTE_SINGLE' | 'BLOCK_LITERAL'
  readonly indent: number
  readonly indentSeq: boolean
}
const style = fc.record<Style>({
  flow: fc.boolean(),
  quote: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL'),
  indent: fc.integer({ min: 1, max: 6 }),
  indentSeq: fc.boolean(),
})
const write = (name: string, of: unknown, { flow, quote, indent, indentSeq }: Style): string =>
  stringify(
    { [name]: of },
    flow
      ? { collectionStyle: 'any', indent: Math.max(2, indent), lineWidth: 0 }
      : { defaultStringType: quote, defaultKeyType: 'PLAIN', indent: Math.max(2, indent), indentSeq, lineWidth: 0 },
  )
/** Comments at the end of some lines of what holds no text of several lines. */
const commented = (block: string, where: readonly number[]): string =>
  /[|>"']/.test(block)
    ? block
    : block
        .split('\n')
        .map((line, index) =>
          where.includes(index) && line.trim() && !line.includes('#') ? `${line} # c${index}` : line,
        )
        .join('\n')

const file = fc.record({
  before: section,
  target: fc.oneof(section, value),
  after: section,
  gaps: fc.tuple(gap, gap, gap, gap),
  styles: fc.tuple(style, style, style),
  marks: fc.array(fc.nat(6), { maxLength: 3 }),
  bom: fc.boolean(),
  crlf: fc.boolean(),
  last: fc.boolean(),
})

/** The file in the parts before, of and after its section. */
function parts({
  before,
  target,
  after,
  gaps,
  styles,
  marks,
  bom,
  crlf,
  last,
}: typeof file extends fc.Arbitrary<infer F> ? F : never): [string, string, string] {
  const all: [string, string, string] = [
    `${gaps[0]}${write('before', before, styles[0])}${gaps[1]}`,
    commented(write('target', target, styles[1]), marks),
    last ? gaps[2] : `${gaps[2]}${write('after', after, styles[2])}${gaps[3]}`,
  ]
  const [first, ...rest] = all.map((part) => (crlf ? part.replaceAll('\n', '\r\n') : part)) as [string, string, string]
  return [`${bom ? '\ufeff' : ''}${first}`, ...rest] as [string, string, string]
}

function readable(whole: string): Record<string, unknown> | undefined {
  try {
    return parseYaml(whole)
  } catch {
    return undefined
  }
}

describe('setSection', () => {
  it('changes only the section in any YAML, or rejects the change', () => {
    let done = 0
    let refused = 0
    fc.assert(
      fc.property(file, fc.oneof(section, value), (source, wanted) => {
        const [above, , below] = parts(source)
        const whole = parts(source).join('')
        const values = readable(whole)
        fc.pre(values !== undefined)
        let edited: string
        try {
          edited = setSection(whole, ['target'], wanted)
        } catch (error) {
          expect(error).to.include({ name: 'WireError', code: 'conflict' })
          refused++
          return
        }
        done++
        expect(parseYaml(edited)).to.deep.equal({ ...values, target: wanted })
        expect(edited.startsWith(above), 'above').to.equal(true)
        expect(edited.endsWith(below), 'below').to.equal(true)
      }),
      { numRuns: 2_000 },
    )
    // A refusal is the exception.
    expect(refused / (done + refused)).to.be.lessThan(0.05)
  }).timeout(240_000)

  it('keeps every comment when scalars change', () => {
    fc.assert(
      fc.property(
        file,
        fc.infiniteStream(scalar.filter((candidate) => typeof candidate !== 'string' || !candidate.includes('\n'))),
        (source, fresh) => {
          const whole = parts(source).join('')
          const values = readable(whole)
          fc.pre(values !== undefined)
          const change = (old: unknown): unknown => {
            if (Array.isArray(old)) return old.map(change)
            if (typeof old !== 'object' || old === null) return fresh.next().value
            return Object.fromEntries(Object.entries(old).map(([name, inner]) => [name, change(inner)]))
          }
          const wanted = change(values?.target)
          let edited: string
          try {
            edited = setSection(whole, ['target'], wanted)
          } catch (error) {
            // A clear refusal is fine instead of half an edit. The test above proves that it is rare.
            expect(error).to.include({ name: 'WireError', code: 'conflict' })
            return
          }
          expect(parseYaml(edited).target).to.deep.equal(wanted)
          for (const [mark] of whole.matchAll(/# c\d+$/gm)) expect(edited).to.contain(mark)
        },
      ),
      { numRuns: 1_000 },
    )
  }).timeout(240_000)

  it('appends a new section', () => {
    fc.assert(
      fc.property(file, value, (source, wanted) => {
        const whole = parts(source).join('')
        const values = readable(whole)
        fc.pre(values !== undefined)
        const edited = setSection(whole, ['fresh', 'inner'], wanted)
        expect(edited.startsWith(whole)).to.equal(true)
        expect(parseYaml(edited)).to.deep.equal({ ...values, fresh: { inner: wanted } })
      }),
      { numRuns: 500 },
    )
  }).timeout(240_000)

  it('rejects forms that cannot be changed in place, but changes their scalars', () => {
    for (const [form, wanted] of [
      ['{ target: { a: 1 }, other: 2 }\n', { a: 1, b: 2 }],
      ['target: &t { a: 1 }\nother: *t\n', { a: 1, b: 2 }],
    ] as const)
      expect(() => setSection(form, ['target'], wanted), form)
        .to.throw()
        .with.property('code', 'conflict')
    expect(
      setSection('base: &base { a: 1 }\ntarget: # shared\n  <<: *base\n  b: *base\n', ['target'], { b: 1 }),
    ).to.equal('base: &base { a: 1 }\ntarget:\n  # shared\n  b: 1\n')
    expect(setSection('{ target: { a: 1 }, other: 2 }\n', ['target'], { a: 'x, y}' })).to.equal(
      '{ target: { a: "x, y}" }, other: 2 }\n',
    )
    expect(setSection('x: &x 1\ntarget: { a: 1 } # c\n', ['target'], { a: 1, b: 2 })).to.equal(
      'x: &x 1\ntarget: { a: 1, b: 2 } # c\n',
    )
  })
})

describe('setSection without a value', () => {
  it('removes the key, with nothing around it', () => {
    const text = '# First.\na: 1\n# Second.\nb:\n  c: 2 # kept\n  d: 3\n# End.\n'
    expect(setSection(text, ['b'], undefined)).to.equal('# First.\na: 1\n# Second.\n# End.\n')
    expect(setSection(text, ['b', 'd'], undefined)).to.equal('# First.\na: 1\n# Second.\nb:\n  c: 2 # kept\n# End.\n')
    expect(setSection(setSection('a: 1\n', ['b'], { c: 2 }), ['b'], undefined)).to.equal('a: 1\n')
    for (const path of [['x'], ['x', 'y'], ['a', 'y']]) expect(setSection('a: 1\n', path, undefined)).to.equal('a: 1\n')
  })
})
