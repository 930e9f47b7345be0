// `./bot.ts` in the list of plugins just works, on each Node; what is more than types is refused with its place.
import { expect } from 'chai'
import { Bench } from '../../test/cli.js'

const typed = (name: string, word: string): string => `import type { Plugin } from 'mynah'
import { word } from './${word}'
interface Greeting { readonly text: string }
export default {
  name: '${name}',
  setup(ctx) {
    const greeting: Greeting = { text: word satisfies string }
    ctx.log.info(\`${name} says \${greeting.text as string}\`)
  },
} as Plugin
`

describe('TypeScript plugin', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('is loaded from a file or folder without a build, with its imports', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./plugins/one.ts, ./plugins/two, ./plugins/three.js]',
      'plugins/one.ts': typed('one', 'word.ts'),
      'plugins/two/index.ts': typed('two', 'word.js'),
      'plugins/three.js':
        "import { word } from './word.ts'\nexport default { name: 'three', setup: (ctx) => ctx.log.info('three says ' + word) }",
      'plugins/word.ts': "export const word: string = 'hello'",
      'plugins/two/word.ts': "type Word = 'hello'\nexport const word: Word = 'hello'",
    })
    const running = bench.start('start')
    await running.shows(/3 of 3 plugins are up/)
    for (const name of ['one', 'two', 'three']) expect(running.out).to.contain(`"message":"${name} says hello"`)
    expect(await running.signal('SIGTERM')).to.equal(0)
    expect(running.err).not.to.contain('bot.ts')
  })

  it('keeps lines and columns in stacks', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./bot.ts]',
      'bot.ts':
        "interface A { a: string }\ntype B = A & {\n  b: number\n}\nexport default { name: 'bot', setup(_: unknown): void {\n  const b = <const T,>(_: T): never => { throw new Error('here') }\n  b<B>({ a: '', b: 1 })\n} }\n",
    })
    const running = bench.start('start')
    await running.shows(/0 of 1 plugins are up/)
    expect(running.out).to.contain('"at":"bot.ts:6:48"')
    await running.signal('SIGTERM')
  })

  for (const [what, code, place] of [
    [
      'an enum',
      'enum Colour { Red }',
      '2:1: TypeScript enum is not supported in strip-only mode in: enum Colour { Red } (only types can be removed',
    ],
    ['a namespace', 'namespace N { export const a = 1 }', '2:1: '],
    [
      'a parameter property',
      'class A { constructor(private a: string) {} }',
      '2:31: TypeScript parameter property is not supported in strip-only mode in: class A',
    ],
    ['a syntax error', 'const a: = 1', '2:10: Unexpected token `=` in: const a: = 1'],
  ] as const) {
    it(`is rejected with ${what} and its location`, async () => {
      bench = await Bench.of({
        'mynah.config.yml': 'plugins: [./bot.ts]',
        'bot.ts': `export default { name: 'bot' }\n${code}\n`,
      })
      const { code: exit, out } = await bench.run('config check')
      expect(exit).to.equal(2)
      expect(out).to.contain(`./bot.ts cannot be loaded: bot.ts:${place}`)
    })
  }

  it('must be JavaScript in an installed package', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [typed]',
      'node_modules/mynah-plugin-typed/index.ts': 'export default {}',
      'node_modules/mynah-plugin-typed/package.json': '{ "type": "module", "exports": "./index.ts" }',
    })
    const { code, out } = await bench.run('config check')
    expect(code).to.equal(2)
    expect(out)
      .to.contain('an installed package must contain JavaScript: build it before it is packed')
      .and.not.to.contain(bench.folder)
  })

  it('restarts the host under mynah dev when it changes', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./bot.ts]',
      'bot.ts': "export default { name: 'bot', setup(ctx: any) { ctx.log.info('version one') } }",
    })
    const running = bench.start('dev')
    await running.shows(/watching for changes/)
    await running.shows(/version one/)
    await bench.write({ 'bot.ts': "export default { name: 'bot', setup(ctx: any) { ctx.log.info('version two') } }" })
    await running.shows(/version two/)
    expect(await running.signal('SIGINT')).to.equal(0)
  })
})
