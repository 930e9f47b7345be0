// `npm run test:fuzz [-- --seconds <n>] [--seed <n>]`: sends valid and invalid requests to a host.
//
// The host must answer each with a declared status that is no 5xx, never block its loop, and keep its memory.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SeededRandom } from '@mynah/plugin-chat/testing'
import { buildOrExit } from '../tools/build.mjs'
import { requestsOf } from './requests.mjs'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const SECONDS = Number(options.seconds)
const SEED = Number(options.seed)
const AT_ONCE = 4
const TOKEN = 'full-token-of-the-fuzzer'
/** Allowed growth of the heap after all replies and a collection, bytes. */
const HEAP_GROWTH = 24 * 1024 * 1024
const TIMEOUT_MS = 30_000
/** A configuration is read without a pause: this long for an unusual quarter of a megabyte, ms. */
const WHOLE_DOCUMENT_MS = 300

await buildOrExit()
const folder = await mkdtemp(join(tmpdir(), 'mynah-fuzz-'))

/** A registry with correct answers: the marketplace has tests for bad ones. */
const registry = createServer(({ url }, response) =>
  response.end(
    JSON.stringify(
      url.startsWith('/-/')
        ? { objects: [], total: 0 }
        : { name: decodeURIComponent(url.slice(1)), 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': {} } },
    ),
  ),
).listen(0, '127.0.0.1')
await once(registry, 'listening')

/** A model with one answer: other tests cover bad models. */
const model = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'text/event-stream')
    const chunk = (delta, finish_reason) => {
      const choices = [{ index: 0, delta, finish_reason }]
      const data = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', choices }
      response.write(`data: ${JSON.stringify(data)}\n\n`)
    }
    chunk({ role: 'assistant', content: 'yes' }, null)
    chunk({}, 'stop')
    response.end('data: [DONE]\n\n')
  })
}).listen(0, '127.0.0.1')
await once(model, 'listening')

await writeFile(
  join(folder, 'mynah.config.yml'),
  `plugins: [http-core, events, console-rpc, entries, management, workspace, database, logs, chat, inbox, introspection, marketplace, exec-security, adapter-sandbox, ai, mcp, agent, toolbox, skills, memory, tasks, speech, renderer, cron, assistant]
http: { port: 0, token: ${TOKEN} }
ai:
  providers: { fuzz: { sdk: openai-compatible, baseUrl: "http://127.0.0.1:${model.address().port}/v1", apiKey: none } }
  agents: { main: { provider: fuzz, model: m } }
assistant: { enabled: true }
marketplace: { registry: "http://127.0.0.1:${registry.address().port}" }
endpoints: [{ adapter: sandbox, id: sandbox }]
`,
)
const child = fork(new URL('./host.mjs', import.meta.url), [join(folder, 'mynah.config.yml')], {
  execArgv: ['--expose-gc'],
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
let died
child.on('exit', (code, signal) => {
  died ??= `the host ended with ${signal ?? code}`
})
const nextMessage = async () => (await once(child, 'message'))[0]
const ask = (question) => {
  child.send(question)
  return nextMessage()
}
const { origin, down } = await nextMessage()
const failures = down.map((line) => `at the start ${line}`)

const authorization = `Bearer ${TOKEN}`
const get = async (path) => (await fetch(origin + path, { headers: { authorization } })).json()
const document = await get('/pub/openapi.json')
const { data: catalogue } = await get('/api/console/methods')
const chance = new SeededRandom(SEED)
const makers = requestsOf(document, catalogue, chance)

/** Sends a request. Returns its status, or another outcome. */
async function send({ path, method, headers, body, stream }) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(origin + path, {
      method,
      headers: { authorization, ...headers },
      ...(body === undefined ? {} : { body }),
      signal,
      redirect: 'manual',
    })
    if (stream && response.status === 200) await response.body.cancel()
    else await response.arrayBuffer()
    return response.status
  } catch (error) {
    return signal.aborted ? 'no answer' : `${error.cause?.code ?? error.cause?.message ?? error.message}`
  }
}

