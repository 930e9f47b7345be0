// Which pages of other origins may call this host: exactly those of `http.corsOrigins`.
import type { IncomingMessage } from 'node:http'
import cors from '@koa/cors'
import type { HttpContext, Step } from './exchange.js'
import type { Settings } from './settings.js'

const ALLOWED_HEADERS = ['authorization', 'content-type', 'last-event-id']
/** What a page may read of an answer beside its body. */
const EXPOSED_HEADERS = ['x-request-id', 'retry-after']
const MAX_AGE_S = 600

const isPreflight = (ctx: HttpContext): boolean =>
  ctx.req.method === 'OPTIONS' &&
  ctx.req.headers.origin !== undefined &&
  ctx.req.headers['access-control-request-method'] !== undefined

/** Whether a browser asks for a page of another origin than those allowed; what no browser sends is nobody's page. */
export function isFromForeignPage({ headers }: IncomingMessage, { corsOrigins }: Settings): boolean {
  const { origin } = headers
  if (origin !== undefined)
    return !corsOrigins.has(origin) && origin !== `http://${headers.host}` && origin !== `https://${headers.host}`
  // Images, scripts and links carry no origin, but say where they come from.
  const site = headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}

/** Adds CORS headers for allowed origins, on failures too, and answers every preflight. */
export function crossOrigin(settings: () => Settings): Step[] {
  const headers = cors({
    origin: (ctx) => {
      const { origin } = ctx.req.headers
      return origin !== undefined && settings().corsOrigins.has(origin) ? origin : ''
    },
    allowHeaders: ALLOWED_HEADERS,
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: MAX_AGE_S,
    privateNetworkAccess: true,
    // Failures are answered inside, with the headers in place.
    keepHeadersOnError: false,
  })
  // A refused preflight must say nothing more than that: no allow header, and nothing about the path.
  const preflight: Step = async (ctx, next) => {
    if (!isPreflight(ctx)) return next()
    ctx.status = 204
  }
  return [headers as unknown as Step, preflight]
}
