// Tests the rule that a failed test file fails the run, and the list of exceptions.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runTests, totalsOf } from './ci-tests.mjs'
import { growth, mayRunAgain, parseList, sourceOf, unsteadyFaults } from './unsteady.mjs'

describe('unsteady tests', () => {
  let folder
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mynah-unsteady-'))
    mkdirSync(join(folder, 'test'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Returns a command that counts its runs, reports `file` as failed, and fails until run number `passesAt`. */
  const fakeMocha = (file, passesAt) => {
    const counter = join(folder, 'runs')
    const script = join(folder, 'mocha.mjs')
    writeFileSync(counter, '0')
    writeFileSync(
      script,
      `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
const run = Number(readFileSync(${JSON.stringify(counter)}, 'utf8')) + 1
writeFileSync(${JSON.stringify(counter)}, String(run))
const failed = run < ${passesAt}
console.log(failed ? '  3 passing (1s)\\n  1 failing' : '  4 passing (1s)')
if (failed && process.env.MYNAH_FAILED) appendFileSync(process.env.MYNAH_FAILED, ${JSON.stringify(`${file}\n`)})
process.exitCode = failed ? 1 : 0
`,
    )
    return { command: [process.execPath, script], runs: () => Number(readFileSync(counter, 'utf8')) }
  }
  const runFake = async (list, passesAt) => {
    const { command, runs } = fakeMocha(join(folder, 'test/a.test.mjs'), passesAt)
    const totals = await runTests({
      command,
      again: command,
      list: parseList(list),
      seconds: 30,
      from: folder,
      write: () => {},
    })
    return { ...totals, runs: runs() }
  }

  it('fail the run at the first failure', async () => {
    expect(await runFake('', 2)).to.deep.equal({ passed: 3, failed: 1, runs: 1 })
    expect(await runFake('test/other.test.mjs  a reason', 2)).to.deep.equal({ passed: 3, failed: 1, runs: 1 })
  })

  it('run once more if they are in the list', async () => {
    expect(await runFake('test/a.test.mjs  a reason', 2)).to.deep.equal({ passed: 4, failed: 0, runs: 2 })
    expect(await runFake('test/a.test.mjs  a reason', 3)).to.deep.equal({ passed: 3, failed: 1, runs: 2 })
  })

  it('do not run again after a success', async () => {
    expect(await runFake('test/a.test.mjs  a reason', 1)).to.deep.equal({ passed: 4, failed: 0, runs: 1 })
  })

  it('stop at the time limit', async () => {
    const command = [process.execPath, '-e', 'setInterval(() => {}, 1000)']
    expect(await runTests({ command, again: command, list: [], seconds: 0.3, write: () => {} })).to.deep.equal({
      passed: 0,
      failed: 1,
    })
  })

  it('count as one where a command reports no tests', () => {
    expect(totalsOf('', 0)).to.deep.equal({ passed: 1, failed: 0 })
    expect(totalsOf('  7 passing', 1)).to.deep.equal({ passed: 7, failed: 1 })
    expect(totalsOf('  7 passing\n  2 failing', 1)).to.deep.equal({ passed: 7, failed: 2 })
  })

  it('are listed by path and reason', () => {
    expect(parseList('# comment\n\na.test.ts  slow disk\n')).to.deep.equal([{ path: 'a.test.ts', reason: 'slow disk' }])
    for (const line of ['a.test.ts', 'a.test.ts slow', '  a.test.ts  slow'])
      expect(() => parseList(line)).to.throw(line)
  })

  it('are found by their source', () => {
    mkdirSync(join(folder, 'plugins/a/src/test'), { recursive: true })
    writeFileSync(join(folder, 'plugins/a/src/test/b.test.ts'), '')
    mkdirSync(join(folder, 'console/test'), { recursive: true })
    writeFileSync(join(folder, 'console/test/c.test.ts'), '')
    for (const [compiled, source] of [
      ['plugins/a/dist/test/b.test.js', 'plugins/a/src/test/b.test.ts'],
      ['console/test/dist/test/c.test.js', 'console/test/c.test.ts'],
      ['tools/d.test.mjs', 'tools/d.test.mjs'],
    ]) {
      expect(sourceOf(compiled, folder)).to.equal(source)
      expect(sourceOf(join(folder, compiled), folder)).to.equal(source)
    }
    const list = parseList('plugins/a/src/test/b.test.ts  slow')
    expect(mayRunAgain(['plugins/a/dist/test/b.test.js'], list, folder)).to.equal(true)
    expect(mayRunAgain(['plugins/a/dist/test/b.test.js', 'x.js'], list, folder)).to.equal(false)
    expect(mayRunAgain([], list, folder)).to.equal(false)
  })

  it('are never added to the list', () => {
    const git = (...args) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], { cwd: folder, stdio: 'pipe' })
    const write = (text) => writeFileSync(join(folder, 'test/unsteady.txt'), text)
    for (const name of ['a', 'b']) writeFileSync(join(folder, `test/${name}.test.ts`), '')
    const [a, b] = ['test/a.test.ts  slow\n', 'test/b.test.ts  slow\n']
    expect(growth(parseList(a + b), parseList(a))).to.deep.equal(['test/b.test.ts'])
    write(a + b)
    expect(unsteadyFaults(folder), 'without history').to.deep.equal([])
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'one')
    write(a)
    expect(unsteadyFaults(folder)).to.deep.equal([])
    git('commit', '-qam', 'two')
    write(a + b)
    expect(unsteadyFaults(folder)).to.have.length(1)
    git('commit', '-qam', 'three')
    expect(unsteadyFaults(folder), 'after a commit').to.have.length(1)
    write('test/gone.test.ts  slow\n')
    expect(unsteadyFaults(folder)).to.have.length(2)
  })
})