const short = ({ name, method, path, body }) =>
  `${name} (${method} ${path.slice(0, 120)} ${String(body ?? '').slice(0, 200)})`
const seen = new Set()
const fail = (key, line) => {
  if (seen.has(key)) return
  seen.add(key)
  failures.push(line)
}

/** Returns whether a request blocks the loop each time it is sent alone: garbage collections do not repeat. */
async function repeats(request) {
  let shortest = Infinity
  for (let round = 0; round < 3; round++) {
    await ask('blocks')
    await send(request)
    const { blocks } = await ask('blocks')
    shortest = Math.min(shortest, Math.max(0, ...blocks.map(({ ms }) => ms)))
    if (shortest === 0) return 0
  }
  return shortest
}

const statuses = {}
let sent = 0
const began = Date.now()
const deadline = began + SECONDS * 1_000
let warm
let next = 0
while (Date.now() < deadline && !died) {
  // All kinds in turn, a few at once.
  const requests = Array.from({ length: AT_ONCE }, () => makers[next++ % makers.length]())
  const outcomes = await Promise.all(requests.map(send))
  sent += requests.length
  for (const [index, status] of outcomes.entries()) {
    const request = requests[index]
    statuses[status] = (statuses[status] ?? 0) + 1
    if (typeof status !== 'number') fail(`${request.name} ${status}`, `${status}: ${short(request)}`)
    // A declared `not_ready` for a plugin that this host lacks is no failure.
    else if (status >= 500 && !(status === 503 && request.declared.has(status)))
      fail(`${request.name} ${status}`, `${status}: ${short(request)}`)
    // A path whose parameters decode to another path is another operation.
    else if (!request.declared.has(status) && status !== 404 && status !== 405)
      fail(`${request.name} ${status}`, `${status} is not declared: ${short(request)}`)
  }
  if (died) break
  const { blocks } = await ask('blocks')
  if (blocks.length > 0) {
    for (const request of requests) {
      const ms = await repeats(request)
      if (ms > (request.name === 'config:save-yaml' ? WHOLE_DOCUMENT_MS : 0))
        fail(`${request.name} block`, `held up the loop for ${ms} ms: ${short(request)}`)
    }
  }
  if (!warm && Date.now() > began + SECONDS * 250) warm = await ask('memory')
}

let memory
if (!died) {
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  memory = await ask('memory')
  const growth = memory.heap - (warm ?? memory).heap
  if (growth > HEAP_GROWTH) failures.push(`the heap has grown by ${(growth / 1e6).toFixed(1)} MB`)
  for (const { name, message, stack } of (await ask('log')).log.slice(0, 5))
    console.log(`log of ${name}: ${message}\n${String(stack ?? '').slice(0, 800)}`)
  child.send('stop')
  await once(child, 'exit')
} else failures.push(died)
for (const server of [registry, model]) {
  server.close()
  server.closeAllConnections()
}
await rm(folder, { recursive: true, force: true })

console.log(`${sent} requests of ${makers.length} kinds in ${((Date.now() - began) / 1000).toFixed(0)} s, seed ${SEED}`)
console.log(
  `answers: ${Object.entries(statuses)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')}`,
)
if (memory)
  console.log(
    `heap ${((warm ?? memory).heap / 1e6).toFixed(1)} → ${(memory.heap / 1e6).toFixed(1)} MB, ` +
      `resident ${(memory.rss / 1e6).toFixed(0)} MB; ` +
      `delay of the loop p99 ${memory.delay.p99.toFixed(1)} ms, ` +
      `at most ${memory.delay.max.toFixed(1)} ms, with delays of the machine`,
  )
for (const line of failures) console.log(`FAIL ${line}`)
process.exitCode = failures.length ? 1 : 0
