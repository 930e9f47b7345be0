// Measures the time until the starter and the lean host listen, and their memory at rest, in turns.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fold } from '../lib/series.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const runs = Number(process.argv[2] ?? 3)

/** Copies the configuration of an example with another port, inside the workspace so that its plugins are found. */
function hostFolder(example) {
  const folder = mkdtempSync(join(root, 'examples', '.bench-'))
  const config = readFileSync(join(root, 'examples', example, 'mynah.config.yml'), 'utf8').replace(
    /port: \d+/,
    'port: 18099',
  )
  writeFileSync(join(folder, 'mynah.config.yml'), config)
  cpSync(join(root, 'examples/starter/plugins'), join(folder, 'plugins'), { recursive: true })
  return folder
}

async function start(example) {
  const folder = hostFolder(example)
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [join(root, 'plugins/mynah/dist/cli/main.js'), 'start', '-c', join(folder, 'mynah.config.yml')],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_ENV: 'production' } },
  )
  const exited = once(child, 'exit')
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error('the host ended')
      const answer = await fetch('http://127.0.0.1:18099/pub/health').catch(() => undefined)
      if (answer?.ok) break
      if (performance.now() - began > 60_000) throw new Error('the host did not listen within 60 s')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const listening_ms = Math.round(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    // The host is a child process of its supervisor.
    const pids = [
      child.pid,
      ...spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter(Boolean)
        .map(Number),
    ]
    const rss = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    return { listening_ms, idle_rss_mb: Math.round(rss(pids.at(-1))), supervisor_rss_mb: Math.round(rss(pids[0])) }
  } finally {
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
}

const examples = ['starter', 'lean']
const rows = { starter: [], lean: [] }
for (let run = 0; run < runs; run++) for (const example of examples) rows[example].push(await start(example))
for (const example of examples) console.log(JSON.stringify({ case: `${example}-host`, runs, ...fold(rows[example]) }))
