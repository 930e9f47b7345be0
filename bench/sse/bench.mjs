// `node bench/sse/bench.mjs <folder of the peers> [runs]`: deliveries per CPU second, here and in `res.write`.
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fold } from '../lib/series.mjs'

const peers = process.argv[2]
const runs = Number(process.argv[3] ?? 5)
const pinned = process.platform === 'linux' && spawnSync('taskset', ['-V']).status === 0
const pin = (child, cpu) => {
  if (pinned) spawnSync('taskset', ['-acp', cpu, String(child.pid)])
}
const here = (file) => fileURLToPath(new URL(file, import.meta.url))

async function measure({ file, cwd, mode, path, end, clients, burst }) {
  const server = fork(file, [], { cwd })
  pin(server, '1')
  const [{ port }] = await once(server, 'message')
  const readers = fork(here('clients.mjs'), [port, clients, path, end].map(String))
  pin(readers, '0')
  await once(readers, 'message')
  const push = async (writes) => {
    const pushed = once(server, 'message')
    const read = once(readers, 'message')
    server.send({ mode, writes })
    const [[result], [seen]] = await Promise.all([pushed, read])
    return { ...result, bytes: seen.bytes }
  }
  const writes = Math.ceil((burst > 1 ? 20_000 : 100_000) / clients)
  await push(Math.ceil(writes / 5))
  const result = await push(writes)
  server.disconnect()
  readers.disconnect()
  await Promise.all([once(server, 'exit'), once(readers, 'exit')])
  if (result.clients !== clients) throw new Error(`${result.clients} of ${clients} clients were connected`)
  if (result.bytes < result.events * clients * result.frame_bytes) throw new Error('frames are missing')
  return {
    deliveries_per_cpu_s: Math.round(((result.events * clients) / result.cpu_ms) * 1000),
    rss_mb: Math.round(result.rss / 2 ** 20),
  }
}

const ours = { file: here('server.mjs'), cwd: undefined, path: '/api/events', end: '"type":"end"' }
const raw = peers && {
  file: join(peers, 'sse', 'server.mjs'),
  cwd: join(peers, 'sse'),
  path: '/events',
  end: 'event: end',
}
const cases = [
  {
    name: 'sse-single-500',
    clients: 500,
    burst: 1,
    subjects: [['mynah', { ...ours, mode: '1' }], ...(raw ? [['raw res.write', { ...raw, mode: 'buffer' }]] : [])],
  },
  {
    name: 'sse-burst-2000',
    clients: 2000,
    burst: 10,
    subjects: [['mynah', { ...ours, mode: '10' }], ...(raw ? [['raw res.write', { ...raw, mode: 'buffer' }]] : [])],
  },
]
for (const { name, clients, burst, subjects } of cases) {
  const rows = new Map(subjects.map(([subject]) => [subject, []]))
  for (let run = 0; run < runs; run++)
    for (const [subject, how] of subjects)
      rows.get(subject).push(await measure({ ...how, clients, burst: how.mode === 'buffer' ? 1 : burst }))
  for (const [subject, list] of rows)
    console.log(JSON.stringify({ case: name, subject, clients, runs, pinned, ...fold(list) }))
}
process.exit(0)
