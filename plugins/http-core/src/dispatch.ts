import { parse } from 'node:querystring'
import { reducer, WireError, type RestInput, type RestOperation } from '@mynah/contract'
import { assertFits } from '@mynah/contract/validate'
import { sendJson } from './response.js'
import { readJson } from './body.js'
import { isCrossOrigin } from './cors.js'
import { bodyLimitOf, HandlerCall, type CallServices } from './call.js'
import type { HttpContext, Step } from './request-state.js'
import type { BoundRoute } from './router.js'

/** Methods that change nothing. */
const READS = /^(?:GET|HEAD|OPTIONS)$/

/** Returns the declared fields of the query. Others are ignored, as are fields of the prototype. */
function queryOf(schema: NonNullable<RestOperation['query']>, text: string): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  if (text === '') return query
  const sent = parse(text)
  for (const field of Object.keys(schema.properties)) if (sent[field] !== undefined) query[field] = sent[field]
  return query
}

/** Returns the validated input of a handler. */
function inputOf(ctx: HttpContext, { route: { operation } }: BoundRoute, body: unknown): RestInput<RestOperation> {
  const { state } = ctx
  const params = state.match?.params
  if (!params) throw new WireError('invalid_request', 'The path has a malformed percent sequence')
  if (operation.params) assertFits(operation.params, params, 'params', { coerce: true })
  let query: Record<string, unknown> = {}
  if (operation.query)
    assertFits(operation.query, (query = queryOf(operation.query, state.query)), 'query', { coerce: true })
  if (operation.body && operation.raw === undefined) assertFits(operation.body, body, 'body')
  return { params, query, body: operation.body ? body : undefined } as RestInput<RestOperation>
}

/** Calls a handler that writes its answer itself and reads the body itself. */
async function handleRaw(ctx: HttpContext, bound: BoundRoute, type: string, parts: CallServices): Promise<void> {
  const { req, res } = ctx
  const input = inputOf(ctx, bound, undefined)
  res.statusCode = bound.route.operation.status ?? 200
  res.setHeader('content-type', type)
  ctx.respond = false
  // HEAD must not open a stream, because it would never end. The declared content type is enough for its headers.
  if (req.method === 'HEAD' && type.startsWith('text/event-stream')) res.end()
  else await bound.route.handler(input, new HandlerCall(ctx, bound, parts))
}

/** Calls a handler and reduces its result to the declared fields. */
async function handleJson(ctx: HttpContext, bound: BoundRoute, parts: CallServices): Promise<void> {
  const { operation, handler } = bound.route
  const { method } = ctx.req
  const body =
    method === 'GET' || method === 'HEAD'
      ? undefined
      : await readJson(ctx, bodyLimitOf(bound, parts.settings(), ctx.state.principal))
  const result = await handler(inputOf(ctx, bound, body), new HandlerCall(ctx, bound, parts))
  const status = ctx.state.status ?? operation.status ?? 200
  if (operation.reply) sendJson(ctx, status, reducer(operation.reply)(result))
  else
    sendJson(ctx, status, {
      success: true,
      data: (operation.data ? reducer(operation.data)(result) : undefined) ?? null,
    })
}

/** Refuses a request that changes something and comes from a process of this host. */
async function assertForeign({ req, state }: HttpContext, { route, path }: BoundRoute, parts: CallServices) {
  if (route.checksSender === true || READS.test(req.method ?? '')) return
  await parts.senders.assertForeign(req, `${route.method} ${path}`, state.principal.name)
}

/** Returns the last step, which calls the handler or answers that there is none. */
export function dispatch(parts: CallServices): Step {
  return async (ctx) => {
    const { match } = ctx.state
    if (!match?.bound) {
      // While the host starts or stops, the plugin of a webhook may be missing for a moment. A platform gives up after
      // a 404.
      if (!match?.allowed.length && parts.host.status !== 'running' && ctx.state.path.includes('/webhook'))
        throw new WireError('not_ready', 'The host is not ready')
      if (!match?.allowed.length) throw new WireError('not_found', 'Not found')
      ctx.res.setHeader('allow', match.allowed.join(', '))
      if (ctx.req.method !== 'OPTIONS')
        throw new WireError('method_not_allowed', `Method not allowed; use ${match.allowed.join(', ')}`)
      ctx.status = 204
      return
    }
    const { operation, rejectCrossOrigin } = match.bound.route
    if (rejectCrossOrigin && isCrossOrigin(ctx.req, parts.settings()))
      throw new WireError('forbidden', 'Pages of this origin may not send this request; see http.corsOrigins')
    await assertForeign(ctx, match.bound, parts)
    if (operation.scope === 'public') ctx.res.setHeader('cross-origin-resource-policy', 'cross-origin')
    if (operation.raw === undefined) await handleJson(ctx, match.bound, parts)
    else await handleRaw(ctx, match.bound, operation.raw, parts)
  }
}
