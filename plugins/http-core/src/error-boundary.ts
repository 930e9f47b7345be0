import { randomUUID } from 'node:crypto'
import { isWireError, WireError } from '@mynah/contract'
import { messageOf, toError, type HostControl } from '@mynah/kernel'
import type { Answered } from './api.js'
import { assertHeaders } from './headers.js'
import { truncateMessage } from './truncate-message.js'
import { SECURITY_HEADERS, sendJson } from './response.js'
import { ANONYMOUS, isUnsent, parseTarget, type HttpContext, type Step } from './request-state.js'

/** Messages may quote adapters, model providers and other servers, so secrets and paths are redacted. */
function sendFailure(ctx: HttpContext, error: WireError, redact: HostControl['redact']): void {
  const { res } = ctx
  for (const header of ['content-encoding', 'etag', 'last-modified']) res.removeHeader(header)
  res.setHeader('cache-control', 'no-store')
  if (error.status === 401) res.setHeader('www-authenticate', 'Bearer')
  if (error.retryAfter !== undefined) res.setHeader('retry-after', String(error.retryAfter))
  const { body } = ctx.request as { body?: unknown }
  const echoed = body === undefined ? undefined : ctx.state.match?.bound?.route.echo?.(body)
  ctx.respond = true
  sendJson(ctx, error.status, {
    success: false,
    error: redact(truncateMessage(error.message)),
    code: error.code,
    ...(error.details
      ? {
          details: error.details.map(({ path, message }) => ({
            path: truncateMessage(path),
            message: redact(truncateMessage(message)),
          })),
        }
      : {}),
    ...(error.data === undefined ? {} : { data: error.data }),
    ...echoed,
  })
}

export interface ErrorBoundaryOptions {
  readonly host: HostControl
  /** Name of the plugin that answers where no route does. */
  readonly pluginName: string
  readonly answered: (answer: Answered) => void
}

/**
 * Sets the id and the headers of every answer and turns errors of the inner steps into answers.
 * The cause of an unexpected error goes only into the log of the plugin that owns the route.
 */
export function errorBoundary({ host, pluginName, answered: onAnswered }: ErrorBoundaryOptions): Step {
  function settle(ctx: HttpContext, thrown: unknown): void {
    if (!isUnsent(ctx.res)) {
      // The client is gone or has half an answer. Cutting the connection shows that the answer is incomplete.
      if (!ctx.res.destroyed || !isWireError(thrown))
        host
          .loggerOf(ctx.state.match?.bound?.owner ?? pluginName)
          .warn('failed to complete an answer', { requestId: ctx.state.requestId, error: messageOf(thrown) })
      ctx.respond = false
      ctx.res.destroy()
      return
    }
    if (isWireError(thrown)) return sendFailure(ctx, thrown, host.redact)
    const owner = ctx.state.match?.bound?.owner ?? pluginName
    host.loggerOf(owner).error(`${ctx.req.method} ${ctx.state.match?.bound?.path ?? ''} failed`, {
      requestId: ctx.state.requestId,
      stack: toError(thrown).stack,
    })
    sendFailure(
      ctx,
      new WireError('internal', `Internal error; the log of the host has the cause under ${ctx.state.requestId}`),
      host.redact,
    )
  }

  return async (ctx, next) => {
    const startedAt = performance.now()
    const { req, res, state } = ctx
    state.requestId = randomUUID()
    state.principal = ANONYMOUS
    for (const [name, value] of SECURITY_HEADERS) res.setHeader(name, value)
    res.setHeader('x-request-id', state.requestId)
    try {
      assertHeaders(req)
      const target = parseTarget(req)
      if (!target) throw new WireError('invalid_request', 'The request target is not a path')
      state.path = target.path
      state.query = target.query
      await next()
    } catch (error) {
      settle(ctx, error)
    }
    onAnswered({
      method: req.method ?? '',
      route: state.match?.bound?.path ?? '-',
      status: res.statusCode,
      ms: performance.now() - startedAt,
    })
  }
}
