// Tests the root hooks with real runs of mocha over small files.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from './lib.mjs'
import { sourceOf, testFiles } from './test-files.mjs'

const STARTS = `import { spawnSync } from 'node:child_process'
describe('a', () => { it('starts', () => { try { spawnSync('true') } catch {} }) })`
const STARTS_NOTHING = "describe('b', () => { it('starts nothing', () => {}) })"

describe('the suites of tests', () => {
  let folder
  beforeEach(() => {
    folder = mkdtempSync(join(root, '.cache', 'suites-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs files by their texts. Returns the exit code and the whole output. */
  function run(files, { env, args = ['--parallel', '--jobs', '2'] } = {}) {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const mocha = [join(root, 'node_modules/mocha/bin/mocha.js'), '--no-config', '--require', './tools/suites.mjs']
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [...mocha, ...args, ...Object.keys(files).map((name) => join(folder, name))],
        { cwd: root, env: { ...process.env, ...env } },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      )
    })
  }

  for (const args of [[], ['--parallel', '--jobs', '2']])
    describe(args.length ? 'in parallel' : 'one after the other', () => {
      it('accept a file of each kind', async () => {
        const { code, output } = await run({ 'a.test.mjs': STARTS_NOTHING, 'b.system.test.mjs': STARTS }, { args })
        expect(output).to.contain('2 passing')
        expect(code).to.equal(0)
      })

      it('refuse a file of npm test that starts a process, also where it looks away', async () => {
        const { code, output } = await run({ 'a.test.mjs': STARTS, 'b.test.mjs': STARTS_NOTHING }, { args })
        expect(output).to.match(/a\.test\.mjs starts true; name it \*\.system\.test, so that npm run test:system/)
        expect(output).to.contain('1 failing')
        expect(code).to.not.equal(0)
      })

      it('refuse a file of the system suite that starts nothing', async () => {
        const { code, output } = await run({ 'a.system.test.mjs': STARTS_NOTHING }, { args })
        expect(output).to.match(/a\.system\.test\.mjs starts nothing; take "\.system" out of its name/)
        expect(code).to.not.equal(0)
      })
    })

  for (const [name, text] of [
    ['exec', "import { exec } from 'node:child_process'; it('x', () => new Promise((end) => exec('true', end)))"],
    ['a method of the module', "import cp from 'node:child_process'; it('x', () => cp.execFileSync('true'))"],
    [
      'require',
      "import { createRequire } from 'node:module'; it('x', () => createRequire(import.meta.url)('child_process').spawn('true'))",
    ],
    [
      'a start while it is loaded',
      "import { execSync } from 'node:child_process'; execSync('true'); it('x', () => {})",
    ],
    [
      'a connection beyond this machine',
      "import net from 'node:net'; it('x', () => net.connect(9, '192.0.2.1').on('error', () => {}).destroy())",
    ],
    [
      'a request beyond this machine',
      "it('x', () => fetch('http://192.0.2.1:8099', { signal: AbortSignal.timeout(500) }).catch(() => {}))",
    ],
  ])
    it(`notice ${name}`, async () => {
      const { output, code } = await run({ 'a.test.mjs': text })
      expect(output).to.match(/a\.test\.mjs starts /)
      expect(code).to.not.equal(0)
    })

  it('allow connections within this machine', async () => {
    const { code, output } = await run({
      'a.test.mjs': `import http from 'node:http'
it('x', async () => {
  const server = http.createServer((_, response) => response.end('yes')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const answer = await fetch(\`http://127.0.0.1:\${server.address().port}\`)
  if ((await answer.text()) !== 'yes') throw new Error('no')
  server.closeAllConnections()
  server.close()
})`,
    })
    expect(output).to.contain('1 passing')
    expect(code).to.equal(0)
  })

  it('draw the same random cases in each run, and others for another seed', async () => {
    const text = `import fc from 'fast-check'
it('x', () => process.stderr.write(\`drawn \${JSON.stringify(fc.sample(fc.integer(), 3))}\\n\`))`
    const drawn = async (env) => /drawn (.*)/.exec((await run({ 'a.test.mjs': text }, { args: [], env })).output)[1]
    const first = await drawn()
    expect(await drawn()).to.equal(first)
    expect(await drawn({ MYNAH_TEST_SEED: '1' })).to.not.equal(first)
  })

  it('end a file that hangs by its name, and run the others', async () => {
    const { code, output } = await run(
      { 'a.test.mjs': "it('hangs', () => { for (;;); })", 'b.test.mjs': STARTS_NOTHING },
      { env: { MYNAH_FILE_LIMIT_S: '1' } },
    )
    expect(output).to.match(/a\.test\.mjs hangs: ended after 1 s/)
    expect(output).to.contain('1 passing')
    expect(code).to.not.equal(0)
  })

  it('know the files on disk, and the source of each that has run', () => {
    writeFileSync(join(folder, 'x.test.ts'), '')
    writeFileSync(join(folder, 'y.system.test.mjs'), '')
    writeFileSync(join(folder, 'z.ts'), '')
    expect(testFiles(folder).sort()).to.deep.equal(['x.test.ts', 'y.system.test.mjs'])
    writeFileSync(join(folder, 'x.test.js'), '')
    writeFileSync(join(folder, 'x.test.js.map'), JSON.stringify({ sources: ['x.test.ts'] }))
    expect(sourceOf(join(folder, 'x.test.js'))).to.match(/x\.test\.ts$/)
    expect(sourceOf(join(folder, 'y.system.test.mjs'))).to.match(/y\.system\.test\.mjs$/)
  })
})
