// Measures the store: messages stored before they are handled, pages of large tables, one event to 10,000 clients.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHost, HostPaths } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import consoleRpc from '@mynah/plugin-console-rpc'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import inbox from '@mynah/plugin-inbox'
import logs from '@mynah/plugin-logs'
import { run } from '../lib/series.mjs'

const ROWS = 100_000
const MESSAGES = 1_000_000
const TOKEN = 'benchbenchbenchbench'
const data = mkdtempSync(join(tmpdir(), 'mynah-bench-'))
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
const round = (value) => +value.toFixed(2)

for (const name of ['messages', 'flood'])
  console.log(JSON.stringify(run(new URL('worker.mjs', import.meta.url), [name])))

const host = await createHost(
  [
    { plugin: httpCore, config: { port: 0, token: TOKEN } },
    { plugin: consoleRpc },
    { plugin: database },
    { plugin: inbox },
    { plugin: logs },
    { plugin: chat },
  ],
  { services: [[HostPaths, { root: data, data }]] },
).start()

const { origin } = host.get(Http)
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
async function timed(ask, times = 100) {
  const took = []
  for (let index = 0; index < times + 5; index++) {
    const start = performance.now()
    const answer = await ask()
    const body = await answer.json()
    if (!body.success) throw new Error(JSON.stringify(body))
    if (index >= 5) took.push(performance.now() - start)
  }
  return round(median(took))
}
const rpc = (body) => fetch(`${origin}/api/console/request`, { method: 'POST', headers, body: JSON.stringify(body) })

const store = host.get(Database)
await store.tx(async (db) => {
  const levels = ['debug', 'info', 'info', 'info', 'warn', 'error']
  for (let from = 0; from < ROWS; from += 500) {
    const values = Array.from({ length: 500 }, (_, step) => {
      const index = from + step
      const [id, time] = [`bench${String(index).padStart(9, '0')}`, 1_767_225_600_000 + index]
      const message = `line ${index} about something that happened`
      return `('${id}', ${time}, '${levels[index % 6]}', 'plugin-${index % 20}', '${message}', NULL)`
    })
    await db.run(`INSERT INTO log (id, time, level, name, message, fields) VALUES ${values.join(',')}`)
  }
})
const get = (query) => fetch(`${origin}/api/logs?${query}`, { headers })
console.log(
  JSON.stringify({
    case: 'logs',
    rows: ROWS,
    page_ms: await timed(() => get('limit=50')),
    level_ms: await timed(() => get('limit=50&level=error')),
    search_ms: await timed(() => get('limit=50&search=line%2099')),
    search_rare_ms: await timed(() => get('limit=50&search=line%204242%20'), 20),
  }),
)
console.log(
  JSON.stringify({
    case: 'db-select',
    rows: ROWS,
    page_1_ms: await timed(() => rpc({ type: 'db:select', table: 'log', page: 1, pageSize: 50 })),
    page_1000_ms: await timed(() => rpc({ type: 'db:select', table: 'log', page: 1000, pageSize: 50 }), 30),
  }),
)

// A million messages in a thousand channels, a third of them unread. Written to the table: accepting takes minutes.
for (let from = 0; from < MESSAGES; from += ROWS) {
  await store.tx((db) =>
    db.run(`WITH RECURSIVE numbers(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${from + ROWS})
    INSERT INTO message (id, adapter, endpoint, direction, inbound_id, message_id, state, channel_type, channel_id, channel, sender, segments, text, mentioned, read, timestamp)
    SELECT 'inbox' || printf('%09d', n), 'bench', 'bench', 'in', 'inbox' || n, 'inbox' || n, 'handled', 'private', 'c' || (n % 1000), '{"type":"private","id":"c"}', '{"id":"u"}',
      '[{"type":"text","data":{"text":"hello"}}]', 'hello', 0, n % 3 > 0, 1767225600000 + n FROM numbers`),
  )
}
const page = (data) =>
  rpc({ type: 'endpoint:inboxMessages', data: { adapter: 'bench', endpointId: 'bench', limit: 50, ...data } })
console.log(
  JSON.stringify({
    case: 'inbox',
    rows: MESSAGES,
    page_ms: await timed(() => page({})),
    unread_ms: await timed(() => page({ unreadOnly: true })),
  }),
)
await host.stop()
rmSync(data, { recursive: true, force: true })

/** Measures one event from its publication until the last client has read it. */
async function stream(clients) {
  const here = (file) => fileURLToPath(new URL(`../sse/${file}`, import.meta.url))
  const server = fork(here('server.mjs'), [])
  const [{ port }] = await once(server, 'message')
  const readers = fork(here('clients.mjs'), [port, clients, '/api/events', '"type":"end"'].map(String))
  await once(readers, 'message')
  const took = []
  let rss = 0
  for (let round = 0; round < 20; round++) {
    const pushed = once(server, 'message')
    const read = once(readers, 'message')
    const start = performance.timeOrigin + performance.now()
    server.send({ mode: '1', writes: 0 })
    const [[result], [seen]] = await Promise.all([pushed, read])
    rss = result.rss
    if (round > 1) took.push(seen.at - start)
  }
  server.disconnect()
  readers.disconnect()
  await Promise.all([once(server, 'exit'), once(readers, 'exit')])
  return { clients, p50_ms: round(median(took)), p99_ms: round(Math.max(...took)), rss_mb: Math.round(rss / 2 ** 20) }
}
console.log(JSON.stringify({ case: 'sse-10000', ...(await stream(10_000)) }))
process.exit(0)
