import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { plugins } from '@mynah/contract'
import { mistakesIn } from '@mynah/contract/validate'
import { HostPaths } from '@mynah/kernel'
import { failurePlace } from './failure-place.js'
import { DEMO, startManagement } from './test/support.js'

interface Failing {
  readonly setup: () => void
}

const BROKEN = "export default {\n  name: 'broken',\n  setup() {\n    throw new Error('no luck')\n  },\n}\n"

describe('failurePlace', () => {
  let root: string
  let outside: string
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'mynah-failure-'))
    outside = await mkdtemp(join(tmpdir(), 'mynah-outside-'))
    await write(join(outside, 'secret.js'), 'export const secret = 1\n')
  })
  after(async () => {
    await rm(root, { recursive: true })
    await rm(outside, { recursive: true })
  })

  async function write(file: string, text: string): Promise<string> {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    return file
  }
  const originOf = (file: string) => ({ url: pathToFileURL(file).href, filename: 'broken.js', filePath: 'broken.js' })
  const place = (error: Error, file: string, redact = (text: string): string => text) =>
    failurePlace({ error, origin: originOf(file) }, root, redact)

  /** Returns what the setup of a module throws. */
  async function thrownBy(file: string): Promise<Error> {
    const { default: plugin } = (await import(pathToFileURL(file).href)) as { default: Failing }
    try {
      plugin.setup()
    } catch (error) {
      return error as Error
    }
    throw new Error('nothing was thrown')
  }

  it('returns the line that has thrown with the lines around it', async () => {
    const file = await write(join(root, 'plugins/broken.js'), BROKEN)
    const found = await place(await thrownBy(file), file)
    expect(found).to.deep.include({ file: 'plugins/broken.js', line: 4, column: 11 })
    expect(found?.lines).to.deep.equal(BROKEN.split('\n').map((text, index) => ({ number: index + 1, text })))
  })

  it('finds the place of a cause', async () => {
    const file = await write(join(root, 'cause.mjs'), BROKEN)
    const error = new Error('it failed to start', { cause: await thrownBy(file) })
    error.stack = ''
    expect(await place(error, file)).to.include({ file: 'cause.mjs', line: 4 })
  })

  it('finds the place that a message names, in the file or one that it imports', async () => {
    const file = await write(join(root, 'bot/index.js'), "import './lib/a.ts'\n")
    await write(join(root, 'bot/lib/a.ts'), 'const one = 1\nconst two = ;\n')
    const error = new Error("./bot cannot be loaded: bot/lib/a.ts:2:13: Unexpected token ';' in: const two = ;")
    error.stack = ''
    expect(await place(error, file)).to.deep.include({ file: 'bot/lib/a.ts', line: 2, column: 13 })
    const noColumn = new Error('bot/index.js:1: wrong')
    expect(await place(noColumn, file)).to.not.have.property('column')
  })

  it('shows no file but the sources of the plugin', async () => {
    const file = await write(join(root, 'own/broken.js'), BROKEN)
    await write(join(root, 'mynah.config.yml'), 'http: { token: secret }\n')
    await write(join(root, 'own/.env'), 'TOKEN=secret\n')
    await write(join(root, 'own/.hidden/a.js'), '1\n')
    await write(join(root, 'own/notes.txt'), '1\n')
    await write(join(root, 'own/node_modules/other/index.js'), '1\n')
    await write(join(root, 'other/index.js'), '1\n')
    await symlink(join(outside, 'secret.js'), join(root, 'own/linked.js'))
    for (const named of [
      'mynah.config.yml:1:1',
      'own/.env:1:1',
      'own/.hidden/a.js:1:1',
      'own/notes.txt:1:1',
      'own/node_modules/other/index.js:1:1',
      'other/index.js:1:1',
      'own/linked.js:1:1',
      'own/../../../etc/hosts.js:1:1',
      'own/gone.js:1:1',
      `${join(outside, 'secret.js')}:1:1`,
    ]) {
      const error = new Error(`failed at ${named}: bad`)
      error.stack = `Error\n    at setup (${pathToFileURL(join(root, named.replace(/:1:1$/, ''))).href}:1:1)`
      expect(await place(error, file), named).to.equal(undefined)
    }
  })

  it('shows nothing of a package, of a plugin outside of the folder, and without an error', async () => {
    const installed = await write(join(root, 'node_modules/mynah-plugin-x/index.js'), BROKEN)
    expect(await place(await thrownBy(installed), installed)).to.equal(undefined)
    const elsewhere = await write(join(outside, 'broken.js'), BROKEN)
    expect(await place(await thrownBy(elsewhere), elsewhere)).to.equal(undefined)
    expect(await failurePlace({ origin: originOf(elsewhere) }, root, String)).to.equal(undefined)
    expect(await failurePlace({ error: new Error('x') }, root, String)).to.equal(undefined)
  })

  it('shows no line that is not there, and nothing of a file of more than a megabyte', async () => {
    const file = await write(join(root, 'short.js'), '1\n')
    for (const line of [0, 3, 9_999_999])
      expect(await place(new Error(`short.js:${line}:1: x`), file)).to.equal(undefined)
    const large = await write(join(root, 'large.js'), `1\n${' '.repeat(1024 * 1024)}`)
    expect(await place(new Error('large.js:1:1: x'), large)).to.equal(undefined)
  })

  it('shortens long lines and removes secrets', async () => {
    const file = await write(join(root, 'long.js'), `const key = 'abcdef'\n${'x'.repeat(2_000)}\n`)
    const found = await place(new Error('long.js:1:7: x'), file, (text) => text.replaceAll('abcdef', '***'))
    expect(found?.lines.map(({ text }) => text)).to.deep.equal(["const key = '***'", `${'x'.repeat(300)}…`, ''])
  })

  it('is served to tokens that may do everything only', async () => {
    const file = await write(join(root, 'served/broken.mjs'), BROKEN)
    const { default: plugin } = (await import(pathToFileURL(file).href)) as { default: object }
    const api = await startManagement([{ plugin: plugin as never, origin: originOf(file) }], {
      services: [[HostPaths, { root, data: join(root, 'data') }]],
    })
    try {
      const answer = await api.call('/plugins/broken/failure')
      expect(mistakesIn(plugins.rest['GET /plugins/:name/failure'].data, answer.body.data)).to.deep.equal([])
      expect(answer.body.data).to.have.nested.property('place.file', 'served/broken.mjs')
      expect(answer.text).to.not.contain(root)
      expect((await api.call('/plugins/management/failure')).body.data).to.deep.equal({})
      expect((await api.call('/plugins/nobody/failure')).status).to.equal(404)
      expect((await api.call('/plugins/broken/failure', { token: DEMO })).status).to.equal(403)
    } finally {
      await api.host.stop()
    }
  })
})
