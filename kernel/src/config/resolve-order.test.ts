import { expect } from 'chai'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { packagesFor, resolveModule, unknownMessage } from './resolve.js'
import { folder, removeFolders } from '../test/folder.js'

const manifest = (fields: object): string => JSON.stringify({ version: '1.2.3', ...fields })
const endOf = (url: string | undefined, root: string): string | undefined =>
  url?.slice(url.indexOf(root) + root.length + 1)

describe('packagesFor', () => {
  for (const [name, expected] of [
    ['irc', ['@mynah/plugin-irc', 'mynah-plugin-irc']],
    ['adapter-irc.v2', ['@mynah/plugin-adapter-irc.v2', 'mynah-plugin-adapter-irc.v2']],
    ['mynah-plugin-x', ['@mynah/plugin-mynah-plugin-x', 'mynah-plugin-mynah-plugin-x', 'mynah-plugin-x']],
    ['@acme/x', ['@acme/x']],
    ['@mynah/plugin-x', ['@mynah/plugin-x']],
    ['', []],
    ['@acme', []],
    ['@acme/', []],
    ['@/x', []],
    ['a/b', []],
    ['../x', []],
    ['.hidden', []],
    ['a b', []],
    ['@a/b/c', []],
    ['x\0', []],
  ] as const) {
    it(`returns ${expected.join(', ') || 'no package'} for ${JSON.stringify(name)}`, () =>
      expect(packagesFor(name)).to.deep.equal(expected))
  }
})

describe('the entry of a package', () => {
  afterEach(removeFolders)

  for (const [what, fields, expected] of [
    ['the text of exports', { exports: './a.js', main: './b.js' }, 'a.js'],
    ['the target of "."', { exports: { '.': './a.js', './api': './b.js' } }, 'a.js'],
    [
      'the first condition that holds, in their order',
      { exports: { require: './index.js', default: './b.js', import: './a.js' } },
      'b.js',
    ],
    [
      'a condition inside of a condition',
      { exports: { '.': { node: { require: './b.js', import: './a.js' }, default: './b.js' } } },
      'a.js',
    ],
    [
      'the next condition where one leads nowhere',
      { exports: { '.': { node: { require: './b.js' }, default: './a.js' } } },
      'a.js',
    ],
    ['the first of a list', { exports: ['./a.js', './b.js'] }, 'a.js'],
    ['main without exports', { main: 'b.js' }, 'b.js'],
    ['main where exports close the package', { exports: { '.': null }, main: './b.js' }, 'b.js'],
    ['index.js where nothing is named', {}, 'index.js'],
    ['index.js where what is named is not there', { exports: './none.js' }, 'index.js'],
    ['index.js where main is no text', { main: 5 }, 'index.js'],
  ] as const) {
    it(`is ${what}, of a package and of a folder alike`, async () => {
      const files = { 'package.json': manifest(fields), 'a.js': '', 'b.js': '', 'index.js': '' }
      const root = await folder(
        Object.fromEntries(
          Object.entries(files).flatMap(([name, text]) => [
            [`node_modules/mynah-plugin-x/${name}`, text],
            [`x/${name}`, text],
          ]),
        ),
      )
      expect(resolveModule('x', root, [])).to.include({
        filename: expected,
        filePath: 'mynah-plugin-x',
        version: '1.2.3',
      })
      expect(resolveModule('./x', root, [])).to.include({
        filename: expected,
        filePath: `x/${expected}`,
        version: '1.2.3',
      })
    })
  }

  for (const [files, expected] of [
    [['index.js', 'index.mjs', 'dist/index.js'], 'index.js'],
    [['index.mjs', 'dist/index.js'], 'index.mjs'],
    [['dist/index.js'], 'index.js'],
    [['index.cjs', 'lib/index.js'], undefined],
  ] as const) {
    it(`of a folder without package.json with ${files.join(', ')} is ${expected ?? 'nowhere'}`, async () => {
      const root = await folder(Object.fromEntries(files.map((name) => [`p/${name}`, ''])))
      expect(resolveModule('./p', root, [])?.filename).to.equal(expected)
      if (expected === undefined) expect(unknownMessage('./p', root, [])).to.contain('holds no plugin')
    })
  }

  it('is found with an unusable package.json', async () => {
    for (const text of ['', '{', 'null', '5', '[]', '"x"', '{"version": 7}']) {
      const root = await folder({ 'p/package.json': text, 'p/index.js': '' })
      const origin = resolveModule('./p', root, [])
      expect(origin, text).to.include({ filename: 'index.js' })
      expect(origin, text).not.to.have.property('version')
    }
    const root = await folder({ 'p/package.json/inside': '', 'p/index.js': '' })
    expect(resolveModule('./p', root, [])).to.include({ filename: 'index.js' })
  })
})

