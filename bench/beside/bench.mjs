// `node bench/beside/bench.mjs [runs]`: latency of management requests at rest, and while messages are answered.
// One request at a time, as the console does: its latency is the time that a person waits.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const runs = Number(process.argv[2] ?? 3)
const RATE = 300
const REQUESTS = 1_500
const headers = { authorization: 'Bearer 0123456789abcdef0123456789abcdef', 'content-type': 'application/json' }
const rpc = (type) => (url) =>
  fetch(`${url}/console/request`, { method: 'POST', headers, body: JSON.stringify({ type }) })
const get = (path) => (url) => fetch(url + path, { headers })
const asked = {
  'GET /stats': get('/stats'),
  'GET /system/status': get('/system/status'),
  'endpoint:list': rpc('endpoint:list'),
  'chat:activity': rpc('chat:activity'),
}
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
const round = (value) => +value.toFixed(2)

const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [], {
  env: { ...process.env, NODE_ENV: 'production' },
})
const [{ url }] = await once(server, 'message')
const tell = async (message) => {
  server.send(message)
  return (await once(server, 'message'))[0]
}

async function measure(ask) {
  const took = []
  const began = performance.now()
  for (let index = 0; index < REQUESTS; index++) {
    const start = performance.now()
    const answer = await (await ask(url)).json()
    if (!answer.success) throw new Error(JSON.stringify(answer))
    took.push(performance.now() - start)
  }
  return {
    per_s: REQUESTS / ((performance.now() - began) / 1000),
    p50: median(took),
    p99: took.toSorted((a, b) => a - b)[Math.floor(REQUESTS * 0.99)],
  }
}

for (const [what, ask] of Object.entries(asked)) {
  const [rest, busy] = [[], []]
  await measure(ask)
  for (let run = 0; run < runs; run++) {
    rest.push(await measure(ask))
    const before = await tell('cpu')
    await tell(RATE)
    const began = performance.now()
    busy.push({ ...(await measure(ask)), messages: 0 })
    const after = await tell('cpu')
    busy.at(-1).messages = (after.answered - before.answered) / ((performance.now() - began) / 1000)
    await tell(0)
  }
  const of = (list, key) => round(median(list.map((one) => one[key])))
  console.log(
    JSON.stringify({
      case: 'beside-messages',
      request: what,
      messages_per_s: Math.round(of(busy, 'messages')),
      rest_per_s: Math.round(of(rest, 'per_s')),
      beside_per_s: Math.round(of(busy, 'per_s')),
      rest_p50_ms: of(rest, 'p50'),
      beside_p50_ms: of(busy, 'p50'),
      beside_p99_ms: of(busy, 'p99'),
    }),
  )
}
server.disconnect()
process.exit(0)
