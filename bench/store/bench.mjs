// Measures the store: messages stored before they are handled, pages of large tables, one event to 10,000 clients.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHost, definePlugin, HostPaths } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import { adapters, commands, defineAdapter, defineCommand, param } from '@mynah/plugin-chat/api'
import consoleRpc from '@mynah/plugin-console-rpc'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import inbox from '@mynah/plugin-inbox'
import logs from '@mynah/plugin-logs'

const ROWS = 100_000
const MESSAGES = 1_000_000
const TOKEN = 'benchbenchbenchbench'
const data = mkdtempSync(join(tmpdir(), 'mynah-bench-'))
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
const at = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]
const round = (value) => +value.toFixed(2)

let endpoint
let online
const isOnline = new Promise((resolve) => {
  online = resolve
})
const waiting = new Map()
const platform = definePlugin({
  name: 'bench-platform',
  setup(ctx) {
    ctx.contribute(
      adapters,
      defineAdapter({
        name: 'bench',
        acknowledges: 'after-store',
        create: (handle) => ({
          async connect() {
            endpoint = handle
            setImmediate(online)
          },
          async disconnect() {},
          async send(target) {
            waiting.get(target.id)?.()
            return { messageId: `out-${target.id}-${Math.random()}` }
          },
        }),
      }),
    )
    ctx.contribute(
      commands,
      defineCommand({
        name: 'echo',
        description: 'benchmark',
        args: { text: param.rest() },
        run: ({ args }) => args.text,
      }),
    )
  },
})

const host = await createHost(
  [
    { plugin: httpCore, config: { port: 0, token: TOKEN } },
    { plugin: consoleRpc },
    { plugin: database },
    { plugin: inbox },
    { plugin: logs },
    { plugin: platform },
    { plugin: chat, config: { endpoints: [{ adapter: 'bench', id: 'bench' }] } },
  ],
  { services: [[HostPaths, { root: data, data }]] },
).start()
await isOnline

let count = 0

/** Measures messages from the adapter to the reply, each stored before it is handled. */
async function messages(inFlight, seconds) {
  const latencies = []
  const until = performance.now() + seconds * 1000
  const began = performance.now()
  await Promise.all(
    Array.from({ length: inFlight }, async (_, lane) => {
      while (performance.now() < until) {
        const start = performance.now()
        const replied = new Promise((resolve) => waiting.set(`c${lane}`, resolve))
        await endpoint.receive({
          id: `m${count++}`,
          channel: { type: 'private', id: `c${lane}` },
          sender: { id: 'u' },
          content: '/echo hello',
        })
        await replied
        latencies.push(performance.now() - start)
      }
    }),
  )
  return {
    per_s: Math.round(latencies.length / ((performance.now() - began) / 1000)),
    p50_ms: round(median(latencies)),
    p99_ms: round(at(latencies, 0.99)),
  }
}

/** Sends messages without waiting for replies. Counts accepted and answered ones. */
async function flood(lanes, seconds) {
  let replied = 0
  const first = count
  for (let lane = 0; lane < lanes; lane++)
    waiting.set(`c${lane}`, () => {
      replied++
    })
  const began = performance.now()
  const until = began + seconds * 1000
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (performance.now() < until)
        await endpoint.receive({
          id: `m${count++}`,
          channel: { type: 'private', id: `c${lane}` },
          sender: { id: 'u' },
          content: '/echo hello',
        })
    }),
  )
  const took = performance.now() - began
  const [accepted, meanwhile] = [count - first, replied]
  while (replied < accepted)
    await new Promise((resolve) => {
      setTimeout(resolve, 1)
    })
  const rate = (number, ms) => Math.round(number / (ms / 1000))
  return {
    accepted_per_s: rate(accepted, took),
    answered_meanwhile_per_s: rate(meanwhile, took),
    answered_in_all_per_s: rate(accepted, performance.now() - began),
  }
}

await messages(64, 1)
const many = await messages(64, 4)
const one = await messages(1, 3)
console.log(
  JSON.stringify({
    case: 'stored-messages',
    in_flight_64_per_s: many.per_s,
    in_flight_64_p50_ms: many.p50_ms,
    in_flight_64_p99_ms: many.p99_ms,
    in_flight_1_per_s: one.per_s,
    in_flight_1_p50_ms: one.p50_ms,
  }),
)

console.log(JSON.stringify({ case: 'stored-flood', ...(await flood(64, 3)) }))

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
