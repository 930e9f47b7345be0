// From the route found to its answer: input checked, handler called, reply reduced to what is declared.
import { parse } from 'node:querystring'
import { reducer, WireError, type RestInput, type RestOperation } from '@mynah/contract'
import { assertFits } from '@mynah/contract/validate'
import { answerJson } from './answer.js'
import { readJson } from './body.js'
import { isFromForeignPage } from './cors.js'
import { limitOf, ServedCall, type CallParts } from './call.js'
import type { HttpContext, Step } from './exchange.js'
import type { Bound } from './router.js'

/** The fields of the query that are declared; others are ignored, as are those of the prototype. */
function queryOf(schema: NonNullable<RestOperation['query']>, text: string): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  if (text === '') return query
  const sent = parse(text)
  for (const field of Object.keys(schema.properties)) if (sent[field] !== undefined) query[field] = sent[field]
  return query
}

/** The checked input of a handler. */
function inputOf(ctx: HttpContext, { route: { operation } }: Bound, body: unknown): RestInput<RestOperation> {
  const { state } = ctx
  const params = state.found?.params
  if (!params) throw new WireError('invalid_request', 'The path has a malformed percent sequence')
  if (operation.params) assertFits(operation.params, params, 'params', { coerce: true })
  let query: Record<string, unknown> = {}
  if (operation.query)
    assertFits(operation.query, (query = queryOf(operation.query, state.query)), 'query', { coerce: true })
  if (operation.body && operation.raw === undefined) assertFits(operation.body, body, 'body')
  return { params, query, body: operation.body ? body : undefined } as RestInput<RestOperation>
}

/** A handler that writes its answer itself, and reads the body itself where it wants one. */
async function answerRaw(ctx: HttpContext, bound: Bound, type: string, parts: CallParts): Promise<void> {
  const { req, res } = ctx
  const input = inputOf(ctx, bound, undefined)
  res.statusCode = bound.route.operation.status ?? 200
  res.setHeader('content-type', type)
  ctx.respond = false
  // The headers of a stream are told by what is declared; opening one that nobody reads would never end.
  if (req.method === 'HEAD' && type.startsWith('text/event-stream')) res.end()
  else await bound.route.handler(input, new ServedCall(ctx, bound, parts))
}

async function answerDeclared(ctx: HttpContext, bound: Bound, parts: CallParts): Promise<void> {
  const { operation, handler } = bound.route
  const { method } = ctx.req
  const body =
    method === 'GET' || method === 'HEAD'
      ? undefined
      : await readJson(ctx, limitOf(bound, parts.settings(), ctx.state.principal))
  const result = await handler(inputOf(ctx, bound, body), new ServedCall(ctx, bound, parts))
  const status = ctx.state.status ?? operation.status ?? 200
  if (operation.reply) answerJson(ctx, status, reducer(operation.reply)(result))
  else
    answerJson(ctx, status, {
      success: true,
      data: (operation.data ? reducer(operation.data)(result) : undefined) ?? null,
    })
}

/** The last step: calls the handler, or says that there is none. */
export function dispatch(parts: CallParts): Step {
  return async (ctx) => {
    const { found } = ctx.state
    if (!found?.bound) {
      // Its plugin may be about to come, or be gone before the server: a platform that is told 404 would give up.
      if (!found?.allowed.length && parts.host.status !== 'running' && ctx.state.path.includes('/webhook'))
        throw new WireError('not_ready', 'The host is not ready')
      if (!found?.allowed.length) throw new WireError('not_found', 'Nothing is at this address')
      ctx.res.setHeader('allow', found.allowed.join(', '))
      if (ctx.req.method !== 'OPTIONS')
        throw new WireError('method_not_allowed', `This address knows ${found.allowed.join(', ')}`)
      ctx.status = 204
      return
    }
    const { operation, rejectCrossOrigin } = found.bound.route
    if (rejectCrossOrigin && isFromForeignPage(ctx.req, parts.settings()))
      throw new WireError('forbidden', 'Pages of this origin may not ask this; see http.corsOrigins')
    if (operation.scope === 'public') ctx.res.setHeader('cross-origin-resource-policy', 'cross-origin')
    if (operation.raw === undefined) await answerDeclared(ctx, found.bound, parts)
    else await answerRaw(ctx, found.bound, operation.raw, parts)
  }
}
