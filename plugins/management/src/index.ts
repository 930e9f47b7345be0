import { endpoints, plugins, system, WireError } from '@mynah/contract'
import {
  definePlugin,
  HostControl,
  HostPaths,
  ref,
  messageOf,
  Supervisor,
  type BaseContext,
  type Clock,
  type Logger,
  type PluginView,
  type Ref,
} from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import { Chat, commands, components, endpointChanged, refuseLocalFiles } from '@mynah/plugin-chat/api'
import { method, rpcMethods, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import { dataChanged, declare, event, EventStream, publish, streamEvents } from '@mynah/plugin-events/api'
import { answered, Http, readinessChecks, route, routes, type HttpHost, type Route } from '@mynah/plugin-http-core/api'
import { AuthorLoop, metrics, PluginReloader } from './api.js'
import { contributeLoop } from './dev-methods.js'
import { failurePlace } from './failure-place.js'
import { formatMetrics } from './metrics/exposition.js'
import { chatMetrics, healthMetrics, hostMetrics, streamMetrics } from './metrics/host.js'
import { HttpMetrics } from './metrics/http.js'
import { processMetrics } from './metrics/process.js'
import { toPluginDetail, toPluginItem } from './plugin-views.js'
import { reasonRedactor } from './reason-redactor.js'
import { checkReadiness } from './readiness.js'
import { statistics } from './statistics.js'
import { systemStatus } from './system-status.js'

/** Delay of a restart, so that the answer to `system:restart` and the last event are sent before. */
const RESTART_DELAY_MS = 100

type Redact = (text: string) => string

function pluginRoutes(host: HostControl, redact: Redact, root: string | undefined): Route[] {
  const find = (name: string): { view: PluginView; all: PluginView[] } => {
    const all = host.inspect()
    const view = all.find((other) => other.name === name)
    if (!view) throw new WireError('not_found', `No plugin is called "${name}"`)
    return { view, all }
  }
  return [
    route(plugins.rest, 'GET /plugins', () => host.inspect().map((view) => toPluginItem(view, redact))),
    route(plugins.rest, 'GET /plugins/:name', ({ params: { name } }) => {
      const { view, all } = find(name)
      return toPluginDetail(view, all, redact)
    }),
    route(plugins.rest, 'GET /plugins/:name/failure', async ({ params: { name } }) => {
      const { view } = find(name)
      const place = root === undefined ? undefined : await failurePlace(view, root, (text) => host.redact(text))
      return omitUndefined({ place })
    }),
  ]
}

function endpointRoutes(chat: Ref<Chat>): Route[] {
  return [
    // Fields that chat and the contract both have pass through unchanged; dispatch drops the others.
    route(endpoints.rest, 'GET /endpoints', () =>
      (chat.current?.endpoints() ?? []).map((endpoint) => {
        const connected = endpoint.status === 'online'
        return { ...endpoint, connected, status: connected ? ('online' as const) : ('offline' as const) }
      }),
    ),
    route(endpoints.rest, 'POST /message/send', ({ body }) => {
      if (!chat.current) throw new WireError('not_ready', 'Chat is not running')
      const { context, endpoint, id, type, content, parent } = body
      refuseLocalFiles(content)
      return chat.current.send(context, endpoint, { type, id, ...(parent ? { parent } : {}) }, content)
    }),
  ]
}

/** Returns the method `plugins:reload`. */
function reloadMethod(host: HostControl, reloader: Ref<PluginReloader>, redact: Redact): BoundMethod {
  return method(plugins.rpc, 'plugins:reload', async ({ name }, call) => {
    if (!reloader.current)
      throw new WireError('unsupported', 'Code is reloaded where `mynah start` or `mynah dev` runs the host')
    if (!host.inspect().some((plugin) => plugin.name === name))
      throw new WireError('not_found', `No plugin is called "${name}"`)
    call.log.info(`reload of ${name} requested by ${call.principal.name}`)
    const { message, ...result } = await reloader.current.reload(name)
    return omitUndefined({ ...result, message: message === undefined ? undefined : redact(message) })
  })
}

interface RestartOptions {
  readonly supervisor: Ref<Supervisor>
  readonly clock: Clock
  readonly log: Logger
  /** Publishes `system:restarting`. */
  readonly notify: () => void
}

/** Returns the method `system:restart`. Repeated calls during a restart have no effect. */
function restartMethod({ supervisor, clock, log, notify }: RestartOptions): BoundMethod {
  let restarting = false
  const restart = (running: Supervisor): void => {
    running.restart().catch((error: unknown) => {
      restarting = false
      log.error(`failed to restart: ${messageOf(error)}`)
    })
  }
  return method(system.rpc, 'system:restart', (_, call) => {
    const running = supervisor.current
    if (!running)
      throw new WireError(
        'unsupported',
        'This host has no supervisor that could restart it; start it with `mynah start`',
      )
    if (!restarting) {
      restarting = true
      call.log.info(`restart requested by ${call.principal.name}`)
      notify()
      clock.setTimeout(() => restart(running), RESTART_DELAY_MS)
    }
    return { success: true, message: 'The host restarts' }
  })
}

interface MetricSources {
  readonly host: HostControl
  readonly chat: Ref<Chat>
  readonly stream: Ref<EventStream>
  readonly http: Ref<HttpHost>
}

function contributeMetrics(
  ctx: BaseContext<unknown>,
  { host, chat, stream, http }: MetricSources,
  isReady: () => Promise<boolean>,
  root: string | undefined,
): void {
  const answers = new HttpMetrics()
  ctx.on(answered, (answer) => answers.count(answer, answer.route !== `${http.current?.apiPrefix}/events`))
  const ofProcess = processMetrics()
  ctx.onDispose('event loop monitor', ofProcess.stop)
  for (const metric of [
    ...ofProcess.metrics,
    ...hostMetrics(host, () => ctx.clock.now()),
    ...answers.metrics,
    ...streamMetrics(stream),
    ...chatMetrics(chat),
    ...healthMetrics(isReady, root),
  ])
    ctx.contribute(metrics, metric)
  const all = ctx.read(metrics)
  ctx.contribute(
    routes,
    route(system.rest, 'GET /metrics', async (_, { response }) => void response.end(await formatMetrics(all, host))),
  )
}

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
    reloader: ref(PluginReloader),
    loop: ref(AuthorLoop),
  },
  setup(ctx) {
    const { host, chat } = ctx
    const root = ctx.paths.current?.root
    const redact = reasonRedactor(host, root)
    const checks = ctx.read(readinessChecks)
    const readiness = () => checkReadiness(host, checks, ctx.clock, redact)
    const status = systemStatus(
      () => host.startedAt,
      () => ctx.clock.now(),
    )
    const stats = statistics(ctx, { host, chat, commands: ctx.read(commands), components: ctx.read(components) })
    for (const bound of [
      route(system.rest, 'GET /system/status', () => status()),
      route(system.rest, 'GET /stats', stats),
      ...pluginRoutes(host, redact, root),
      ...endpointRoutes(chat),
      route(system.rest, 'GET /ready', async () => {
        const { ready, serves } = await readiness()
        if (!serves) throw new WireError('not_ready', 'Not every part of the host is ready', { data: ready })
        return ready
      }),
    ])
      ctx.contribute(routes, bound)
    ctx.on(endpointChanged, () => ctx.emit(dataChanged, { what: 'endpoints' }))
    contributeMetrics(ctx, ctx, async () => (await readiness()).serves, root)
    ctx.contribute(
      streamEvents,
      declare(system.events, 'system:restarting', () => true),
    )
    ctx.contribute(rpcMethods, reloadMethod(host, ctx.reloader, redact))
    if (ctx.loop.current) contributeLoop(ctx, ctx.loop.current, redact)
    const notify = (): void => void ctx.emit(publish, event(system.events, 'system:restarting', null))
    ctx.contribute(rpcMethods, restartMethod({ supervisor: ctx.supervisor, clock: ctx.clock, log: ctx.log, notify }))
  },
})
