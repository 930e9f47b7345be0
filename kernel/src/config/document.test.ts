import { expect } from 'chai'
import fc from 'fast-check'
import { parseDocument } from './document.js'

const problemsOf = (text: string) =>
  parseDocument(text, 'mynah.config.yml').problems.map(({ code, message, place }) => ({
    code,
    message,
    line: place?.line,
  }))
const sourceOf = (text: string) => parseDocument(text, 'mynah.config.yml').document?.source

describe('parseDocument', () => {
  it('accepts empty texts and comments', () => {
    for (const text of ['', '\n', '# nothing\n  # here\n', '\uFEFF']) expect(sourceOf(text)).to.deep.equal({})
  })

  it('accepts a byte order mark', () => {
    expect(sourceOf('\uFEFFa: 1')).to.deep.equal({ a: 1 })
  })

  it('refuses invalid YAML with file and line', () => {
    expect(problemsOf('a: 1\nb: [1\n')).to.have.length(1)
    const [found] = parseDocument('a: 1\nb: "open\n', 'my.yml').problems
    expect(found).to.include({ code: 'config/syntax', severity: 'fatal' })
    expect(found?.place).to.include({ file: 'my.yml' })
    expect(found?.place?.line).to.be.a('number')
  })

  it('refuses a duplicate key with the line of the second', () => {
    expect(problemsOf('a: 1\nb: 2\na: 3\n')).to.deep.equal([
      { code: 'config/syntax', message: 'duplicated mapping key', line: 3 },
    ])
  })

  it('refuses a text that is not a mapping', () => {
    for (const text of ['- a', 'word', '42', 'true']) expect(problemsOf(text)[0]).to.include({ code: 'config/shape' })
  })

  it('refuses an integer that would be rounded', () => {
    const [found] = problemsOf('bot:\n  id: 9007199254740993\n')
    expect(found).to.include({ code: 'config/syntax', line: 2 })
    expect(found?.message).to.contain('bot.id').and.to.contain('quotes')
    expect(sourceOf('bot: { id: "9007199254740993" }')).to.deep.equal({ bot: { id: '9007199254740993' } })
  })

  it('refuses an infinite number', () => {
    for (const text of ['a: .inf', 'a: -.inf', 'a: .nan']) expect(problemsOf(text)[0]?.message).to.contain('finite')
  })

  it('refuses the key __proto__', () => {
    expect(problemsOf('http:\n  __proto__: { polluted: true }')[0]?.message).to.contain('__proto__')
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined)
  })

  it('refuses aliases that expand without end', () => {
    const bomb = [
      'a0: &a0 [x, x, x, x, x, x, x, x, x]',
      ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`),
    ].join('\n')
    expect(problemsOf(bomb)[0]).to.include({ code: 'config/syntax' })
    expect(problemsOf('a: &a [*a]')[0]).to.include({ code: 'config/syntax' })
  })

  it('copies the value of an alias for each use', () => {
    const source = sourceOf('a: &x { n: 1 }\nb: *x') as { a: object; b: object }
    expect(source.b).to.deep.equal({ n: 1 })
    expect(source.a).not.to.equal(source.b)
  })

  it('merges mappings into others, in block and flow style and at the top', () => {
    const base = 'x-base: &base\n  adapter: sandbox\n  enabled: true\nx-more: &more { enabled: false, retry: 1 }\n'
    const merged = { adapter: 'sandbox', enabled: true }
    for (const [text, expected] of [
      ['v:\n  - <<: *base\n    id: one\n', [{ ...merged, id: 'one' }]],
      [
        'v: [{ <<: *base, id: one }, { id: two, <<: *base }]\n',
        [
          { ...merged, id: 'one' },
          { ...merged, id: 'two' },
        ],
      ],
      ['v:\n  <<: [*base, *more]\n', { ...merged, retry: 1 }],
      ['v:\n  <<:\n    - *more\n    - *base\n', { adapter: 'sandbox', enabled: false, retry: 1 }],
      ['v:\n  <<: *base\n  enabled: null\n', { adapter: 'sandbox', enabled: null }],
      ['v:\n  enabled: null\n  <<: *base\n', { adapter: 'sandbox', enabled: null }],
      ['v: { <<: { a: 1 }, b: 2 }\n', { a: 1, b: 2 }],
      ['w: &w { <<: *base, id: w }\nv: { <<: *w }\n', { ...merged, id: 'w' }],
      ['v: { "<<": *base }\n', { '<<': merged }],
      ['<<: { v: 1 }\n', 1],
      ['<<: { v: 1 }\nv: 2\n', 2],
    ] as const)
      expect(sourceOf(base + text)?.['v'], text).to.deep.equal(expected)
  })

  it('refuses to merge what is no mapping, and a merged __proto__, with the line', () => {
    for (const text of ['a: 1\nb:\n  <<: word\n', 'a: 1\nb: &b\n  <<: [1]\n', 'a: &a\nb:\n  <<: *a\n'])
      expect(problemsOf(text)[0], text).to.include({ code: 'config/syntax', line: 3 })
    expect(problemsOf('a: &a { __proto__: { polluted: 1 } }\nb: { <<: *a }\n')[0]?.message).to.contain('__proto__')
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined)
  })

  it('refuses merge keys that multiply without end', () => {
    const keys = Array.from({ length: 300 }, (_, index) => `k${index}: 1`).join(', ')
    const merges = Array.from({ length: 60 }, (_, index) => `m${index}: { <<: *a }`).join('\n')
    expect(problemsOf(`a: &a { ${keys} }\n${merges}\n`)[0]).to.include({ code: 'config/syntax' })
  })

  it('refuses texts that are too deep or too large', () => {
    expect(problemsOf(`a: ${'['.repeat(50_000)}`)[0]).to.include({ code: 'config/syntax' })
    expect(problemsOf(`a: "${'x'.repeat(2 * 1024 * 1024)}"`)[0]?.message).to.contain('2 MiB')
  })

  it('refuses tags and several documents', () => {
    expect(problemsOf('a: !!js/function "x"')[0]).to.include({ code: 'config/syntax', line: 1 })
    expect(problemsOf('a: 1\n---\nb: 2')[0]).to.include({ code: 'config/syntax' })
  })

  it('never throws, for any text', () => {
    const pieces = fc.constantFrom(
      'a',
      'plugins',
      ':',
      ' ',
      '\n',
      '  ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '&x',
      '*x',
      '!!int',
      '"',
      "'",
      '|',
      '>',
      '?',
      '#',
      '%',
      '@',
      '\t',
      '${A}',
      '<<',
      '---',
      '...',
      '0x',
      '1e9',
      '~',
      ',',
      '\u2028',
      '\u0007',
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const { document, problems } = parseDocument(text, 'f.yml')
        if (document) {
          document.place('plugins[0].name')
          JSON.stringify(document.source)
        } else {
          expect(problems).not.to.have.length(0)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('returns any JSON value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]\w{0,5}$/), fc.jsonValue({ maxDepth: 4 })), (value) => {
        const { document, problems } = parseDocument(JSON.stringify(value), 'f.yml')
        if (problems.length) expect(JSON.stringify(value)).to.match(/__proto__|\d{16}|e[+-]?\d/)
        else expect(document?.source).to.deep.equal(JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 300 },
    )
  })
})

describe('ConfigDocument.place of a key path', () => {
  const text =
    '# head\nplugins:\n  - http-core\n  - name: irc\n    enabled: false\nhttp: { port: 1,\n  tokens: [ { ' +
    'name: a }, { name: b } ] }\n"quoted key": |\n  block\nlast: x\n'
  const place = (path: string) => parseDocument(text, 'f.yml').document?.place(path)

  it('returns the line of the key, or of the item of a list', () => {
    expect(place('plugins[0]')).to.deep.equal({ file: 'f.yml', line: 3, path: 'plugins[0]' })
    expect(place('plugins[1].enabled')?.line).to.equal(5)
    expect(place('http.port')?.line).to.equal(6)
    expect(place('http.tokens[1].name')?.line).to.equal(7)
    expect(place('quoted key')?.line).to.equal(8)
    expect(place('last')?.line).to.equal(10)
  })

  it('returns the line of the nearest ancestor of a missing path', () => {
    expect(place('http.tokens[1].scope')?.line).to.equal(7)
    expect(place('http.host')?.line).to.equal(6)
    expect(place('nowhere.at.all')).to.deep.equal({ file: 'f.yml', path: 'nowhere.at.all' })
  })
})
