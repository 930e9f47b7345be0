import { expect } from 'chai'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { OWN_PLUGINS } from './own-plugins.js'
import { installedPlugins, resolveModule, unknownMessage } from './resolve.js'
import { folder, removeFolders } from '../test/folder.js'

const manifest = (fields: object): string => JSON.stringify({ type: 'module', ...fields })

describe('resolveModule', () => {
  afterEach(removeFolders)

  it('finds a short name among packages of Mynah first, then among others', async () => {
    const root = await folder({
      'node_modules/@mynah/plugin-irc/package.json': manifest({
        exports: { '.': { types: './x.d.ts', default: './main.js' } },
      }),
      'node_modules/@mynah/plugin-irc/main.js': '',
      'node_modules/mynah-plugin-irc/index.js': '',
      'node_modules/mynah-plugin-dice/package.json': manifest({
        exports: { import: './esm.js', require: './cjs.cjs' },
      }),
      'node_modules/mynah-plugin-dice/esm.js': '',
    })
    expect(resolveModule('irc', root, [])).to.include({ filename: 'main.js', filePath: '@mynah/plugin-irc' })
    expect(resolveModule('dice', root, [])).to.include({ filename: 'esm.js', filePath: 'mynah-plugin-dice' })
    expect(resolveModule('mynah-plugin-dice', root, [])).to.include({ filePath: 'mynah-plugin-dice' })
  })

  it('finds a package by its full name with a scope', async () => {
    const root = await folder({
      'node_modules/@acme/mynah-plugin-x/package.json': manifest({ main: 'lib/x.js' }),
      'node_modules/@acme/mynah-plugin-x/lib/x.js': '',
    })
    expect(resolveModule('@acme/mynah-plugin-x', root, [])).to.include({ filename: 'x.js' })
  })

  it('finds a path to a file or a folder', async () => {
    const root = await folder({
      'plugins/a.js': '',
      'plugins/b/index.mjs': '',
      'plugins/c/package.json': manifest({ main: 'dist/c.js' }),
      'plugins/c/dist/c.js': '',
      'plugins/d/package.json': '{ broken',
      'plugins/d/index.js': '',
      'plugins/e/readme': '',
    })
    expect(resolveModule('./plugins/a.js', root, [])).to.include({ filePath: 'plugins/a.js', filename: 'a.js' })
    expect(resolveModule('./plugins/b', root, [])).to.include({ filePath: 'plugins/b/index.mjs' })
    expect(resolveModule('./plugins/c', root, [])).to.include({ filePath: 'plugins/c/dist/c.js' })
    expect(resolveModule('./plugins/d', root, [])).to.include({ filename: 'index.js' })
    expect(resolveModule('./plugins/e', root, [])).to.equal(undefined)
    expect(unknownMessage('./plugins/e', root, [])).to.contain('no index.js')
    expect(unknownMessage('./plugins/f', root, [])).to.contain('no plugin at')
  })

  it('searches parent folders, and further bases last', async () => {
    const root = await folder({ 'node_modules/mynah-plugin-up/index.js': '', 'host/deep/file': '' })
    const base = await folder({
      'node_modules/mynah-plugin-up/index.js': '',
      'node_modules/mynah-plugin-base/index.js': '',
    })
    expect(resolveModule('up', join(root, 'host/deep'), [base])?.url).to.contain(root)
    expect(resolveModule('base', join(root, 'host/deep'), [base])?.url).to.contain(base)
  })

  it('suggests a similar name', async () => {
    const root = await folder({
      'node_modules/@mynah/plugin-adapter-irc/index.js': '',
      'node_modules/mynah-plugin-dice/index.js': '',
    })
    expect(installedPlugins(root, [])).to.include.members(['adapter-irc', 'dice'])
    expect(unknownMessage('adapter-ric', root, [])).to.equal(
      'no plugin "adapter-ric" is installed; did you mean "adapter-irc"?',
    )
  })

  it('names the command that installs what is missing', async () => {
    const root = await folder({})
    for (const [name, says] of [
      ['ai', '; install it with: npm install @mynah/plugin-ai'],
      ['agnet', '; did you mean "agent"?'],
      ['weather-of-mars', '; if npm has it, install it with: npm install mynah-plugin-weather-of-mars'],
      ['@scope/thing', '; if npm has it, install it with: npm install @scope/thing'],
      ['no name', ''],
    ])
      expect(unknownMessage(name as string, root, [])).to.equal(`no plugin "${name}" is installed${says}`)
  })

  it('knows the plugins of this project', () => {
    const here = readdirSync(new URL('../../../plugins', import.meta.url)).filter((name) => name !== 'mynah')
    expect(OWN_PLUGINS).to.have.members(here)
  })

  it('returns undefined for any other name', async () => {
    const root = await folder({})
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('../../../etc/passwd', './\0', 'a/../../b', '@/x', `./${'x'.repeat(5000)}`),
        ),
        (name) => {
          const found = resolveModule(`${name}-nonesuch`, root, [])
          expect(found).to.equal(undefined)
          unknownMessage(name, root, [])
        },
      ),
    )
  })
})
