// A host that dies leaves nothing behind, whenever it dies.
import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { runCommand } from '../run/run-command.js'
import { TestLevels } from '../test/levels.js'
import { cases } from '../test/long.js'
import { until } from '../test/host.js'

const DELAYS_MS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 60, 200].filter((_, i) => i % cases(5, 1) === 0)
const TRIES = DELAYS_MS.length * cases(1, 3)
/** A host that starts a command and is killed by itself. Its arguments: modules, folder, level, tag and delay. */
const HOST = `
const [levels, runner, cwd, level, tag, delay] = process.argv.slice(1)
const { TestLevels } = await import(levels)
const { runCommand } = await import(runner)
const open = await TestLevels.open()
const launcher = open.launcher(level, await open.view({ cwd }))
console.log(open.run.path)
void runCommand('setsid sleep ' + tag + ' & sleep ' + tag, { cwd, limitMs: 60000, launcher })
setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(delay))
`

async function sleeping(tag: string): Promise<number[]> {
  const found: number[] = []
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const args = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0')
    if (args.includes(tag) && args[0] === 'sleep') found.push(Number(name))
  }
  return found
}

describe('handshake', function () {
  this.timeout(600_000)
  let levels: TestLevels
  let cwd: string
  before(async () => {
    levels = await TestLevels.open()
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'mynah-dies-')))
  })
  after(async () => {
    await levels.close()
    await rm(cwd, { recursive: true })
  })

  for (const level of ['wall', 'files'] as const)
    it(`leaves nothing of ${TRIES} hosts that are killed up to 200 ms after a start: ${level}`, async function () {
      if (levels.missing(level) !== undefined) skipBecause(this, levels.missing(level))
      const left: string[] = []
      for (let round = 0; round < cases(1, 3); round++)
        for (const delay of DELAYS_MS) {
          const tag = `9${round}${delay}.${process.pid}`
          const modules = ['../test/levels.js', '../run/run-command.js'].map(
            (name) => new URL(name, import.meta.url).href,
          )
          const args = ['--input-type=module', '-e', HOST, ...modules, cwd, level, tag, String(delay)]
          const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
          let folder = ''
          host.stdout.setEncoding('utf8').on('data', (text: string) => {
            folder += text
          })
          await once(host, 'close')
          // A process that dies with its host takes a turn on a processor.
          const isGone = await until(async () => (await sleeping(tag)).length === 0, 'nothing sleeps').then(
            () => true,
            () => false,
          )
          if (!isGone) left.push(`${delay} ms`)
          for (const pid of await sleeping(tag)) process.kill(pid, 'SIGKILL')
          await rm(folder.trim(), { recursive: true, force: true })
        }
      expect(left).to.deep.equal([])
    })

  it('runs twelve commands at once, each in its own processes', async function () {
    if (levels.missing('wall') !== undefined) skipBecause(this, levels.missing('wall'))
    const view = await levels.view({ cwd })
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        runCommand(`echo ${i} > /tmp/x${i}; sleep 0.2; ls /proc | grep -c '^[0-9]'`, {
          cwd,
          launcher: levels.launcher('wall', view),
        }),
      ),
    )
    for (const { exitCode, output } of results) {
      expect(exitCode).to.equal(0)
      expect(Number(output)).to.be.below(8)
    }
  })
})
