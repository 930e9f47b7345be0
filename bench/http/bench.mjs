// `node bench/http/bench.mjs <folder of the peers> [runs]`: a management request here and in Koa with @koa/router.
// The server has one processor, the load generator the other. Rates are requests per CPU second of the server.
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resolveOnDemand } from '../../tools/on-demand.mjs'
import { fold } from '../lib/series.mjs'

const { default: autocannon } = await import(pathToFileURL(await resolveOnDemand('bench', 'autocannon')).href)

const peers = process.argv[2]
const runs = Number(process.argv[3] ?? 5)
const pinned = process.platform === 'linux' && spawnSync('taskset', ['-cp', '0', String(process.pid)]).status === 0

async function measure(file, args, cwd) {
  const server = fork(file, args, { cwd, env: { ...process.env, NODE_ENV: 'production' } })
  if (pinned) spawnSync('taskset', ['-acp', '1', String(server.pid)])
  const [{ url }] = await once(server, 'message')
  const used = async () => {
    server.send('cpu')
    return (await once(server, 'message'))[0]
  }
  const load = (duration) =>
    autocannon({
      url,
      connections: 50,
      duration,
      headers: { authorization: 'Bearer 0123456789abcdef0123456789abcdef', origin: 'http://console.test' },
    })
  await load(1)
  const before = await used()
  const result = await load(3)
  const after = await used()
  server.disconnect()
  await once(server, 'exit')
  if (result.non2xx || result.errors)
    throw new Error(`${result.non2xx} answers were no success, ${result.errors} errors`)
  const seconds = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1e6
  return {
    per_cpu_s: Math.round(result.requests.total / seconds),
    p50_ms: result.latency.p50,
    p99_ms: result.latency.p99,
    rss_mb: Math.round(after.rss / 2 ** 20),
  }
}

const subjects = [
  ['mynah', fileURLToPath(new URL('server.mjs', import.meta.url)), [], undefined],
  ...(peers ? [['koa + @koa/router', join(peers, 'http', 'server.mjs'), ['koa-router-60'], join(peers, 'http')]] : []),
]
const rows = new Map(subjects.map(([subject]) => [subject, []]))
// The subjects take turns, so that a drift of the machine affects both.
for (let run = 0; run < runs; run++)
  for (const [subject, file, args, cwd] of subjects) rows.get(subject).push(await measure(file, args, cwd))
for (const [subject, list] of rows)
  console.log(JSON.stringify({ case: 'http-stats', subject, routes: 60, runs, pinned, ...fold(list) }))
process.exit(0)
