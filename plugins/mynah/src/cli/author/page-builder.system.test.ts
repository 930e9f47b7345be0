// The processes that build a page, with the real Vite.
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { DevFailure } from '@mynah/contract'
import { systemClock, type Clock } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { authorProject } from './author-project.js'
import { PageBuilder } from './page-builder.js'

const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))
const CONFIG = `export default { build: { lib: { entry: 'src/index.ts', formats: ['es'], fileName: 'index' } } }\n`

describe('PageBuilder', function () {
  this.timeout(240_000)
  let folder: string
  let builder: PageBuilder
  let looks: (() => void)[]
  let results: (readonly DevFailure[])[]

  before(function () {
    // The processes are counted in a list that Linux has.
    if (process.platform !== 'linux') this.skip()
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-pages-'))
    await mkdir(join(folder, 'client', 'src'), { recursive: true })
    await symlink(MODULES, join(folder, 'node_modules'), 'junction')
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
    await writeFile(join(folder, 'client', 'vite.config.js'), CONFIG)
    await writeFile(source(), `export const word = 'first'\n`)
    looks = []
    const clock: Clock = { ...systemClock, setTimeout: (look) => (looks.push(look), () => {}) }
    results = []
    const { pages } = authorProject(folder, [])
    builder = new PageBuilder(pages, {
      root: folder,
      clock,
      onStart() {},
      onResult: (failures) => void results.push(failures),
    })
  })
  afterEach(async () => {
    await builder?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const source = (): string => join(folder, 'client', 'src', 'index.ts')
  /** Returns the ids of the processes of this page that have not ended. */
  const processes = async (): Promise<string[]> => {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const commands = await Promise.all(
      ids.map(async (id) => [id, await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')] as const),
    )
    return commands.filter(([, line]) => line.includes('page-watch') && line.includes(folder)).map(([id]) => id)
  }
  /** Lets the builder look at a change that Vite has missed, a number of times before any process can end. */
  const missed = async (times: number): Promise<void> => {
    const later = new Date(Date.now() + 3_600_000)
    await utimes(source(), later, later)
    for (let count = 0; count < times; count++) {
      builder.changed([source()])
      looks.at(-1)?.()
    }
  }

  it('leaves one process where a page is started again while its former process ends', async () => {
    await until(() => results.length > 0, 'the first build')
    expect(results.at(-1)).to.deep.equal([])
    const [first] = await processes()
    await missed(2)
    const before = results.length
    await until(async () => !(await processes()).includes(first as string), 'the end of the former process')
    await until(() => results.length > before, 'the build of the new one')
    expect(await processes()).to.have.length(1)
    await builder.close()
    expect(await processes()).to.deep.equal([])
  })

  it('leaves none where it is closed while a page is started again', async () => {
    await until(() => results.length > 0, 'the first build')
    await missed(1)
    await builder.close()
    expect(await processes()).to.deep.equal([])
  })
})
