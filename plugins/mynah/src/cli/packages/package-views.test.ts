// Changes packages of a small project in place, and loads them into this process as a host does.
import { expect } from 'chai'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packagesBetween } from './dependency-graph.js'
import { foldersOf, type Folders } from './folders.js'
import { parseLock } from './lockfile.js'
import { PackageViews } from './package-views.js'

interface Package {
  readonly version?: string
  readonly uses?: readonly string[]
  readonly text?: string
  readonly files?: Readonly<Record<string, string>>
  readonly script?: boolean
}
type Packages = Readonly<Record<string, Package>>

/** Says the own version, and what a dependency says. */
const saying = (version: string, uses?: string): string =>
  uses === undefined
    ? `export default '${version}'`
    : `import word from '${uses}'\nexport default '${version} with ' + word`

describe('packages that change while a process runs', () => {
  let folders: Folders
  let views: PackageViews

  /** Makes node_modules and the lockfile hold exactly these packages. */
  const install = (packages: Packages): void => {
    const write = (name: string, text: string): void => {
      mkdirSync(dirname(join(folders.root, name)), { recursive: true })
      writeFileSync(join(folders.root, name), text)
    }
    rmSync(join(folders.root, 'node_modules'), { recursive: true, force: true })
    const locked = Object.entries(packages).map(([path, { version = '1.0.0', uses = [], text, files, script }]) => {
      write(`node_modules/${path}/package.json`, JSON.stringify({ version, type: 'module', exports: './index.js' }))
      write(`node_modules/${path}/index.js`, text ?? saying(version, uses[0]))
      for (const [name, content] of Object.entries(files ?? {})) write(`node_modules/${path}/${name}`, content)
      const dependencies = Object.fromEntries(uses.map((name) => [name, '*']))
      return [`node_modules/${path}`, { version, dependencies, ...(script ? { hasInstallScript: true } : {}) }]
    })
    write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(locked) }))
  }
  const urlOf = (path: string): string =>
    pathToFileURL(join(realpathSync(folders.root), 'node_modules', path, 'index.js')).href
  const load = async (path: string): Promise<string> => {
    const { default: said } = (await import(await views.addressOf(urlOf(path)))) as { readonly default: string }
    return said
  }
  /** Installs packages, and loads those of them that are outdated, as the host does. */
  const change = async (packages: Packages, plugins: readonly string[]): Promise<(string | undefined)[]> => {
    install(packages)
    views.refresh()
    const said: (string | undefined)[] = []
    for (const plugin of plugins) {
      const isOutdated = views.isOutdated(urlOf(plugin))
      said.push(isOutdated ? await load(plugin) : undefined)
      if (isOutdated) views.setLoaded(urlOf(plugin))
    }
    return said
  }

  beforeEach(() => {
    folders = foldersOf(mkdtempSync(join(tmpdir(), 'mynah-views-')))
  })
  afterEach(() => rmSync(folders.root, { recursive: true, force: true }))

  it('are loaded from a view, and others from where they are', async () => {
    install({ one: {}, two: {} })
    views = new PackageViews(folders)
    expect([await load('one'), await load('two')]).to.deep.equal(['1.0.0', '1.0.0'])
    expect(await change({ one: { version: '1.1.0' }, two: {} }, ['one', 'two'])).to.deep.equal(['1.1.0', undefined])
    expect(await views.addressOf(urlOf('two'))).to.equal(urlOf('two'))
    expect(await views.whyRestart(new Set())).to.equal(undefined)
    await views.removeOld()
    expect(existsSync(folders.views)).to.equal(false)
  })

  it('bring those along that use them, and no others', async () => {
    const plugins = { one: { uses: ['between'] }, two: { uses: ['between'] }, three: {} }
    const between = { uses: ['word'] }
    install({ ...plugins, between, word: {} })
    views = new PackageViews(folders)
    for (const plugin of Object.keys(plugins)) await load(plugin)
    expect(await change({ ...plugins, between, word: { version: '2.0.0' } }, Object.keys(plugins))).to.deep.equal([
      '1.0.0 with 1.0.0 with 2.0.0',
      '1.0.0 with 1.0.0 with 2.0.0',
      undefined,
    ])
  })

  it('are found where they have moved to, change after change, and back', async () => {
    install({ one: { uses: ['word'] }, word: {} })
    views = new PackageViews(folders)
    await load('one')
    const nested = { one: { uses: ['word'] }, 'one/node_modules/word': { version: '2.0.0' }, word: {} }
    expect(await change(nested, ['one'])).to.deep.equal(['1.0.0 with 2.0.0'])
    const later = { one: { version: '3.0.0', uses: ['word'] }, word: { version: '3.0.0' } }
    expect(await change(later, ['one'])).to.deep.equal(['3.0.0 with 3.0.0'])
    expect(await change({ one: { uses: ['word'] }, word: {} }, ['one'])).to.deep.equal(['1.0.0 with 1.0.0'])
  })

  it('are found by a plugin that is added later', async () => {
    install({ one: { uses: ['word'] }, word: {} })
    views = new PackageViews(folders)
    await load('one')
    await change({ one: { uses: ['word'] }, word: { version: '2.0.0' } }, ['one'])
    await change({ one: { uses: ['word'] }, word: { version: '2.0.0' }, late: { uses: ['word'] } }, ['one'])
    expect(await load('late')).to.equal('1.0.0 with 2.0.0')
    expect(views.isOutdated(urlOf('late'))).to.equal(false)
  })

  it('need a new process where the host, the project, a script or an addon is concerned', async () => {
    const before = {
      mynah: { uses: ['word'] },
      one: {},
      word: {},
      addon: {},
      script: {},
      own: { uses: ['deep'] },
      deep: {},
    }
    const why = async (packages: Packages, used: readonly string[] = []): Promise<string | undefined> => {
      install(before)
      views = new PackageViews(folders)
      install({ ...before, ...packages })
      views.refresh()
      return views.whyRestart(new Set(used))
    }
    const newer = { version: '2.0.0' }
    expect(await why({ one: newer })).to.equal(undefined)
    expect(await why({ mynah: { ...newer, uses: ['word'] } })).to.equal('mynah is a part of the host')
    expect(await why({ word: newer })).to.equal('the host uses word too')
    expect(await why({ own: { ...newer, uses: ['deep'] } }, ['own'])).to.equal('code of this project may use own')
    const nested = { deep: newer }
    expect(await why(nested, ['own'])).to.equal('code of this project may use deep')
    expect(await why(nested, ['one'])).to.equal(undefined)
    expect(await why({ script: { ...newer, script: true } })).to.equal('script has an install script')
    expect(await why({ addon: { ...newer, files: { 'build/a.node': '' } } })).to.match(/^addon has a native addon/)
  })

  it('are connected as Node looks for them', () => {
    const lock = parseLock(
      JSON.stringify({
        packages: {
          '': {},
          'node_modules/@a/one': { version: '1', dependencies: { two: '*' } },
          'node_modules/@a/one/node_modules/two': { version: '1', optionalDependencies: { three: '*' } },
          'node_modules/two': { version: '2', dependencies: { gone: '*' } },
          'node_modules/three': { version: '1', peerDependencies: { '@a/one': '*' } },
        },
      }),
    )
    const between = (from: string, ...targets: string[]): string[] =>
      [...packagesBetween(lock, from, new Set(targets))].sort()
    expect(between('node_modules/@a/one', 'node_modules/three')).to.deep.equal([
      'node_modules/@a/one',
      'node_modules/@a/one/node_modules/two',
      'node_modules/three',
    ])
    expect(between('node_modules/@a/one', 'node_modules/two')).to.deep.equal([])
    expect(between('node_modules/two', 'node_modules/two')).to.deep.equal(['node_modules/two'])
    expect(between('node_modules/none', 'node_modules/two')).to.deep.equal([])
  })
})
