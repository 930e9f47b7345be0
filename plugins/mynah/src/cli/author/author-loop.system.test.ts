// The loop of an author: types and a page with a running host, and failures until they are fixed.
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { AuthorBench, pageSource, pluginSource, VITE_CONFIG } from '../../test/author-bench.js'

/** Stands for the browser of the system: it notes what it has to open. */
const BROWSER = `#!${process.execPath}
import { renameSync, writeFileSync } from 'node:fs'
writeFileSync('opened.part', process.argv[2])
renameSync('opened.part', 'opened.txt')
`

describe('the loop of an author', function () {
  this.timeout(240_000)
  let author: AuthorBench
  afterEach(() => author.stop())
  const settled = (): Promise<unknown> =>
    author.statusWhere(({ types, page }) => types === 'passed' && page === 'passed', 'both checks to pass')

  it('names a mistake in types, and one of a page, with its place until it is fixed', async () => {
    author = await AuthorBench.start()
    await settled()
    expect(await author.status()).to.deep.equal({ failures: [], total: 0, types: 'passed', page: 'passed' })
    const before = await author.pageModule()
    const page = await author.servedPage()
    expect(page).to.contain('Welcome')

    await author.bench.write({ 'src/index.ts': pluginSource('typed', "const count: number = 'one'; void count") })
    await author.running.shows(/it says typed/)
    const typed = await author.statusWhere(({ types }) => types === 'failed', 'the mistake in the types')
    expect(typed.failures[0]).to.deep.include({
      part: 'types',
      location: { file: 'src/index.ts', line: 10, column: 11 },
    })
    expect(typed.failures[0]?.message).to.contain("Type 'string' is not assignable to type 'number'")
    await author.running.shows(/types: src\/index\.ts:10:11: TS2322/)

    await author.bench.write({ 'client/src/index.tsx': `${pageSource('Good day')}const broken = (\n` })
    const both = await author.statusWhere(
      ({ total, page }) => page === 'failed' && total > 1,
      'the mistake of the page',
    )
    const ofPage = both.failures.find(({ part }) => part === 'page')
    expect(ofPage?.location?.file).to.equal('client/src/index.tsx')
    await author.running.shows(/page: client\/src\/index\.tsx:\d+:\d+: /)
    expect(await author.pageModule(), 'the page of before is served').to.equal(before)
    expect(await author.servedPage()).to.equal(page)

    await author.bench.write({ 'client/src/index.tsx': pageSource('Good day'), 'src/index.ts': pluginSource('fixed') })
    await settled()
    expect((await author.status()).failures).to.deep.equal([])
    await author.running.shows(/types: no mistakes any more/)
    await author.running.shows(/page: no mistakes any more/)
    expect(await author.pageModule()).not.to.equal(before)
    expect(await author.servedPage()).to.contain('Good day')
    expect(author.running.out, 'a page is no reason for a restart').not.to.contain('restarting')
    expect(existsSync(join(author.bench.folder, 'dist')), 'nothing is written but the page').to.equal(false)
    expect(await author.running.signal('SIGINT')).to.equal(0)
  })

  it('keeps a failure of code until its plugin runs again, and names it after other changes', async () => {
    author = await AuthorBench.start('', {
      files: {
        'other.js': "export default { name: 'other', setup(ctx) { ctx.log.info('other is up') } }\n",
        'src/index.ts': pluginSource('nothing', "throw new Error('no such word')"),
      },
    })
    const atStart = await author.statusWhere(({ total }) => total > 0, 'the failure of the start')
    expect(atStart.failures[0]).to.deep.include({
      part: 'code',
      plugin: 'greeter',
      message: 'no such word',
      location: { file: 'src/index.ts', line: 10, column: 11 },
    })
    await author.bench.write({ 'src/index.ts': pluginSource('hello again') })
    await author.running.shows(/it says hello again/)
    await author.statusWhere(({ total }) => total === 0, 'the fixed start')

    await author.bench.write({ 'src/index.ts': `${pluginSource('syntax')}const broken = (\n` })
    const syntax = await author.statusWhere(({ failures }) => failures[0]?.part === 'code', 'the syntax mistake')
    expect(syntax.failures[0]).to.include({ plugin: 'greeter' })
    expect(syntax.failures[0]?.location?.file).to.equal('src/index.ts')
    await author.running.shows(/greeter keeps its code before/)

    await author.bench.write({ 'src/index.ts': pluginSource('setup', "throw new Error('not today')") })
    const setup = await author.statusWhere(
      ({ failures }) => failures[0]?.message.includes('not today') === true,
      'the failure of setup',
    )
    expect(setup.failures[0]?.location).to.deep.equal({ file: 'src/index.ts', line: 10, column: 11 })

    await author.bench.write({ 'src/index.ts': pluginSource('at last') })
    await author.running.shows(/it says at last/)
    await author.statusWhere(({ total }) => total === 0, 'no failure')
  })

  it('builds a page again when the configuration of Vite is fixed', async () => {
    author = await AuthorBench.start('', { files: { 'client/vite.config.js': 'export default {\n' } })
    const broken = await author.statusWhere(({ page }) => page === 'failed', 'the refused configuration')
    expect(broken.failures.map(({ part }) => part)).to.include('page')
    await author.bench.write({ 'client/vite.config.js': VITE_CONFIG })
    await settled()
    expect(await author.pageModule()).to.match(/\?v=/)
  })

  it('opens the console on the page of the plugin, with a link that others cannot read', async () => {
    author = await AuthorBench.start('--console=0 --open', {
      files: { 'browser.mjs': BROWSER },
      executable: 'browser.mjs',
      env: { BROWSER: './browser.mjs' },
    })
    await until(() => existsSync(join(author.bench.folder, 'opened.txt')), 'the browser')
    const file = fileURLToPath(await author.read('opened.txt'))
    expect(file).to.equal(join(author.bench.folder, 'data/open-console.html'))
    expect((await stat(file)).mode & 0o777).to.equal(0o600)
    expect(await author.read('data/open-console.html')).to.match(/url=http:\/\/127\.0\.0\.1:\d+\/greeter\?apiBaseUrl=/)
    expect(author.running.out).not.to.contain('full-token-of-author-tests')
    expect(await author.running.signal('SIGINT')).to.equal(0)
    expect(existsSync(file), 'the link is removed at the end').to.equal(false)
  })
})
