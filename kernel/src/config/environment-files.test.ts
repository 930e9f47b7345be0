import { expect } from 'chai'
import fc from 'fast-check'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readValues } from '../loader.js'
import { environmentFiles, parseEnvironment, reasonOf, type Environment } from './environment.js'
import { Planner } from './plan.js'
import { folder, removeFolders } from '../test/folder.js'

describe('parseEnvironment', () => {
  for (const [line, expected] of [
    ['A=1', { A: '1' }],
    ['  A=1', { A: '1' }],
    ['A =1', { A: '1' }],
    ['A= 1 ', { A: '1' }],
    ['\tA\t=\t1\t', { A: '1' }],
    ['export A=1', { A: '1' }],
    ['export   A = 1', { A: '1' }],
    ['exportA=1', { exportA: '1' }],
    ['export=1', { export: '1' }],
    ['A=', { A: '' }],
    ['A=#', { A: '' }],
    ['A= # c', { A: '' }],
    ['A=1#2', { A: '1#2' }],
    ['A=1 #2', { A: '1' }],
    ['A=1\t# 2', { A: '1' }],
    ['#A=1', {}],
    ['A', {}],
    ['A: 1', {}],
    ['=1', {}],
    ['1A=1', {}],
    ['A-B=1', {}],
    ['A.B=1', {}],
    ['_=1', { _: '1' }],
    ['A=a=b', { A: 'a=b' }],
    ['A=a b  c', { A: 'a b  c' }],
    ['A=${B}', { A: '${B}' }],
    ['A=$B', { A: '$B' }],
    ['A=`x`', { A: '`x`' }],
    ['A=a\\nb', { A: 'a\\nb' }],
    ["A=it's", { A: "it's" }],
    ['A=""', { A: '' }],
    ["A=''", { A: '' }],
    ['A=" x "', { A: ' x ' }],
    ["A=' x '", { A: ' x ' }],
    ['A="x" y', { A: 'x' }],
    ['A="x"# c', { A: 'x' }],
    ['A="#"', { A: '#' }],
    ["A='#'", { A: '#' }],
    ['A="\\n\\r\\t\\"\\\\"', { A: '\n\r\t"\\' }],
    ['A="\\x\\$"', { A: '\\x\\$' }],
    ["A='\\n'", { A: '\\n' }],
    ['A="it\'s"', { A: "it's" }],
    ['A=\'say "x"\'', { A: 'say "x"' }],
    ['A="a\\\\"', { A: 'a\\' }],
    ['A="1\n2"\nB=3', { A: '1\n2', B: '3' }],
    ["A='1\r\n2'\r\nB=3", { A: '1\n2', B: '3' }],
    ['A="1\nB=2"\nC=3', { A: '1\nB=2', C: '3' }],
    ['A="1\n2', { A: '"1' }],
    ["A='1\nB=2", { A: "'1", B: '2' }],
    ['A=1\nA=2', { A: '2' }],
    ['\uFEFFA=1', { A: '1' }],
    ['A=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['A=größe 名 😀', { A: 'größe 名 😀' }],
    ['', {}],
  ] as const) {
    it(`reads ${JSON.stringify(line)} as ${JSON.stringify(expected)}`, () =>
      expect(parseEnvironment(line)).to.deep.equal(expected))
  }

  it('reads any value in quotes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => !/\r/.test(text)),
        (text) => {
          const quoted = `"${text.replace(/[\\"]/g, (char) => `\\${char}`).replaceAll('\n', '\\n')}"`
          expect(parseEnvironment(`A=${quoted} # c\nB=1`)).to.deep.equal({ A: text, B: '1' })
          if (!text.includes("'")) expect(parseEnvironment(`A='${text}'\nB=1`)).to.deep.equal({ A: text, B: '1' })
        },
      ),
    )
  })

  it('loses one line to a missing quote, also in a long file', () => {
    const lines = Array.from({ length: 2_000 }, (_, index) =>
      `K${index}="open ${'x'.repeat(100)}`.replaceAll('"', index % 2 ? "'" : '"'),
    )
    expect(Object.keys(parseEnvironment(`${lines[0]}\n${'#'.repeat(70_000)}\nB=1\nC="2"`))).to.deep.equal([
      'K0',
      'B',
      'C',
    ])
    expect(parseEnvironment(lines.join('\n'))).to.include.keys('K0')
  })

  it('does not change the prototype of objects', () => {
    const found = parseEnvironment('__proto__=x\nconstructor=y')
    expect(Object.getPrototypeOf(found)).to.equal(Object.prototype)
    expect(Object.hasOwn(found, 'constructor')).to.equal(true)
  })
})

