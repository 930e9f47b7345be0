// Tests the checks of lines and words, and the scanner below them.
import { expect } from 'chai'
import { longLines } from './check-lines.mjs'
import { findWords } from './check-words.mjs'
import { withoutExceptions } from './exceptions.mjs'
import { scan } from './scan.mjs'

const kinds = (code) => scan(code).map(({ kind, text }) => `${kind} ${text}`)

describe('scan', () => {
  it('finds comments, strings, templates and regular expressions', () => {
    expect(kinds(`const a = 'x' // one\n/* two */ b = "y"`)).to.deep.equal([
      "string 'x'",
      'comment // one',
      'comment /* two */',
      'string "y"',
    ])
  })

  it('tells a regular expression from a division', () => {
    expect(kinds("a / b / 'c'")).to.deep.equal(["string 'c'"])
    expect(kinds('x = /[/"]\\//gu.test(y)')).to.deep.equal(['regex /[/"]\\//gu'])
    expect(kinds("return /'/ // end")).to.deep.equal(["regex /'/", 'comment // end'])
    expect(kinds('(a + b) / 2 / c')).to.deep.equal([])
  })

  it('follows templates into their expressions', () => {
    expect(kinds("`a ${f({ b: 'c' }, `d ${e}`)} g`")).to.deep.equal([
      'template a ',
      "string 'c'",
      'template d ',
      'template ',
      'template  g',
    ])
  })

  it('takes no comment from a string, and no string from the text of an element', () => {
    expect(kinds('\'http://a.test\' + "/* no */"')).to.deep.equal(["string 'http://a.test'", 'string "/* no */"'])
    expect(kinds("<p>it's here</p>\n// end")).to.deep.equal(['comment // end'])
  })
})

describe('long lines', () => {
  const x = 'x'.repeat(130)
  const words = 'word '.repeat(26)

  it('are found in code, comments and templates of one line', () => {
    for (const line of [`// ${words}`, `const a = \`${words}\``, `call(${'a, '.repeat(50)})`, `/${x}/`])
      expect(longLines(`\n${line}\n`), line).to.deep.equal([2])
  })

  it('are allowed for an address, a string, and text in a template of several lines', () => {
    for (const code of [`// see https://a.test/${x}`, `  name: '${words}',`, `\`\n${words}\n\``, 'x'.repeat(120)])
      expect(longLines(code), code).to.deep.equal([])
  })
})

describe('words', () => {
  const found = (file, text) => findWords(file, text).map(({ line, word }) => `${line} ${word}`)

  it('are found in comments, strings and templates, not in names', () => {
    expect(found('a.ts', "// begin anew\nconst anew = 'begin anew'\nbegin(anew, `mend ${anew} now`)")).to.deep.equal([
      '1 anew',
      '2 anew',
      '3 mend',
    ])
    expect(found('a.ts', "kind: 'poke'\nconst a = /beside this/\n// call `told` first")).to.deep.equal([])
  })

  it('are found in Markdown outside of code and links', () => {
    const page = 'It stands here.\n\n```ts\n// anew told\n```\n`told` [a](beside.md) | "stands for"\n# What it does\n'
    expect(found('a.md', page)).to.deep.equal(['1 stands'])
  })

  it('are subjects of sentences', () => {
    expect(found('a.ts', '// What fits is kept.')).to.deep.equal(['1 What fits is kept.'])
    expect(found('a.ts', '// Stops. Who asks gets it.')).to.deep.equal(['1 . Who asks gets'])
    expect(found('a.ts', '// What fits? Only this.\n// Returns what fits, and\n// What fits')).to.deep.equal([
      '3 What fits',
    ])
  })

  it('may stand where an exception with a reason says so', () => {
    const finding = { file: 'a.ts', line: 3, source: 'const poke = "a poke"', message: 'm' }
    expect(withoutExceptions([finding], [])).to.deep.equal(['a.ts:3: m'])
    expect(withoutExceptions([finding], [{ file: 'a.ts', text: 'a poke', reason: 'r' }])).to.deep.equal([])
    expect(withoutExceptions([finding], [{ file: 'a.ts', text: 'a poke' }])).to.have.length(1)
    expect(withoutExceptions([], [{ file: 'a.ts', text: 'a poke', reason: 'r' }])).to.have.length(1)
  })
})
