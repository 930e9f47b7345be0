// Milliseconds that a command takes at each level: `node bench/exec/levels.mjs [runs]`.
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../../plugins/exec-security/dist/run/run-command.js'
import { RunProxy } from '../../plugins/exec-security/dist/proxy/run-proxy.js'
import { TestLevels } from '../../plugins/exec-security/dist/test/levels.js'

const runs = Number(process.argv[2] ?? 50)
const cwd = await realpath(await mkdtemp(join(tmpdir(), 'mynah-bench-exec-')))
const levels = await TestLevels.open()
const proxy = await RunProxy.open(levels.run.socket(), [])

const cases = [['bash', undefined, undefined]]
for (const level of ['none', 'files', 'wall'])
  if (levels.missing(level) === undefined) cases.push([level, level, undefined])
if (levels.levels.wall) {
  const { bridge } = levels.levels.wall
  cases.push([`wall with network by ${bridge.kind}`, 'wall', proxy.path])
}

async function once([, level, socket]) {
  const began = performance.now()
  const launcher = level && levels.launcher(level, await levels.view({ cwd, socket }))
  await runCommand(':', { cwd, launcher })
  return performance.now() - began
}

try {
  // In turns, so that a busy moment of the machine falls on all of them.
  const took = cases.map(() => [])
  for (let i = 0; i < runs + 3; i++)
    for (const [at, one] of cases.entries()) {
      const ms = await once(one)
      if (i >= 3) took[at].push(ms)
    }
  for (const [at, [name]] of cases.entries()) {
    const sorted = took[at].sort((a, b) => a - b)
    const [fastest, median] = [sorted[0], sorted[Math.floor(sorted.length / 2)]].map((ms) => Number(ms.toFixed(1)))
    console.log(JSON.stringify({ case: `a command: ${name}`, median_ms: median, fastest_ms: fastest, runs }))
  }
  const view = await levels.view({ cwd })
  const began = performance.now()
  await Promise.all(
    Array.from({ length: 12 }, () => runCommand('sleep 0.2', { cwd, launcher: levels.launcher('wall', view) })),
  )
  console.log(JSON.stringify({ case: 'twelve sleeps of 200 ms at once', ms: Math.round(performance.now() - began) }))
} finally {
  await proxy.close()
  await levels.close()
  await rm(cwd, { recursive: true })
}
