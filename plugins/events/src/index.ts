import { consoleApi, STREAM_HEARTBEAT_MS } from '@mynah/contract'
import { changed, definePlugin, HostControl, ref } from '@mynah/kernel'
import { route, routes } from '@mynah/plugin-http-core/api'
import { dataChanged, declare, event, EventLog, EventStream, publish, snapshotChanged, streamEvents } from './api.js'
import { LogSelector } from './stream/log-selector.js'
import { Stream } from './stream/stream.js'
import { throttle } from './stream/throttle.js'

const DATA_UPDATE_MS = 1_000

export default definePlugin({
  name: 'events',
  description: 'Event log and the resumable event stream',
  descriptions: { 'zh-CN': '事件日志与可续传的事件流' },
  version: '0.1.0',
  needs: { host: HostControl, durable: ref(EventLog) },
  provides: [EventStream],
  setup(ctx) {
    const stream: Stream = new Stream(ctx, (error) => source.failed(error))
    const source = new LogSelector(ctx, ctx.host, ctx.durable, stream.journal)
    ctx.onDispose('streams', () => stream.close())
    source.start()

    for (const type of ['sync', 'init-data', 'data-update'] as const)
      ctx.contribute(
        streamEvents,
        declare(consoleApi.events, type, () => true),
      )
    ctx.on(publish, (publication) => stream.publish(publication))
    ctx.on(snapshotChanged, ({ key }) => stream.sendSnapshot(key))
    ctx.clock.setInterval(() => stream.heartbeat(), STREAM_HEARTBEAT_MS)

    const dataUpdate = throttle(ctx.clock, DATA_UPDATE_MS, () =>
      stream.publish(event(consoleApi.events, 'data-update', { timestamp: ctx.clock.now() })),
    )
    const listsChanged = (): void => {
      if (!ctx.signal.aborted) dataUpdate()
    }
    ctx.on(changed, listsChanged)
    ctx.on(dataChanged, listsChanged)

    ctx.contribute(
      routes,
      route(consoleApi.rest, 'GET /events', ({ query }, call) => {
        const { request, response } = call
        request.socket.setNoDelay(true)
        // Without chunked encoding each write is one buffer that all clients share. The body ends with the connection.
        response.removeHeader('transfer-encoding')
        response.writeHead(200, {
          'content-type': consoleApi.rest['GET /events'].raw,
          'cache-control': 'no-cache, no-transform',
          'x-accel-buffering': 'no',
          connection: 'close',
        })
        response.flushHeaders()
        const header = request.headers['last-event-id']
        const lastId = (typeof header === 'string' && header) || query.lastEventId || undefined
        return stream.serve(response, call.principal.scope !== 'full', lastId, call.signal)
      }),
    )
    ctx.provide(EventStream, stream)
  },
})
