import { consoleApi } from '@mynah/contract'
import { Cluster, definePlugin, HostControl, ref } from '@mynah/kernel'
import { streamEvents } from '@mynah/plugin-events/api'
import { route, routes } from '@mynah/plugin-http-core/api'
import { method, rpcMethods } from './api.js'
import { catalogueOf } from './catalogue.js'
import { dispatcher } from './dispatch.js'
import { answerOthers, runOrAsk } from './other-hosts.js'

/** Maximum bytes of a request, enough for the largest file that may be uploaded, as base64. */
const BODY_LIMIT = 12 * 1_048_576

/** Returns the correlation id of a request, if it has one. */
function correlation(body: unknown): { requestId?: number } {
  const requestId = typeof body === 'object' && body !== null ? (body as { requestId?: unknown }).requestId : undefined
  return typeof requestId === 'number' ? { requestId } : {}
}

export default definePlugin({
  name: 'console-rpc',
  description: 'The console RPC entry point and its catalogue',
  descriptions: { 'zh-CN': '控制台 RPC 入口及其方法目录' },
  needs: { host: HostControl, cluster: ref(Cluster) },
  setup(ctx) {
    const methods = ctx.read(rpcMethods)
    const events = ctx.read(streamEvents)
    const dispatch = dispatcher(methods, ctx.host)
    ctx.onDispose('calls of other hosts', answerOthers(ctx.cluster, dispatch, ctx.log))
    ctx.contribute(
      rpcMethods,
      method(consoleApi.rpc, 'ping', () => ({ type: 'pong' as const })),
    )
    ctx.contribute(
      routes,
      route(
        consoleApi.rest,
        'POST /console/request',
        async ({ body }, call) => {
          const data = await runOrAsk(ctx.cluster.current, methods, dispatch, body, call)
          return { success: true, data: data ?? null, ...correlation(body) }
        },
        { bodyLimit: BODY_LIMIT, echo: correlation, checksSender: true },
      ),
    )
    ctx.contribute(
      routes,
      route(consoleApi.rest, 'GET /console/methods', () => catalogueOf(methods, events)),
    )
  },
})
