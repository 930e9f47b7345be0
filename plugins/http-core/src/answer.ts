// The frame around every request: its id and headers, and the one place where failures become answers.
import { randomUUID } from 'node:crypto'
import { isWireError, WireError } from '@mynah/contract'
import { messageOf, toError, type HostControl } from '@mynah/kernel'
import type { Answered } from './api.js'
import { assertHeaders } from './headers.js'
import { bounded } from './echo.js'
import { ANONYMOUS, isUnsent, targetOf, type HttpContext, type Step } from './exchange.js'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cache-control', 'no-store'],
]

/** Answers with a value as JSON. */
export function answerJson(ctx: HttpContext, status: number, value: unknown): void {
  const text = JSON.stringify(value) ?? 'null'
  ctx.status = status
  ctx.res.setHeader('content-type', JSON_TYPE)
  ctx.body = text
}

/** Messages may quote what adapters, providers and other servers have said: none of it takes a secret or a path along. */
function fail(ctx: HttpContext, error: WireError, redact: HostControl['redact']): void {
  const { res } = ctx
  for (const header of ['content-encoding', 'etag', 'last-modified']) res.removeHeader(header)
  res.setHeader('cache-control', 'no-store')
  if (error.status === 401) res.setHeader('www-authenticate', 'Bearer')
  if (error.retryAfter !== undefined) res.setHeader('retry-after', String(error.retryAfter))
  const { body } = ctx.request as { body?: unknown }
  const echoed = body === undefined ? undefined : ctx.state.found?.bound?.route.echo?.(body)
  ctx.respond = true
  answerJson(ctx, error.status, {
    success: false,
    error: redact(bounded(error.message)),
    code: error.code,
    ...(error.details
      ? {
          details: error.details.map(({ path, message }) => ({
            path: bounded(path),
            message: redact(bounded(message)),
          })),
        }
      : {}),
    ...(error.data === undefined ? {} : { data: error.data }),
    ...echoed,
  })
}

export interface Frame {
  readonly host: HostControl
  /** Name of the plugin that answers where no route does. */
  readonly self: string
  readonly answered: (answer: Answered) => void
}

/** Runs the steps inside; whatever they throw is answered here and told to nobody but the log of the plugin at fault. */
export function answering({ host, self, answered }: Frame): Step {
  function settle(ctx: HttpContext, thrown: unknown): void {
    if (!isUnsent(ctx.res)) {
      // The client is gone, or half an answer is out: an end that looks whole would be a lie.
      if (!ctx.res.destroyed || !isWireError(thrown))
        host
          .loggerOf(ctx.state.found?.bound?.owner ?? self)
          .warn('an answer broke off', { requestId: ctx.state.requestId, error: messageOf(thrown) })
      ctx.respond = false
      ctx.res.destroy()
      return
    }
    if (isWireError(thrown)) return fail(ctx, thrown, host.redact)
    const owner = ctx.state.found?.bound?.owner ?? self
    host.loggerOf(owner).error(`${ctx.req.method} ${ctx.state.found?.bound?.path ?? ''} failed`, {
      requestId: ctx.state.requestId,
      stack: toError(thrown).stack,
    })
    fail(
      ctx,
      new WireError('internal', `The host failed; its log knows why, under ${ctx.state.requestId}`),
      host.redact,
    )
  }

  return async (ctx, next) => {
    const began = performance.now()
    const { req, res, state } = ctx
    state.requestId = randomUUID()
    state.principal = ANONYMOUS
    for (const [name, value] of SECURITY_HEADERS) res.setHeader(name, value)
    res.setHeader('x-request-id', state.requestId)
    try {
      assertHeaders(req)
      const target = targetOf(req)
      if (!target) throw new WireError('invalid_request', 'The request target is no path')
      state.path = target.path
      state.query = target.query
      await next()
    } catch (error) {
      settle(ctx, error)
    }
    answered({
      method: req.method ?? '',
      route: state.found?.bound?.path ?? '-',
      status: res.statusCode,
      ms: performance.now() - began,
    })
  }
}
