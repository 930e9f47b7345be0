// The event stream on an ephemeral port. Publishes on request over IPC, as the stream server of the peers does.
import diagnostics from 'node:diagnostics_channel'
import { createHost } from '@mynah/kernel'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import events from '@mynah/plugin-events'
import { publish } from '@mynah/plugin-events/api'

const clients = new Set()
diagnostics.subscribe('http.server.request.start', ({ response }) => {
  clients.add(response)
  response.on('close', () => clients.delete(response))
})
const host = await createHost([
  { plugin: httpCore, config: { port: 0, token: 'benchbenchbenchbench' } },
  { plugin: events },
]).start()
const row = {
  adapter: 'sandbox',
  endpoint_id: 'main',
  message_id: 'm-000000',
  time: 1795219200000,
  sender: { id: 'u-42', name: 'someone' },
  channel: { id: 'c-7', type: 'group' },
  content: 'hello there, this is a chat line',
}
process.send({ port: host.get(Http).address.port })

const turn = () => new Promise((resolve) => setImmediate(resolve))
async function drained() {
  for (;;) {
    let busy = false
    for (const response of clients)
      if (response.writableLength > 65_536) {
        busy = true
        break
      }
    if (!busy) return
    await turn()
  }
}

/** `mode` is the number of events within one turn of the loop. */
async function push(mode, writes) {
  const burst = Number(mode)
  const before = process.cpuUsage()
  const began = performance.now()
  let id = 0
  for (let write = 0; write < writes; write++) {
    for (let each = 0; each < burst; each++)
      host.emit(publish, { type: 'endpoint:message', data: { ...row, message_id: `m-${id++}` } })
    await turn()
    await drained()
  }
  const pushed_ms = performance.now() - began
  const spent = process.cpuUsage(before)
  process.send({
    pushed_ms,
    cpu_ms: (spent.user + spent.system) / 1000,
    clients: clients.size,
    events: writes * burst,
    frame_bytes: 100,
    rss: process.memoryUsage().rss,
  })
  host.emit(publish, { type: 'end', data: 0 })
}
process.on('message', ({ mode, writes }) => void push(mode, writes))
process.on('disconnect', () => process.exit(0))
