import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkFile, loadHost } from '../loader.js'
import { parseDocument } from './document.js'
import { Planner } from './plan.js'
import { folder, removeFolders } from '../test/folder.js'

const SOURCE =
  "export default { name: 'p', config: { key: 'p', schema: { type: 'object', " +
  "additionalProperties: { type: 'integer' } } } }\n"
const MANY = 100_000
const keys = (count: number, value = (index: number): string => String(index)): string =>
  Array.from({ length: count }, (_, index) => `  key${index}: ${value(index)}\n`).join('')

// Quadratic work takes longer than the limit of a test here.
describe('a file with very many keys', function () {
  afterEach(removeFolders)

  it('is loaded', async () => {
    const root = await folder({ 'mynah.config.yml': 'plugins: [./p.js]\np: { a: 1 }\n', 'p.js': SOURCE })
    await writeFile(join(root, 'mynah.config.yml'), `plugins: [./p.js]\np:\n${keys(MANY)}`)
    expect((await loadHost(join(root, 'mynah.config.yml'), { env: {} })).problems).to.deep.equal([])
  })

  it('is checked, with the line of each mistake', async () => {
    const root = await folder({
      'mynah.config.yml': `plugins: [./p.js]\np:\n${keys(MANY, () => '${GONE}')}`,
      'p.js': SOURCE,
    })
    const [problem] = await checkFile(join(root, 'mynah.config.yml'), { env: {} })
    expect(problem?.message)
      .to.contain('p.key0 (line 3)')
      .and.to.contain(`p.key${MANY - 1} (line ${MANY + 2})`)
  })

  it('has a line for every key, each found at once', () => {
    const { document } = parseDocument(`p:\n${keys(MANY)}`, 'f.yml')
    for (let index = 0; index < MANY; index++) expect(document?.place(`p.key${index}`).line).to.equal(index + 2)
  })
})

describe('Planner.check', () => {
  afterEach(removeFolders)

  it('does not change the environment, though plugins see it as it would be', async () => {
    const root = await folder({
      '.env': 'LOOKED=file\nREAL=file',
      'p.js':
        "export default { name: 'p', config: { key: 'p', schema: { type: 'object' }, check: () => [{ path: 'p', " +
        "message: 'sees ' + globalThis.mynahLooked.LOOKED + ' and ' + globalThis.mynahLooked.REAL }] } }\n",
    })
    const env: Record<string, string | undefined> = { REAL: 'real' }
    ;(globalThis as { mynahLooked?: unknown }).mynahLooked = env
    const planner = new Planner(root, 'c.yml', { env, bases: [] })
    const looking = planner.check('plugins: [./p.js]\nwhatever: ${LOOKED}\n')
    const seen: unknown[] = []
    for (let turn = 0; turn < 20; turn++) {
      seen.push({ ...env })
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await looking).map(({ message }) => message)).to.deep.equal([
      'p sees file and real',
      'whatever is read by no plugin',
    ])
    expect(new Set(seen.map((found) => JSON.stringify(found)))).to.deep.equal(new Set(['{"REAL":"real"}']))
    expect(env).to.deep.equal({ REAL: 'real' })
    const taken = await planner.plan('plugins: [./p.js]\nwhatever: ${LOOKED}\n')
    expect({ env: { ...env }, values: taken.values }).to.deep.equal({
      env: { REAL: 'real', LOOKED: 'file' },
      values: { plugins: ['./p.js'], whatever: 'file' },
    })
    taken.undo()
    expect(env).to.deep.equal({ REAL: 'real' })
    delete (globalThis as { mynahLooked?: unknown }).mynahLooked
  })
})

describe('a fatal mistake', () => {
  afterEach(removeFolders)

  it('ends the start, while other mistakes of its section do not', async () => {
    const check = (found: string): string =>
      `export default { name: 'p', config: { key: 'p', schema: { type: 'object' }, check: () => ${found} } }\n`
    const root = await folder({
      'c.yml': 'plugins: [./p.js]\np: { a: 1 }\n',
      'p.js': check(`[{ path: 'p.b', message: 'is odd' }, { path: 'p.a', message: 'is gone', fatal: true }]`),
    })
    const problems = await checkFile(join(root, 'c.yml'), { env: {} })
    expect(problems.map(({ severity, code, place }) => [severity, code, place?.line])).to.deep.equal([
      ['plugin', 'config/invalid', 2],
      ['fatal', 'config/invalid', 2],
    ])
    expect(
      await loadHost(join(root, 'c.yml'), { env: {} }).then(
        () => 'loaded',
        (error: Error) => error.name,
      ),
    ).to.equal('ConfigurationError')
  })
})
