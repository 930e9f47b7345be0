// Milliseconds that a command takes at each level, and above bash: `npm run bench -- 50 exec`, or
// `node bench/exec/levels.mjs [runs]`. The load of the machine is printed with them, since it falls on all of them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../../plugins/exec-security/dist/run/run-command.js'
import { RunProxy } from '../../plugins/exec-security/dist/proxy/run-proxy.js'
import { WallLauncher } from '../../plugins/exec-security/dist/levels/wall.js'
import { DEFAULT_LIMITS } from '../../plugins/exec-security/dist/limits/limits.js'
import { findProgram } from '../../plugins/exec-security/dist/view/tools.js'
import { TestLevels } from '../../plugins/exec-security/dist/test/levels.js'

const runs = Number(process.argv[2] ?? 50)
const cwd = await realpath(await mkdtemp(join(tmpdir(), 'mynah-bench-exec-')))
const levels = await TestLevels.open()
const proxy = await RunProxy.open(levels.run.socket(), [])

const cases = [['bash']]
for (const level of ['none', 'files', 'wall']) if (levels.missing(level) === undefined) cases.push([level, level])
if (levels.levels.wall) {
  for (const kind of ['socat', 'perl', 'node']) {
    const program = kind === 'node' ? process.execPath : await findProgram(kind)
    if (program !== undefined) cases.push([`wall with network by ${kind}`, 'wall', proxy.path, { kind, program }])
  }
}
const load = loadavg()[0]

/** A start of bash without any of ours, which the others are compared with. */
async function bare() {
  const began = performance.now()
  await once(spawn('bash', ['--noprofile', '--norc', '-c', ':'], { cwd, stdio: 'ignore' }), 'close')
  return performance.now() - began
}

async function measure([, level, socket, bridge]) {
  if (level === undefined) return bare()
  const began = performance.now()
  const view = await levels.view({ cwd, socket })
  const launcher = bridge
    ? new WallLauncher({ ...levels.levels.wall, bridge }, view, DEFAULT_LIMITS)
    : levels.launcher(level, view)
  await runCommand(':', { cwd, launcher })
  return performance.now() - began
}

try {
  // In turns, so that a busy moment of the machine falls on all of them.
  const took = cases.map(() => [])
  for (let i = 0; i < runs + 3; i++)
    for (const [at, one] of cases.entries()) {
      const ms = await measure(one)
      if (i >= 3) took[at].push(ms)
    }
  const of = (at, share) => took[at].sort((a, b) => a - b)[Math.floor(took[at].length * share)]
  const round = (ms) => Number(ms.toFixed(1))
  for (const [at, [name]] of cases.entries())
    console.log(
      JSON.stringify({
        case: `a command: ${name}`,
        median_ms: round(of(at, 0.5)),
        fastest_ms: round(of(at, 0)),
        above_bash_ms: round(of(at, 0.5) - of(0, 0.5)),
        fastest_above_bash_ms: round(of(at, 0) - of(0, 0)),
        runs,
        load: round(load),
      }),
    )
  const view = await levels.view({ cwd })
  const began = performance.now()
  await Promise.all(
    Array.from({ length: 12 }, () => runCommand('sleep 0.2', { cwd, launcher: levels.launcher('wall', view) })),
  )
  const ms = Math.round(performance.now() - began)
  console.log(JSON.stringify({ case: 'twelve sleeps of 200 ms at once', ms, load: round(loadavg()[0]) }))
} finally {
  await proxy.close()
  await levels.close()
  await rm(cwd, { recursive: true })
}
