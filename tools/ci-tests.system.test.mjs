// Tests what fails the gate: a test file that fails three times, many files with a failure, or a run that was cut off.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runTests, totalsOf } from './ci-tests.mjs'
import { root } from './lib.mjs'

describe('tests of the gate', () => {
  let folder
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mynah-ci-test-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const reporter = join(root, 'tools/reporter.cjs')
  const mocha = [process.execPath, join(root, 'node_modules/mocha/bin/mocha.js'), '--no-config', '--reporter', reporter]

  /** Writes a test file whose second test fails until the file has run `passesAt` times. */
  function testFile(name, passesAt) {
    const file = join(folder, `${name}.test.cjs`)
    const runs = join(folder, `${name}.runs`)
    writeFileSync(runs, '0')
    writeFileSync(
      file,
      `const { readFileSync, writeFileSync } = require('node:fs')
const run = Number(readFileSync(${JSON.stringify(runs)}, 'utf8')) + 1
writeFileSync(${JSON.stringify(runs)}, String(run))
describe('${name}', () => {
  it('works', () => {})
  it('is steady', () => { if (run < ${passesAt}) throw new Error('too early: run ' + run + '\\nsecond line') })
})
`,
    )
    return { file, runs: () => Number(readFileSync(runs, 'utf8')) }
  }
  const runFiles = (...files) =>
    runTests({
      command: [...mocha, '--parallel', ...files.map(({ file }) => file)],
      again: mocha,
      seconds: 60,
      write() {},
    })
  const line = (file, why = 'too early: run 1') => {
    const name = file.slice(folder.length + 1).replace('.test.cjs', '')
    return new RegExp(`^unsteady: \\S+/${name}\\.test\\.cjs: ${name} is steady: ${why}$`)
  }

  it('do not run again after a success', async () => {
    const file = testFile('a', 1)
    expect(await runFiles(file)).to.deep.equal({ passed: 2, failed: 0, unsteady: [] })
    expect(file.runs()).to.equal(1)
  })

  it('are named where they pass at the second or the third run', async () => {
    const [steady, second, third] = [testFile('a', 1), testFile('b', 2), testFile('c', 3)]
    const { passed, failed, unsteady } = await runFiles(steady, second, third)
    expect({ passed, failed }).to.deep.equal({ passed: 6, failed: 0 })
    expect(unsteady).to.have.length(2)
    expect(unsteady.find((text) => text.includes('/b.'))).to.match(line(second.file))
    expect(unsteady.find((text) => text.includes('/c.'))).to.match(line(third.file))
    expect([steady.runs(), second.runs(), third.runs()]).to.deep.equal([1, 2, 3])
  })

  it('fail where a file fails three times', async () => {
    const file = testFile('a', 4)
    expect(await runFiles(file, testFile('b', 1))).to.deep.equal({ passed: 3, failed: 1, unsteady: [] })
    expect(file.runs()).to.equal(3)
  })

  it('fail at once where more than six files fail', async () => {
    const six = Array.from('abcdef', (name) => testFile(name, 2))
    expect((await runFiles(...six)).unsteady).to.have.length(6)
    const seven = Array.from('abcdefg', (name) => testFile(name, 2))
    expect(await runFiles(...seven)).to.deep.equal({ passed: 7, failed: 7, unsteady: [] })
    expect(seven[0].runs()).to.equal(1)
  })

  it('name a hook that fails, by its file', async () => {
    const file = join(folder, 'hook.test.cjs')
    writeFileSync(
      file,
      `describe('hook', () => {
  beforeEach(() => { if (process.env.MYNAH_FAILED) throw new Error('not ready') })
  it('works', () => {})
})
`,
    )
    const { failed, unsteady } = await runFiles({ file })
    expect(failed).to.equal(0)
    expect(unsteady.join('\n')).to.match(/hook\.test\.cjs: hook "before each" hook .*: not ready$/)
  })

  it('stop at the time limit', async () => {
    const command = [process.execPath, '-e', 'setInterval(() => {}, 1000)']
    expect(await runTests({ command, again: command, seconds: 0.3, write() {} })).to.deep.equal({
      passed: 0,
      failed: 1,
      unsteady: [],
    })
  })

  it('count as one where a command reports no tests', () => {
    expect(totalsOf('', 0)).to.deep.equal({ passed: 1, failed: 0 })
    expect(totalsOf('  7 passing', 1)).to.deep.equal({ passed: 7, failed: 1 })
    expect(totalsOf('  7 passing\n  2 failing', 1)).to.deep.equal({ passed: 7, failed: 2 })
  })

  it('write the totals for the shell', () => {
    const result = join(folder, 'result')
    const args = [join(root, 'tools/ci-tests.mjs'), result, '60', ...mocha, testFile('a', 2).file]
    expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).to.include({ status: 0 })
    expect(readFileSync(result, 'utf8')).to.equal('2 0\n')
  })
})
