import { expect } from 'chai'
import { MANUALS, programSpec, wrapperSpec } from './index.js'
import { ManualError, parseManual } from './manual.js'
import type { ProgramSpec } from './program-spec.js'

const parse = (text: string, name = 'tool'): ProgramSpec => parseManual(text).get(name) as ProgramSpec
const optionsOf = ({ options }: ProgramSpec): string[] =>
  Array.from(options.values(), ({ name, kind, effect }) => `${name} ${kind} ${effect}`)

describe('parseManual', () => {
  it('parses flags, flags with an effect, values, optional values and pairs', () => {
    const spec = parse(`
tool
  -a --all
  --help: query
  -k --key <read>
  --sort [text]
  --arg <name> <code>
`)
    expect(optionsOf(spec)).to.deep.equal([
      'a flag text',
      'all flag text',
      'help flag query',
      'k value read',
      'key value read',
      'sort optional text',
      'arg pair code',
    ])
  })

  it('parses operands, of which the last one repeats', () => {
    expect(parse('tool <read> <write>...').operands).to.deep.equal(['read', 'write'])
  })

  it('has no operands where the synopsis names none', () => {
    expect(parse('tool').operands).to.equal(undefined)
  })

  it('parses the command of a wrapper with the operands and assignments before it', () => {
    expect(parse('tool <text> <command>...').command).to.deep.equal({ after: 1, assignments: false })
    expect(parse('tool <assignment>... <command>...').command).to.deep.equal({ after: 0, assignments: true })
  })

  it('parses properties, lists of options and settings', () => {
    const spec = parse(`
tool <read>...
  network, options-first
  edits-operands
  -r -i --in-place
  recursive: -r
  changes-operands: -i --in-place
  stdin: code
  prefixes: +@
  without-operands: tree
`)
    const { options: _, ...properties } = spec
    expect(properties).to.deep.equal({
      operands: ['read'],
      network: true,
      optionsFirst: true,
      editsUnless: [],
      recursive: ['r'],
      changesOperands: ['i', 'in-place'],
      stdin: 'code',
      prefixes: '+@',
      withoutOperands: 'tree',
    })
  })

  it('gives one description to all names of a program', () => {
    const specs = parseManual('one|two|\n  three\n  -a')
    expect([...specs.keys()]).to.deep.equal(['one', 'two', 'three'])
    expect(specs.get('one')).to.equal(specs.get('three'))
  })

  it('adds subcommands to the program above them', () => {
    const spec = parse('tool\n  -a\n\ntool add|new <read>...\n\ntool new force\n  -b')
    expect([...(spec.subcommands?.keys() ?? [])]).to.deep.equal(['add', 'new'])
    expect([...(spec.subcommands?.get('add')?.subcommands?.keys() ?? [])]).to.deep.equal(['force'])
  })

  it('adds modules to an option that ends the options', () => {
    const spec = parse('tool\n  -m <text>\n  ends-options: -m\n\ntool -m venv <write>...\n\ntool -m * <text>...')
    expect([...(spec.modules?.keys() ?? [])]).to.deep.equal(['venv', '*'])
  })

  it('copies a block whose name begins with a point, and leaves that out', () => {
    const specs = parseManual(
      '.base <read>...\n  network\n  -a <text>\n  -b\n\ntool <write>...\n  like: .base\n  -b <read>',
    )
    expect([...specs.keys()]).to.deep.equal(['tool'])
    const spec = specs.get('tool') as ProgramSpec
    expect(optionsOf(spec)).to.deep.equal(['a value text', 'b value read'])
    expect(spec).to.include({ network: true })
    expect(spec.operands).to.deep.equal(['write'])
  })

  it('takes one hyphen before a long name only with single-hyphen', () => {
    expect(optionsOf(parse('tool\n  single-hyphen\n  -race'))).to.deep.equal(['race flag text'])
    expect(() => parse('tool\n  -race')).to.throw(ManualError)
  })

  it('keeps the hyphen of a word of an expression', () => {
    expect(optionsOf(parse('tool\n  style: find\n  ( -name <text>'))).to.deep.equal([
      '( value text',
      '-name value text',
    ])
  })

  it('ignores comments and empty lines', () => {
    expect(optionsOf(parse('# A comment.\n\ntool\n  # Another one.\n\n  -#\n'))).to.deep.equal(['# flag text'])
  })

  const mistakes: readonly (readonly [why: string, text: string, line: number, word: string])[] = [
    ['an unknown effect of an operand', 'tool <reed>...', 1, '<reed>...'],
    ['an unknown effect of a value', 'tool\n  -a <reed>', 2, '<reed>'],
    ['an unknown effect of a flag', 'tool\n  -a: reed', 2, 'reed'],
    ['a last operand that does not repeat', 'tool <read>', 1, '<read>'],
    ['an operand before the last that repeats', 'tool <read>... <write>...', 1, '<read>...'],
    ['a word among the operands', 'tool <read> file...', 1, 'file...'],
    ['an operand before a command that is no text', 'tool <read> <command>...', 1, '<read>'],
    ['a program that is described twice', 'tool\n\ntool', 3, 'tool'],
    ['a name that is listed twice', 'tool|tool', 1, 'tool'],
    ['a subcommand of a program that is not described', 'other add', 1, 'other'],
    [
      'a subcommand of a block that is only copied',
      '.base\n\n.base add\n\ntool\n  like: .base\n\ntool add x',
      8,
      'add',
    ],
    ['a module of an option that does not end the options', 'tool\n  -m\n\ntool -m venv', 4, '-m'],
    ['an option that is described twice', 'tool\n  -a --all\n  --all <text>', 3, '--all'],
    ['a word among the options', 'tool\n  -a all', 2, 'all'],
    ['a cluster of options', 'tool\n  -ab', 2, '-ab'],
    ['an unknown property', 'tool\n  netwrok', 2, 'netwrok'],
    ['properties without a comma', 'tool\n  network tolerant', 2, 'network'],
    ['an unknown setting', 'tool\n  colour: red', 2, 'colour: red'],
    ['a setting without a value', 'tool\n  stdin:', 2, 'stdin:'],
    ['a setting with two values', 'tool\n  stdin: code shell', 2, 'shell'],
    ['a list that names an option without a description', 'tool\n  -a\n  recursive: -a -r', 3, '-r'],
    ['a copy of a block that is not described', 'tool\n  like: .base', 2, '.base'],
    ['a copy after options', '.base\n  -a\n\ntool\n  -b\n  like: .base', 6, '.base'],
    ['options without a program', '\n  -a', 2, '-a'],
  ]
  for (const [why, text, line, word] of mistakes) {
    it(`refuses ${why}, with its line and word`, () => {
      expect(() => parseManual(text))
        .to.throw(ManualError)
        .that.includes({ line, word })
    })
  }
})

describe('programSpec', () => {
  it('parses every manual, each program in one of them', () => {
    const all = MANUALS.flatMap((manual) => [...parseManual(manual).keys()])
    expect(all).to.have.length(201)
    expect(new Set(all).size).to.equal(all.length)
  })

  it('finds every program by its name', () => {
    for (const manual of MANUALS)
      for (const name of parseManual(manual).keys()) expect(programSpec(name)).to.not.equal(undefined)
  })

  it('knows no program without a description', () => {
    expect(programSpec('constructor')).to.equal(undefined)
    expect(programSpec('')).to.equal(undefined)
  })
})

describe('wrapperSpec', () => {
  it('says where the command of a wrapper begins', () => {
    expect(wrapperSpec('timeout')?.command?.after).to.equal(1)
  })
})
