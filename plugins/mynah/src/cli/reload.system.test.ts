// `mynah reload` and its signal: configuration, environment files and tokens of a running host.
import { expect } from 'chai'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Bench, freePort, plugin } from '../test/cli.js'

const WORD = "config: { key: 'word', schema: { type: 'string' } },"
const says = plugin('p', "ctx.log.info('the word is ' + ctx.config)", WORD)

describe('mynah reload', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('applies a changed configuration in the same process', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [./p.js]\nword: one\n', 'p.js': says })
    const running = bench.start('start')
    await running.shows(/the word is one/)
    await running.shows(/plugins are up/)
    await bench.write({ 'mynah.config.yml': 'plugins: [./p.js]\nword: "${WORD}"\n', '.env': 'WORD=two' })
    const { code, out } = await bench.run('reload')
    expect(code, out).to.equal(0)
    expect(out).to.equal('restarted: p\n')
    await running.shows(/the word is two/)
    expect((await bench.run('reload')).out).to.contain('nothing in the configuration has changed')
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('says which plugins were started, restarted and stopped', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]\nword: one\n',
      'p.js': says,
      'q.js': plugin('q', ''),
    })
    const running = bench.start('start')
    await running.shows(/plugins are up/)
    await bench.write({ 'mynah.config.yml': 'plugins: [./p.js, ./q.js]\nword: two\n' })
    expect((await bench.run('reload')).out).to.equal('restarted: p\nstarted: q\n')
    await bench.write({ 'mynah.config.yml': 'plugins: [./q.js]\n' })
    expect((await bench.run('reload')).out).to.equal('stopped: p\n')
    await bench.write({ 'mynah.config.yml': 'plugins: [{ name: ./q.js, enabled: false }, ./p.js]\nword: two\n' })
    expect((await bench.run('reload')).out).to.equal('started: p\nstopped: q\n')
    await bench.write({ 'mynah.config.yml': 'plugins: [./p.js]\nword: two\n' })
    expect((await bench.run('reload')).out).to.equal('not running: q\n')
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('names plugins that did not start, with the reason', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [./p.js]\nword: one\n', 'p.js': says })
    const running = bench.start('start')
    await running.shows(/plugins are up/)
    await bench.write({
      'mynah.config.yml': 'plugins: [./p.js, ./bad.js]\nword: two\n',
      'bad.js': plugin('bad', "throw new Error('it has no plums')"),
    })
    const { code, out } = await bench.run('reload')
    expect(out).to.match(/^restarted: p\nfailed: bad: .*it has no plums/)
    expect(code).to.equal(1)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('names plugins that wait for another one, with the one to add', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [./p.js]\nword: one\n', 'p.js': says })
    const running = bench.start('start')
    await running.shows(/plugins are up/)
    const NEEDS = "needs: { store: { kind: 'service', id: 'store', key: 'store@1', plugin: 'shelf' } },"
    await bench.write({
      'mynah.config.yml': 'plugins: [./p.js, ./shop.js, ./till.js]\nword: two\n',
      'shop.js': plugin('shop', '', NEEDS),
      'till.js': plugin('till', '', NEEDS),
    })
    const { out } = await bench.run('reload')
    expect(out)
      .to.contain('shop waits for "store", which no enabled plugin provides: add "shelf" to plugins')
      .and.to.contain('restarted: p\n')
      .and.to.contain('waits: shop, till: store: no plugin declares it; add "shelf" to plugins')
    await bench.write({ 'p.js': says.replace('the word is', 'the new word is') })
    expect((await bench.run('reload')).out).to.contain(
      './p.js has changed, and its code from before runs until the host restarts',
    )
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('rejects an invalid configuration with the reason', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [./p.js]\nword: one\n', 'p.js': says })
    const running = bench.start('start')
    await running.shows(/plugins are up/)
    await bench.write({ 'mynah.config.yml': 'plugins: [./p.js, ./gone.js]\nword: one\n' })
    const { code, out } = await bench.run('reload')
    expect(code).to.equal(2)
    expect(out)
      .to.contain('error: mynah.config.yml:1: there is no plugin at "./gone.js"')
      .and.to.contain('rejected: the host continues as before')
    await bench.write({ 'mynah.config.yml': 'plugins: [./p.js]\nword: [1]\n' })
    expect((await bench.run('reload')).code).to.equal(2)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('fails as long as a plugin lacks a package, and loads it once the package is there', async () => {
    const uses = "import { word } from 'words'\nexport default { name: 'NAME', setup: (ctx) => ctx.log.info(word) }\n"
    const manifest = (name: string): string => JSON.stringify({ name, version: '1.0.0', type: 'module' })
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./other.js, ./p.js, installed]\n',
      'other.js': "export default { name: 'other', setup() {} }\n",
      'p.js': uses.replace('NAME', 'p'),
      'node_modules/mynah-plugin-installed/package.json': manifest('mynah-plugin-installed'),
      'node_modules/mynah-plugin-installed/index.js': uses.replace('NAME', 'installed'),
    })
    const running = bench.start('start')
    await running.shows(/1 of 3 plugins are up/)
    for (let i = 0; i < 2; i++) {
      const { code, out } = await bench.run('reload')
      expect(code).to.equal(1)
      expect(out)
        .to.match(/^failed: p: .*words/m)
        .and.match(/^failed: installed: .*words/m)
    }
    await bench.write({
      'node_modules/words/package.json': manifest('words'),
      'node_modules/words/index.js': "export const word = 'here is a word'\n",
    })
    const { code, out } = await bench.run('reload')
    expect(code).to.equal(0)
    expect(out).to.match(/^started: (?:p, installed|installed, p)$/m)
    await running.shows(/here is a word/, 2)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('says that only a restart helps where Node remembers that a package was missing', async () => {
    const manifest = (name: string): string =>
      JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'other-name.js' })
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./other.js, installed]\n',
      'other.js': "export default { name: 'other', setup() {} }\n",
      'node_modules/mynah-plugin-installed/package.json': manifest('mynah-plugin-installed'),
      'node_modules/mynah-plugin-installed/other-name.js':
        "import 'words'\nexport default { name: 'installed', setup() {} }\n",
    })
    const running = bench.start('start')
    await running.shows(/1 of 2 plugins are up/)
    await bench.write({ 'node_modules/words/package.json': manifest('words'), 'node_modules/words/other-name.js': '' })
    const { code, out } = await bench.run('reload')
    // Some versions of Node do.
    expect(out).to.contain(
      code === 0
        ? 'started: installed'
        : 'failed: installed: installed cannot be loaded: words was installed after a failed attempt, and needs a restart',
    )
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('also works by SIGUSR2 and logs the result', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [./p.js]\nword: one\n', 'p.js': says })
    const running = bench.start('start')
    await running.shows(/plugins are up/)
    await bench.write({ 'mynah.config.yml': 'plugins: [./p.js]\nword: two\n' })
    running.child.kill('SIGUSR2')
    await running.shows(/the word is two/)
    await running.shows(/restarted: p/)
    await bench.write({ 'mynah.config.yml': 'plugins: [' })
    running.child.kill('SIGUSR2')
    await running.shows(/rejected: the host continues as before/)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('finds a host whose path is too long for a socket, and reports that none is running', async () => {
    bench = await Bench.of({ 'mynah.config.yml': '' })
    const { code, err } = await bench.run('reload')
    expect(code).to.equal(1)
    expect(err).to.equal('mynah: no host of mynah.config.yml is running\n    Start it with: mynah start\n')
    const deep = join(...Array.from({ length: 8 }, () => 'a-folder-with-a-long-name'))
    await mkdir(join(bench.folder, deep), { recursive: true })
    await bench.write({ [`${deep}/mynah.config.yml`]: 'plugins: []' })
    const running = bench.start(`start -c ${deep}/mynah.config.yml`)
    await running.shows(/plugins are up/)
    expect((await bench.run(`reload -c ${deep}/mynah.config.yml`)).code).to.equal(0)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('reaches a host after an earlier one was killed', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: []' })
    const first = bench.start('start')
    await first.shows(/plugins are up/)
    await first.signal('SIGKILL')
    const second = bench.start('start')
    await second.shows(/plugins are up/)
    expect((await bench.run('reload')).code).to.equal(0)
    expect(await second.signal('SIGTERM')).to.equal(0)
  })

  it('applies a replaced token of the data folder and of an environment file', async () => {
    const port = await freePort()
    bench = await Bench.of({
      'mynah.config.yml': `plugins: [http-core, management]\nhttp: { port: ${port} }\n`,
      'data/http-token': 'the-token-of-before-0123456789\n',
    })
    const running = bench.start('start')
    await running.shows(/plugins are up/)
    const status = async (token: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}/api/system/status`, { headers: { authorization: `Bearer ${token}` } }))
        .status
    expect(await status('the-token-of-before-0123456789')).to.equal(200)
    await writeFile(join(bench.folder, 'data/new'), 'the-token-of-after-0123456789\n', { mode: 0o600 })
    await rename(join(bench.folder, 'data/new'), join(bench.folder, 'data/http-token'))
    await running.shows(/the token of this host is in data\/http-token/, 2)
    expect(await status('the-token-of-after-0123456789')).to.equal(200)
    expect(await status('the-token-of-before-0123456789')).to.equal(401)
    await rm(join(bench.folder, 'data/http-token'))
    await running.shows(/generated a token; it is in data\/http-token/)
    expect(await status('the-token-of-after-0123456789')).to.equal(401)
    await bench.write({ '.env': 'HTTP_TOKEN=the-token-of-the-environment-0123\n' })
    expect((await bench.run('reload')).code).to.equal(0)
    expect(await status('the-token-of-the-environment-0123')).to.equal(200)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })
})
