// Runs lines that the rule `make test` lets through in bash: there the command is always the one that the rule names.
import { expect } from 'chai'
import { spawnSync, type SpawnSyncOptions } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evaluateCommand, type OwnerRules } from './index.js'
import { Random } from '../test/differential/generate.js'
import { cases } from '../test/long.js'
import { policy } from '../test/policies.js'
import { ruledLine } from '../test/ruled/generate.js'

const LINES = cases(60, 2000)
const SEED = Number(process.env.MYNAH_DIFFERENTIAL_SEED ?? 20260101)
/** Everything else is listed, at the level that asks least, or has a rule of its own. */
const LISTED = policy({
  execApprovalMode: 'ask',
  level: 'wall',
  trust: 'listed',
  execAllowlist: (
    'cat true bash sh find cd pushd export read printf declare set unset : alias trap umask shift hash shopt let ' +
    'mapfile source f1 f2 f3 wait xargs'
  ).split(' '),
})
const RULES: OwnerRules = {
  bashAlways: false,
  bashRules: ['make test', '\\w+\\(\\) .*', 'coproc .*', '(?:PATH|IFS|FOO)=\\S*'].map((pattern) => ({
    id: pattern,
    pattern,
  })),
}
/** Writes down how it was started. Descriptors are read before anything is opened. */
const MAKE = `#!/bin/bash
links=$(for n in 0 1 2 3 4 5 6 10; do [ -e /proc/$$/fd/$n ] && readlink /proc/$$/fd/$n; done)
l=; case $links in */dev/null*|*pipe:*|*/e*) read -t 0.2 -r l;; esac
printf '%s\\n' "args=$*" "cwd=$(/bin/pwd) $PWD" "FOO=$FOO HOME=$HOME PATH=$PATH $(umask)" "input=$l" $links --- >> "\${0%/*}/log"
`

describe('evaluateCommand: what a rule lets through', function () {
  this.timeout(600_000)
  let folder = ''
  const bin = (name: string): string => join(folder, '.bin', name)
  before(async function () {
    if (process.platform !== 'linux') return this.skip()
    folder = await realpath(await mkdtemp(join(tmpdir(), 'mynah-ruled-')))
    for (const name of ['.bin', 'src', 'sub']) await mkdir(join(folder, name))
    for (const name of ['e', 'sub/e']) await writeFile(join(folder, name), 'evil\n')
    await writeFile(join(folder, 'sub/keep'), '')
    await writeFile(bin('make'), MAKE)
    await chmod(bin('make'), 0o755)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  /** Runs a line. Returns how each `make` was started. */
  function runsOf(line: string): readonly string[] {
    const env = { PATH: `${bin('')}:${process.env.PATH ?? ''}`, HOME: folder, FOO: 'good' }
    const options: SpawnSyncOptions = { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 10_000 }
    // It ends the processes that a line has started, too.
    spawnSync('timeout', ['-s', 'KILL', '5', 'bash', '--norc', '-c', line], options)
    const log = existsSync(bin('log')) ? readFileSync(bin('log'), 'utf8') : ''
    return log.split('---\n').filter((run) => run !== '')
  }

  it(`is the same command in each of ${LINES} lines`, async () => {
    const random = new Random(SEED)
    const [alone = ''] = runsOf('make test')
    const plain = alone.split('\n').slice(0, 4).join('\n')
    expect(plain).to.contain('args=test').and.contain('FOO=good')
    const broken: string[] = []
    const count = { ruled: 0, ran: 0 }
    while (count.ruled < LINES) {
      const line = ruledLine(random)
      const { verdict, parts } = evaluateCommand(line, LISTED, RULES)
      if (verdict !== 'allow' || !parts.some(({ rule }) => rule === 'owner-rule:make test')) continue
      count.ruled += 1
      for (const name of [bin('log'), join(folder, 'f')]) await rm(name, { force: true })
      const runs = runsOf(line)
      if (runs.length > 0) count.ran += 1
      const wrong = runs.find((run) => {
        const [input = '', ...outputs] = run.split('\n').slice(4, -1)
        const isRedirected = outputs.some((link) => !/^(?:pipe|socket):|^\/dev\/null$/.test(link))
        return !run.startsWith(`${plain}\n`) || input !== '/dev/null' || isRedirected
      })
      if (wrong !== undefined) broken.push(`${line}  # ${wrong}`)
    }
    expect(broken).to.deep.equal([])
    expect(count.ran, 'most lines run it').to.be.greaterThan(LINES / 2)
  })
})
