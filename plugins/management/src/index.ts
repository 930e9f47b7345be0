// The plugin: what the host is and does, for dashboards, scripts and monitors.
import { endpoints, plugins, system, WireError, type EndpointItem } from '@mynah/contract'
import { definePlugin, HostControl, HostPaths, ref, messageOf, pathRedactor, Supervisor } from '@mynah/kernel'
import { Chat, commands, components, endpointChanged, refuseLocalFiles } from '@mynah/plugin-chat/api'
import { method, rpcMethods } from '@mynah/plugin-console-rpc/api'
import { dataChanged, declare, event, EventStream, publish, streamEvents } from '@mynah/plugin-events/api'
import { answered, Http, readinessChecks, route, routes } from '@mynah/plugin-http-core/api'
import { metrics } from './api.js'
import { exposition } from './metrics/exposition.js'
import { chatMetrics, healthMetrics, hostMetrics, streamMetrics } from './metrics/host.js'
import { HttpMetrics } from './metrics/http.js'
import { processMetrics } from './metrics/process.js'
import { detailOf, itemOf } from './plugin-views.js'
import { readiness } from './readiness.js'
import { statistics } from './statistics.js'
import { systemStatus } from './system-status.js'

/** Between the answer to `system:restart` and the restart: the answer and the last event leave first. */
const RESTART_DELAY_MS = 100
/** Characters of a reason that are shown. */
const MAX_REASON = 1_000

export default definePlugin({
  name: 'management',
  description: 'System, statistics, plugins, endpoints and message operations',
  descriptions: { 'zh-CN': '系统、统计、插件、接入点与发送消息的操作' },
  version: '0.1.0',
  needs: {
    host: HostControl,
    paths: ref(HostPaths),
    chat: ref(Chat),
    stream: ref(EventStream),
    http: ref(Http),
    supervisor: ref(Supervisor),
  },
  setup(ctx) {
    const { host, chat } = ctx
    const now = (): number => ctx.clock.now()
    const shorten = pathRedactor(ctx.paths.current?.root)
    const redact = (text: string): string => {
      const short = shorten(host.redact(text))
      return short.length > MAX_REASON ? `${short.slice(0, MAX_REASON)}…` : short
    }
    const status = systemStatus(() => host.startedAt, now)
    const checks = ctx.read(readinessChecks)
    const all = ctx.read(metrics)

    ctx.contribute(
      routes,
      route(system.rest, 'GET /system/status', () => status()),
    )
    ctx.contribute(
      routes,
      route(
        system.rest,
        'GET /stats',
        statistics(ctx, { host, chat, commands: ctx.read(commands), components: ctx.read(components) }),
      ),
    )

    ctx.contribute(
      routes,
      route(plugins.rest, 'GET /plugins', () => host.inspect().map((view) => itemOf(view, redact))),
    )
    ctx.contribute(
      routes,
      route(plugins.rest, 'GET /plugins/:name', ({ params: { name } }) => {
        const view = host.inspect().find((other) => other.name === name)
        if (!view) throw new WireError('not_found', `No plugin is called "${name}"`)
        return detailOf(view, redact)
      }),
    )

    ctx.contribute(
      routes,
      route(endpoints.rest, 'GET /endpoints', () =>
        (chat.current?.endpoints() ?? []).map((endpoint): EndpointItem => {
          const connected = endpoint.status === 'online'
          return { name: endpoint.name, adapter: endpoint.adapter, connected, status: connected ? 'online' : 'offline' }
        }),
      ),
    )
    ctx.on(endpointChanged, () => ctx.emit(dataChanged, { what: 'endpoints' }))
    ctx.contribute(
      routes,
      route(endpoints.rest, 'POST /message/send', ({ body }) => {
        if (!chat.current) throw new WireError('not_ready', 'Chat is not running')
        const { context, endpoint, id, type, content, parent } = body
        refuseLocalFiles(content)
        return chat.current.send(context, endpoint, { type, id, ...(parent ? { parent } : {}) }, content)
      }),
    )

    ctx.contribute(
      routes,
      route(system.rest, 'GET /ready', async () => {
        const { ready, serves } = await readiness(host, checks, ctx.clock, redact)
        if (!serves) throw new WireError('not_ready', 'Not every part of the host is ready', { data: ready })
        return ready
      }),
    )

    const http = new HttpMetrics()
    ctx.on(answered, (answer) => http.count(answer, answer.route !== `${ctx.http.current?.apiPrefix}/events`))
    const ofProcess = processMetrics()
    const ofHealth = healthMetrics(
      async () => (await readiness(host, checks, ctx.clock, redact)).serves,
      ctx.paths.current?.root,
    )
    ctx.onDispose('event loop monitor', ofProcess.stop)
    for (const metric of [
      ...ofProcess.metrics,
      ...hostMetrics(host, now),
      ...http.metrics,
      ...streamMetrics(ctx.stream),
      ...chatMetrics(chat),
      ...ofHealth,
    ])
      ctx.contribute(metrics, metric)
    ctx.contribute(
      routes,
      route(system.rest, 'GET /metrics', async (_, { response }) => void response.end(await exposition(all, host))),
    )

    ctx.contribute(
      streamEvents,
      declare(system.events, 'system:restarting', () => true),
    )
    let restarting = false
    ctx.contribute(
      rpcMethods,
      method(system.rpc, 'system:restart', (_, call) => {
        const supervisor = ctx.supervisor.current
        if (!supervisor)
          throw new WireError(
            'unsupported',
            'This host has no supervisor that could start it again; run it with `mynah start`',
          )
        if (!restarting) {
          restarting = true
          call.log.info(`restart asked for by ${call.principal.name}`)
          ctx.emit(publish, event(system.events, 'system:restarting', null))
          ctx.clock.setTimeout(() => {
            supervisor.restart().catch((error: unknown) => {
              restarting = false
              ctx.log.error(`the restart failed: ${messageOf(error)}`)
            })
          }, RESTART_DELAY_MS)
        }
        return { success: true, message: 'The host restarts' }
      }),
    )
  },
})