describe('environmentFiles', () => {
  for (const [nodeEnv, expected] of [
    [undefined, ['.env', '.env.local']],
    ['', ['.env', '.env.local']],
    ['production', ['.env', '.env.local', '.env.production']],
    ['my-stage_2', ['.env', '.env.local', '.env.my-stage_2']],
    ['local', ['.env', '.env.local']],
    ['-x', ['.env', '.env.local']],
    ['../etc', ['.env', '.env.local']],
    ['a b', ['.env', '.env.local']],
  ] as const) {
    it(`returns ${expected.join(', ')} when NODE_ENV is ${JSON.stringify(nodeEnv)}`, () =>
      expect(environmentFiles(nodeEnv)).to.deep.equal(expected))
  }
})

describe('reasonOf', () => {
  for (const [code, expected] of [
    ['ENOENT', 'it does not exist'],
    ['EACCES', 'no permission to read it'],
    ['EPERM', 'no permission to read it'],
    ['EISDIR', 'it is a directory'],
    ['EMFILE', 'EMFILE'],
  ] as const) {
    it(`describes ${code} without the path`, () =>
      expect(reasonOf(Object.assign(new Error('open /secret/path'), { code }))).to.equal(expected))
  }
  it('returns the message of an error without a code', () => expect(reasonOf(new Error('odd'))).to.equal('odd'))
})

describe('Variables', () => {
  afterEach(removeFolders)

  const valueOf = async (root: string, env: Environment): Promise<unknown> =>
    (await readValues(join(root, 'c.yml'), { env })).values['v']

  for (const [what, files, env, expected] of [
    ['nothing but the default', {}, {}, 'none'],
    ['the first file', { '.env': 'V=1' }, {}, '1'],
    ['the local file before it', { '.env': 'V=1', '.env.local': 'V=2' }, {}, '2'],
    [
      'that of the mode before both',
      { '.env': 'V=1', '.env.local': 'V=2', '.env.test': 'V=3' },
      { NODE_ENV: 'test' },
      '3',
    ],
    ['none of another mode', { '.env': 'V=1', '.env.test': 'V=3' }, { NODE_ENV: 'production' }, '1'],
    [
      'the real environment before all',
      { '.env': 'V=1', '.env.local': 'V=2', '.env.test': 'V=3' },
      { NODE_ENV: 'test', V: 'real' },
      'real',
    ],
    ['the real environment where it says empty, so that the default counts', { '.env': 'V=1' }, { V: '' }, 'none'],
    ['no mode that a file asks for', { '.env': 'NODE_ENV=test\nV=1', '.env.test': 'V=3' }, {}, '1'],
  ] as const) {
    it(`come from ${what}`, async () => {
      expect(await valueOf(await folder({ 'c.yml': 'v: ${V:-none}', ...files }), { ...env })).to.equal(expected)
    })
  }

  it('change with their files, while real variables stay', async () => {
    const root = await folder({ '.env': 'A=1\nB=1\nR=file' })
    const env: Environment = { R: 'real' }
    const planner = new Planner(root, 'c.yml', { env, bases: [] })
    await planner.values('')
    expect(env).to.deep.equal({ A: '1', B: '1', R: 'real' })
    await writeFile(join(root, '.env'), 'A=2')
    await planner.values('')
    expect(env).to.deep.equal({ A: '2', R: 'real' })
    await rm(join(root, '.env'))
    await planner.values('')
    expect(env).to.deep.equal({ R: 'real' })
  })

  it('stay unchanged while a file cannot be read', async () => {
    const root = await folder({ '.env': 'A=1' })
    const env: Environment = {}
    const planner = new Planner(root, 'c.yml', { env, bases: [] })
    await planner.values('')
    await mkdir(join(root, '.env.local'))
    const { values, problems } = await planner.values('a: ${A}')
    expect(problems).to.deep.equal([
      {
        severity: 'fatal',
        code: 'config/unreadable',
        message: '.env.local cannot be read: it is a directory',
        hint: problems[0]?.hint,
        place: { file: '.env.local' },
      },
    ])
    expect({ values, env }).to.deep.equal({ values: { a: '1' }, env: { A: '1' } })
  })

  it('are not loaded for a text that is no configuration', async () => {
    const root = await folder({ '.env': 'A=1' })
    const env: Environment = {}
    const { values, problems } = await new Planner(root, 'c.yml', { env, bases: [] }).values('a: [')
    expect({ values, codes: problems.map(({ code }) => code), env }).to.deep.equal({
      values: {},
      codes: ['config/syntax'],
      env: {},
    })
  })
})