describe('resolveModule with several packages', () => {
  afterEach(removeFolders)

  it('prefers packages of Mynah, then nearer ones, then installed ones', async () => {
    const at = (place: string, name: string) => `${place}node_modules/${name}/index.js`
    const [ours, other] = ['@mynah/plugin-x', 'mynah-plugin-x']
    const all = [at('host/deep/', ours), at('host/', ours), at('', ours), at('host/deep/', other), at('', other)]
    const base = await folder({ [at('', ours)]: '', [at('', other)]: '' })
    for (let gone = 0; gone < all.length; gone++) {
      const root = await folder({
        'host/deep/file': '',
        ...Object.fromEntries(all.slice(gone).map((path) => [path, ''])),
      })
      const expected = gone < 3 ? [root, all[gone]] : [base, at('', ours)]
      expect(
        endOf(resolveModule('x', join(root, 'host/deep'), [base])?.url, expected[0] as string),
        String(gone),
      ).to.equal(expected[1])
    }
    const root = await folder({ [at('', other)]: '' })
    expect(endOf(resolveModule('x', root, [])?.url, root)).to.equal(at('', other))
  })

  it('skips a folder without a module', async () => {
    const root = await folder({
      'host/node_modules/@mynah/plugin-x/readme.md': '',
      'node_modules/@mynah/plugin-x/index.js': '',
      'host/file': '',
    })
    expect(endOf(resolveModule('x', join(root, 'host'), [])?.url, root)).to.equal(
      'node_modules/@mynah/plugin-x/index.js',
    )
  })

  it('returns one module for all links to it', async () => {
    const root = await folder({ 'packages/x/index.js': '', 'node_modules/@mynah/keep': '' })
    await symlink(join(root, 'packages/x'), join(root, 'node_modules/@mynah/plugin-x'))
    const [linked, direct] = [resolveModule('x', root, []), resolveModule('./packages/x', root, [])]
    expect(linked?.url).to.equal(direct?.url)
    expect([linked?.filePath, direct?.filePath]).to.deep.equal(['@mynah/plugin-x', 'packages/x/index.js'])
    await symlink(join(root, 'nowhere'), join(root, 'node_modules/@mynah/plugin-gone'))
    expect(resolveModule('gone', root, [])).to.equal(undefined)
  })
})

describe('ModuleOrigin.filePath', () => {
  afterEach(removeFolders)

  it('is relative to the host, also outside of its folder', async () => {
    const root = await folder({
      'host/c.yml': '',
      'shared/p.js': '',
      'shared/package.json': manifest({}),
      'host/.js': '',
    })
    expect(resolveModule('../shared/p.js', join(root, 'host'), [])).to.include({
      filePath: '../shared/p.js',
      version: '1.2.3',
    })
    expect(resolveModule(join(root, 'shared/p.js'), join(root, 'host'), [])).to.include({ filePath: '../shared/p.js' })
    expect(resolveModule('./', join(root, 'host'), [])).to.equal(undefined)
    expect(resolveModule('./.js', join(root, 'host'), [])).to.include({ filename: '.js' })
  })
})
