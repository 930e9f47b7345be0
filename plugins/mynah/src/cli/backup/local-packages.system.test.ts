// Packages of this machine in a backup: tarballs and folders that `package.json` names.
import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { localPackages } from './local-packages.js'
import { Bench, plugin } from '../../test/cli.js'

const run = promisify(execFile)
const npm = (cwd: string, ...args: string[]): Promise<unknown> =>
  run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd })
const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'index.js', ...more })
const says = (name: string, text: string): string => plugin(name, `ctx.log.info('${text}')`)

describe('local packages in a backup', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('come back with it: a restored bot installs its tarball and its folder, and starts', async function () {
    this.timeout(60_000)
    bench = await Bench.of({
      'made/dice/package.json': manifest('mynah-plugin-dice'),
      'made/dice/index.js': says('dice', 'dice are there'),
      'bot/parts/cards/package.json': manifest('mynah-plugin-cards', { dependencies: { suits: 'file:../suits' } }),
      'bot/parts/cards/index.js': `import { suits } from 'suits'\n${plugin('cards', 'ctx.log.info(`cards of ${suits}`)')}`,
      'bot/parts/cards/node_modules/left.js': '',
      'bot/parts/suits/package.json': manifest('suits'),
      'bot/parts/suits/index.js': "export const suits = 'hearts and spades'\n",
      'far/package.json': manifest('mynah-plugin-far'),
      'far/index.js': says('far', 'far is there'),
      'bot/mynah.config.yml': 'plugins: [dice, cards, far]\n',
      'bot/package.json': manifest('bot', {
        dependencies: { 'mynah-plugin-cards': 'file:parts/cards', 'mynah-plugin-far': 'file:../far' },
      }),
    })
    const at = (path: string): string => join(bench.folder, path)
    await npm(at('made/dice'), 'pack', '--pack-destination', at('bot'))
    await npm(at('bot'), 'install', './mynah-plugin-dice-1.0.0.tgz')

    const saved = await bench.run('backup saved -c bot/mynah.config.yml')
    expect(saved.code, saved.err).to.equal(0)
    const missing =
      'the package "mynah-plugin-far" is outside of the folder of the host: before npm ci, put it at ../far'
    expect(saved.out).to.contain(`not included: ${missing}\n`)
    expect(await readdir(at('saved'))).to.include.members(['mynah-plugin-dice-1.0.0.tgz', 'package-lock.json'])
    expect(await readdir(at('saved/parts'), { recursive: true })).to.have.members(
      ['cards', 'suits'].flatMap((name) => [name, `${name}/index.js`, `${name}/package.json`]),
    )

    // Another machine: nothing is left but the backup and, as the message says, the folder outside.
    await rm(at('bot'), { recursive: true })
    await rm(at('made'), { recursive: true })
    await mkdir(at('new'))
    await rename(at('far'), at('new/far'))
    const restored = await bench.run('restore saved -c new/bot/mynah.config.yml')
    expect(restored.code, restored.err).to.equal(0)
    expect(restored.out).to.contain(`not in the backup: ${missing}\n`)
    await npm(at('new/bot'), 'ci')
    const host = bench.start('start -c new/bot/mynah.config.yml')
    for (const text of [/dice are there/, /cards of hearts and spades/, /far is there/]) await host.shows(text)
    expect(await host.signal('SIGTERM')).to.equal(0)
  })

  it('are named if they are lost, too large or elsewhere', async () => {
    bench = await Bench.of({
      'package.json': manifest('bot', {
        dependencies: { lost: 'file:lost.tgz', large: './large', chai: '^6.0.0', git: 'git+https://a.test/b.tgz' },
        devDependencies: { far: '/no/such/far.tgz', itself: 'file:.', small: 'small.tgz', odd: 7 },
      }),
      'large/package.json': manifest('large'),
      'large/inner.txt': 'x'.repeat(200),
      'small.tgz': 'x',
    })
    const { files, elsewhere } = await localPackages(bench.folder, { bytes: 200, files: 5 })
    expect(files).to.deep.equal([join(bench.folder, 'small.tgz')])
    expect(elsewhere).to.deep.equal([
      'the package "lost" is not there: before npm ci, put it at lost.tgz',
      'the package "large" is too large: before npm ci, put it at large',
      'the package "far" is outside of the folder of the host: before npm ci, put it at /no/such/far.tgz',
    ])
    const few = await localPackages(bench.folder, { bytes: 10_000, files: 1 })
    expect(few.elsewhere.join()).to.contain('"large" is too large')
  })

  it('are named where a link leads outside, and taken where it leads to another place of the bot', async () => {
    bench = await Bench.of({
      'bot/package.json': manifest('bot', {
        dependencies: { folder: 'file:linked', tarball: './linked.tgz', inner: 'file:inner' },
      }),
      'bot/parts/index.js': '',
      'private/key.txt': 'x',
    })
    const at = (path: string): string => join(bench.folder, path)
    await symlink(at('private'), at('bot/linked'))
    await symlink(at('private/key.txt'), at('bot/linked.tgz'))
    await symlink(at('bot/parts'), at('bot/inner'))
    const { files, elsewhere } = await localPackages(at('bot'))
    expect(files).to.deep.equal([at('bot/inner/index.js')])
    expect(elsewhere).to.deep.equal([
      'the package "folder" is outside of the folder of the host: before npm ci, put it at linked',
      'the package "tarball" is outside of the folder of the host: before npm ci, put it at linked.tgz',
    ])
  })

  it('are none without a manifest, and with one that is no JSON', async () => {
    bench = await Bench.of({ 'broken/package.json': '{', 'empty/package.json': 'null' })
    for (const folder of ['broken', 'empty', 'none'])
      expect(await localPackages(join(bench.folder, folder)), folder).to.deep.equal({ files: [], elsewhere: [] })
  })
})
