// Tests how `.ci/run` counts tests, and when it runs failed files again.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runTests, totalsOf } from './ci-tests.mjs'

describe('tests of a CI run', () => {
  let folder
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mynah-ci-tests-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs a command that reports `files` as failed until run number `passesAt`. Returns the totals and all runs. */
  const run = async (files, passesAt) => {
    const counter = join(folder, 'runs')
    const script = join(folder, 'mocha.mjs')
    writeFileSync(counter, '')
    writeFileSync(
      script,
      `import { appendFileSync, readFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(counter)}, process.argv.slice(2).join(' ') + '\\n')
const failed = readFileSync(${JSON.stringify(counter)}, 'utf8').split('\\n').length - 1 < ${passesAt}
console.log(failed ? '  3 passing (1s)\\n  1 failing' : '  4 passing (1s)')
if (failed && process.env.MYNAH_FAILED)
  for (const file of ${JSON.stringify(files)}) appendFileSync(process.env.MYNAH_FAILED, file + '\\n')
process.exitCode = failed ? 1 : 0
`,
    )
    const command = [process.execPath, script]
    const totals = await runTests({ command, again: command, seconds: 30, write: () => {} })
    return { ...totals, runs: readFileSync(counter, 'utf8').split('\n').slice(0, -1) }
  }

  it('pass at once', async () => {
    expect(await run(['a.js'], 1)).to.deep.equal({ passed: 4, failed: 0, unsteady: [], runs: [''] })
  })

  it('are named where they fail once and pass alone', async () => {
    const runs = ['', 'a.js b.js']
    expect(await run(['a.js', 'b.js', 'a.js'], 2)).to.deep.equal({
      passed: 4,
      failed: 0,
      unsteady: ['a.js', 'b.js'],
      runs,
    })
  })

  it('fail where they fail twice, in many files, or outside of a file', async () => {
    const failed = { passed: 3, failed: 1, unsteady: [] }
    expect(await run(['a.js'], 3)).to.deep.equal({ ...failed, runs: ['', 'a.js'] })
    expect(await run(['a.js', 'b.js', 'c.js'], 2)).to.deep.equal({ ...failed, runs: [''] })
    expect(await run([], 2)).to.deep.equal({ ...failed, runs: [''] })
  })

  it('stop at the time limit, and do not run again', async () => {
    const fails = `require('fs').appendFileSync(process.env.MYNAH_FAILED, 'a.js\\n'); setInterval(() => {}, 1000)`
    const command = [process.execPath, '-e', fails]
    expect(await runTests({ command, again: command, seconds: 0.3, write: () => {} })).to.deep.equal({
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
})
