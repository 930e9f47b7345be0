// Every way in which a plugin of one's own can be wrong: owner, file, line, column and remedy, and no stack.
import { expect } from 'chai'
import { Bench, plugin } from '../../test/cli.js'

/** `%` stands for the folder of the case, `#` for a name without it. */
const cases: Record<string, { readonly files: Record<string, string>; readonly says: string }> = {
  'a syntax error': {
    files: { 'bot.js': "export default {\n  name: 'bot', setup(=) },\n}" },
    says: "%bot.js:2:22: Unexpected token '=' in: name: 'bot', setup(=) },",
  },
  'a syntax error in a file that it imports': {
    files: {
      'bot.js': "import './lib/a.js'\nexport default { name: 'bot' }",
      'lib/a.js': "import './b.js'",
      'lib/b.js': 'const one = 1\nconst two = ;\n',
    },
    says: "%lib/b.js:2:13: Unexpected token ';' in: const two = ;",
  },
  'a name that is not exported': {
    files: {
      'bot.js': "import { two } from './one.js'\nexport default { name: 'bot' }",
      'one.js': 'export const one = 1',
    },
    says: "%bot.js:1:10: The requested module './one.js' does not provide an export named 'two' in: import { two } from './one.js' (fix the name",
  },
  'a package that is not installed': {
    files: { 'bot.js': "import 'mynah-nonesuch'\nexport default { name: 'bot' }" },
    says: "Cannot find package 'mynah-nonesuch' imported from %bot.js (install it next to the configuration file)",
  },
  'a file that is not there': {
    files: { 'bot.js': "import './gone.js'\nexport default { name: 'bot' }" },
    says: "Cannot find module '%gone.js' imported from %bot.js (fix the path",
  },
  CommonJS: {
    files: { 'bot.js': "module.exports = { name: 'bot' }", 'package.json': '{ "type": "module" }' },
    says: '%bot.js:1:1: module is not defined in ES module scope (this is CommonJS; a plugin is an ES module: write "import" and "export default")',
  },
  require: {
    files: {
      'bot.js': "const fs = require('node:fs')\nexport default { name: 'bot' }",
      'package.json': '{ "type": "module" }',
    },
    says: '%bot.js:1:12: require is not defined in ES module scope, you can use import instead (this is CommonJS',
  },
  'a module that was compiled to CommonJS': {
    files: {
      'bot.cjs': "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = { name: 'bot' }",
    },
    says: '#bot.cjs was compiled to CommonJS, which hides its default export',
  },
  'a package.json that says CommonJS': {
    files: { 'bot.js': "import 'node:fs'\nexport default { name: 'bot' }", 'package.json': '{ "type": "commonjs" }' },
    says: '%bot.js:1:1: Cannot use import statement outside a module in: import \'node:fs\' (Node treats this file as CommonJS: add "type": "module" to the package.json next to it, or name it .mjs)',
  },
  'no default export': {
    files: { 'bot.js': "export const bot = { name: 'bot' }" },
    says: '#bot.js has no default export, only bot: write "export default"',
  },
  'an error while it loads': {
    files: { 'bot.js': 'const settings = undefined\nexport default { name: settings.name }' },
    says: "%bot.js:2:33: Cannot read properties of undefined (reading 'name')",
  },
  'something thrown that is no error': {
    files: { 'bot.js': 'throw Object.create(null)' },
    says: './%bot.js cannot be loaded: threw a value that cannot be shown',
  },
  'an error in setup': {
    files: { 'bot.js': "export default {\n  name: 'bot',\n  setup() {\n    throw new Error('no luck')\n  },\n}\n" },
    says: 'bot failed to start: no luck',
  },
}

describe('pluginImporter', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('reports each mistake with its location while the host runs', async () => {
    const all = Object.entries(cases).map(([what, { files, says }], index) => {
      const folder = `case${index}/`
      // Each has a name of its own: a host takes no name twice.
      const own = Object.fromEntries(
        Object.entries(files).map(([file, text]) => [folder + file.replace(/^bot/, `bot${index}`), text]),
      )
      return {
        what,
        entry: `./${Object.keys(own).find((file) => file.startsWith(`${folder}bot`)) ?? ''}`,
        says: says.replaceAll('%bot', `${folder}bot${index}`).replaceAll('%', folder).replace('#bot', `bot${index}`),
        own,
      }
    })
    bench = await Bench.of(
      Object.assign(
        {
          'mynah.config.yml': `plugins: [${all.map(({ entry }) => entry).join(', ')}, ./fine.mjs]`,
          'fine.mjs': plugin('fine', ''),
        },
        ...all.map(({ own }) => own),
      ) as Record<string, string>,
    )
    const running = bench.start('start')
    await running.shows(/1 of \d+ plugins are up/)
    const out = running.out.replaceAll('\\"', '"')
    for (const { what, says } of all) expect(out, what).to.contain(says)
    expect(running.out).not.to.contain('    at ').and.not.to.contain(bench.folder)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('shows the location of an error in setup with a hint, and the stack with --verbose', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [./bot.js]', ...cases['an error in setup']?.files })
    const short = bench.start('start')
    await short.shows(/0 of 1 plugins are up/)
    expect(short.out)
      .to.contain('"at":"bot.js:4:11"')
      .and.to.contain('"hint":"Fix what the message names; the rest of the host runs"')
      .and.not.to.contain('"stack"')
    await short.signal('SIGTERM')
    const long = bench.start('start --verbose')
    await long.shows(/0 of 1 plugins are up/)
    expect(long.out).to.contain('"stack":"Error: no luck')
    await long.signal('SIGTERM')
  })

  it('reports a mistake in config check with the location of its entry', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins:\n  - ./bot.js\n', 'bot.js': 'export default {\n' })
    const { code, out } = await bench.run('config check')
    expect(code).to.equal(2)
    expect(out).to.match(/^error: mynah\.config\.yml:2: \.\/bot\.js cannot be loaded: bot\.js:\d(:\d+)?: /)
    expect(out).to.match(/: Unexpected end of input.*\n {4}Fix the module at the reported place/)
  })
})
