import { expect } from 'chai'
import fc from 'fast-check'
import { parseDocument } from './document.js'

const lineOf = (text: string, path: string): number | undefined =>
  parseDocument(text, 'f.yml').document?.place(path).line

describe('ConfigDocument.place', () => {
  const BLOCK =
    '# head\nhttp:\n  port: 1\n  tokens:\n    - name: a\n      scope: full\n    - { name: b }\n\nlast: ' +
    '|\n  text\n  more\nafter: 1\n'
  const expected: Record<string, number> = {
    http: 2,
    'http.port': 3,
    'http.tokens': 4,
    'http.tokens[0]': 5,
    'http.tokens[0].scope': 6,
    'http.tokens[1].name': 7,
    last: 9,
    after: 12,
  }

  for (const [what, form] of [
    ['as it is', (text: string) => text],
    ['with lines that end as on Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['behind a byte order mark', (text: string) => `\uFEFF${text}`],
    ['with both', (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`],
  ] as const) {
    it(`is found in a file ${what}`, () => {
      expect(Object.fromEntries(Object.keys(expected).map((path) => [path, lineOf(form(BLOCK), path)]))).to.deep.equal(
        expected,
      )
    })
  }

  for (const [what, text, path, line] of [
    ['in flow style over several lines', 'a: {\n  b: [\n    1,\n    { c: 2 }\n  ],\n  d: 3 }\n', 'a.b[1].c', 4],
    ['behind a flow collection', 'a: {\n  b: [1,\n  2] }\nd: 3\n', 'd', 4],
    ['with an anchor', 'a: &x\n  n: 1\nb: 2\n', 'a.n', 2],
    ['that is an alias, as an item', 'a: &x { n: 1 }\nb:\n  - *x\n  - 2\n', 'b[0]', 3],
    ['inside of an alias, at the key of the alias', 'a: &x { n: 1 }\nb: 0\nc: *x\n', 'c.n', 3],
    ['behind an alias', 'a: &x { n: 1 }\nb: *x\nc: 0\n', 'c', 3],
    ['that is tagged', 'a: !!str 1\nb: !!map\n  c: 1\n', 'b.c', 3],
    ['under a quoted key', '"a": 1\n\'b\':\n  "c d": 2\n', 'b.c d', 3],
    ['behind a block of text', 'a: >\n  x: 1\n  y: 2\nb: 1\n', 'b', 4],
    ['behind a quoted text over several lines', 'a: "x\n  y\n  z"\nb: 1\n', 'b', 4],
    ['without a value', 'a:\nb:\n  c:\n', 'b.c', 3],
    ['that is an empty item', 'a:\n  -\n  - 1\n', 'a[1]', 3],
    ['of a list in a list', 'a:\n  - - 1\n    - 2\n  - [3]\n', 'a[0][1]', 3],
    ['in a document with a marker', '---\na: 1\nb: 2\n', 'b', 3],
    ['among comments', 'a: 1 # b: 2\n# b: 3\nb: 4\n', 'b', 3],
    ['in text of other alphabets', 'größe: 1\n名前:\n  😀: 2\nb: 1\n', '名前.😀', 3],
  ] as const) {
    it(`is found ${what}`, () => expect(lineOf(text, path)).to.equal(line))
  }

  it('is that of the nearest ancestor when the path leads beyond a value', () => {
    expect(lineOf(BLOCK, 'http.tokens[0].name.deeper[3].still')).to.equal(5)
    expect(lineOf(BLOCK, 'http.tokens[7]')).to.equal(4)
    expect(lineOf(BLOCK, 'elsewhere')).to.equal(undefined)
    expect(lineOf('', 'a')).to.equal(undefined)
  })

  it('is found for every value of any generated file', () => {
    const key = fc.stringMatching(/^[a-z][a-z0-9_-]{0,6}$/)
    const tree = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.integer(),
        fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
        fc.dictionary(key, tie('node'), { minKeys: 1, maxKeys: 3 }),
      ),
    })).node
    fc.assert(
      fc.property(
        fc.dictionary(key, tree, { minKeys: 1, maxKeys: 4 }),
        fc.constantFrom('\n', '\r\n'),
        (values, end) => {
          const lines: string[] = []
          const places: [string, number][] = []
          const write = (value: unknown, path: string, indent: string): void => {
            if (Array.isArray(value)) {
              for (const [index, item] of value.entries()) entry(`${indent}-`, item, `${path}[${index}]`, indent)
            } else {
              for (const [name, item] of Object.entries(value as object))
                entry(`${indent}${name}:`, item, path ? `${path}.${name}` : name, indent)
            }
          }
          const entry = (head: string, item: unknown, path: string, indent: string): void => {
            lines.push(typeof item === 'object' ? head : `${head} ${String(item)}`)
            // The place of a key is its own line, that of a list item is the line on which its value begins.
            const below = head.endsWith('-') && typeof item === 'object'
            places.push([path, lines.length + (below ? 1 : 0)])
            if (typeof item === 'object') write(item, path, `${indent}  `)
          }
          write(values, '', '')
          const { document, problems } = parseDocument(lines.join(end), 'f.yml')
          expect(problems).to.deep.equal([])
          for (const [path, line] of places) expect(document?.place(path).line, path).to.equal(line)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('a problem in a document', () => {
  for (const [what, text, line] of [
    ['a tab for indentation', 'a:\n\tb: 1\n', 2],
    ['an alias of nothing', 'a: 1\nb: *nothing\n', 2],
    ['a key that is repeated in a list', 'a:\n  - b: 1\n    b: 2\n', 3],
    ['a list that is not closed', 'a: 1\nb: [1, 2\nc: 3\n', 3],
    ['a type of its own', 'a: 1\nb: !thing x\n', 2],
    ['a number that is none', 'a: 1\nb:\n  c: .inf\n', 3],
    ['a number too large', 'a: 1\nb: [1, 90071992547409931]\n', 2],
    ['a key that changes objects', 'a: 1\nb:\n  __proto__: 1\n', 3],
  ] as const) {
    for (const [form, end] of [
      ['', '\n'],
      [' in lines as on Windows', '\r\n'],
    ] as const) {
      it(`of ${what} names its line${form}`, () => {
        const { document, problems } = parseDocument(text.replaceAll('\n', end), 'f.yml')
        expect(document).to.equal(undefined)
        expect(problems.map(({ severity, code, place }) => [severity, code, place?.line])).to.deep.equal([
          ['fatal', 'config/syntax', line],
        ])
      })
    }
  }

  it('is returned for every refused value at once, up to twenty', () => {
    const many = Array.from({ length: 50 }, (_, index) => `k${index}: .nan`).join('\n')
    expect(parseDocument('a: .inf\nb: { c: .nan }\n', 'f.yml').problems.map(({ place }) => place)).to.deep.equal([
      { file: 'f.yml', line: 1, path: 'a' },
      { file: 'f.yml', line: 2, path: 'b.c' },
    ])
    expect(parseDocument(many, 'f.yml').problems).to.have.length(20)
  })

  it('does not change later lines after a collection as a key', () => {
    const { document, problems } = parseDocument('? [a, { b: c }]\n: 1\nd: 2\n', 'f.yml')
    if (document) expect(document.place('d').line).to.equal(3)
    else expect(problems).to.have.length(1)
  })
})
