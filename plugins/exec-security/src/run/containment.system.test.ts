// Tests that commands end with their call even if they leave its group, and that none of them gets the environment of
// the host.
import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { runCommand } from './run-command.js'
import { TestLevels } from '../test/levels.js'
import { LEAVES, SHOWS } from '../test/families/runtime.js'
import { until } from '../test/host.js'
import { cases } from '../test/long.js'

const SECRET = 'MARKER-OF-THE-HOST'
/** Few leave nothing behind here, for want of a program. */
const SHARE = 0.6
const LEVELS = ['none', 'files', 'wall'] as const

const some = <T>(all: readonly T[]): readonly T[] =>
  all.filter((_, i) => i % Math.ceil(all.length / cases(3, Infinity)) === 0)

function isRunning(pid: number): boolean {
  const stat = `/proc/${pid}/stat`
  // A process can be called like the rest of its line.
  const [, state = 'X'] = (existsSync(stat) && /.*\) (\S)/s.exec(readFileSync(stat, 'utf8'))) || []
  return !/[ZX]/.test(state)
}

/** The group of a process, or undefined when it has gone. */
function groupOf(pid: number): number | undefined {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  return stat === '' ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
}

describe('containment of a running command', function () {
  this.timeout(600_000)
  let cwd: string
  let levels: TestLevels
  const pids = (): number[] =>
    existsSync(join(cwd, 'pids')) ? readFileSync(join(cwd, 'pids'), 'utf8').split('\n').filter(Boolean).map(Number) : []
  const alive = (): number[] => pids().filter(isRunning)
  const end = async (): Promise<void> => {
    for (const pid of alive()) process.kill(pid, 'SIGKILL')
    await until(() => alive().length === 0, 'what was left is gone')
    await rm(join(cwd, 'pids'), { force: true })
  }
  before(async function () {
    if (process.platform !== 'linux') skipBecause(this, 'Linux only')
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'mynah-leaves-')))
    levels = await TestLevels.open()
    await writeFile(join(cwd, 'stay'), '#!/bin/sh\necho $$ >> pids\nexec tail -f /dev/null\n')
    await chmod(join(cwd, 'stay'), 0o755)
  })
  afterEach(end)
  after(async () => {
    await levels?.close()
    if (cwd !== undefined) await rm(cwd, { recursive: true, force: true })
  })

  it(`ends processes that leave its group in ${LEAVES.length} ways, which bash leaves behind`, async () => {
    expect(LEAVES.length).to.be.at.least(100)
    let left = 0
    const chosen = some(LEAVES)
    for (const command of chosen) {
      const bash = spawn('bash', ['--noprofile', '--norc', '-c', command], { cwd, stdio: 'ignore', detached: true })
      await once(bash, 'exit')
      await until(() => pids().length > 0, `it stays: ${command}`)
      if (alive().some((pid) => groupOf(pid) !== bash.pid)) left += 1
      await end()
      for (const level of LEVELS.filter((one) => levels.missing(one) === undefined)) {
        const launcher = levels.launcher(level, await levels.view({ cwd }))
        const result = await runCommand(`${command}\nwhile [ ! -s pids ]; do sleep 0.01; done`, {
          cwd,
          limitMs: 20_000,
          launcher,
        })
        expect(result.timedOut, command).to.equal(false)
        // In a view the numbers are its own.
        if (level !== 'wall')
          await until(() => alive().length === 0, `it is ended: ${command}; ${result.leftovers.join()}`)
        await rm(join(cwd, 'pids'), { force: true })
      }
    }
    expect(left, 'bash leaves them').to.be.at.least(Math.ceil(chosen.length * SHARE))
  })

  it('ends a process that is called like a line of the process table, and one that comes while it ends others', async () => {
    const named = `printf 'x) Z 1 1' > /proc/$$/comm; echo $$ >> pids; while :; do read -rt 9 _ <> <(:); done`
    const forking = 'echo $$ >> pids; ( "$BASH" "$0" & ); exit'
    await writeFile(join(cwd, 'named'), named)
    await writeFile(join(cwd, 'forking'), `[ $(wc -l < pids) -lt 60 ] || exec sleep 600; ${forking}`)
    for (const level of ['none', 'files'] as const) {
      if (levels.missing(level) !== undefined) continue
      for (const name of ['named', 'forking']) {
        const launcher = levels.launcher(level, await levels.view({ cwd }))
        const start = `touch pids; env -i setsid bash ${name} < /dev/null > /dev/null 2>&1 &`
        await runCommand(`${start} while [ ! -s pids ]; do :; done`, { cwd, limitMs: 20_000, launcher })
        expect(alive(), `${name} at level ${level}`).to.deep.equal([])
        await rm(join(cwd, 'pids'), { force: true })
      }
    }
  })

  it(`hides the environment of the host in ${SHOWS.length} ways, in which bash shows it`, async () => {
    expect(SHOWS.length).to.be.at.least(100)
    let shown = 0
    const chosen = some(SHOWS)
    for (const { name, command } of chosen) {
      const own = process.env[name]
      process.env[name] = SECRET
      try {
        const bash = spawn('bash', ['--noprofile', '--norc', '-c', command], {
          cwd,
          stdio: ['ignore', 'pipe', 'ignore'],
        })
        let said = ''
        bash.stdout.setEncoding('latin1').on('data', (text: string) => {
          said += text
        })
        await once(bash, 'close')
        if (said.includes(SECRET)) shown += 1
        const { output } = await runCommand(command, { cwd, limitMs: 20_000 })
        expect(output, `${name}: ${command}`).to.not.contain(SECRET)
      } finally {
        if (own === undefined) delete process.env[name]
        else process.env[name] = own
      }
    }
    expect(shown, 'bash shows them').to.be.at.least(Math.ceil(chosen.length * SHARE))
  })
})
