import type { IncomingMessage } from 'node:http'
import cors from '@koa/cors'
import type { HttpContext, Step } from './request-state.js'
import type { Settings } from './settings.js'

const ALLOWED_HEADERS = ['authorization', 'content-type', 'last-event-id']
/** Headers of an answer that a page may read. */
const EXPOSED_HEADERS = ['x-request-id', 'retry-after']
const MAX_AGE_S = 600

const isPreflight = (ctx: HttpContext): boolean =>
  ctx.req.method === 'OPTIONS' &&
  ctx.req.headers.origin !== undefined &&
  ctx.req.headers['access-control-request-method'] !== undefined

/** Returns whether a browser sent the request for a page whose origin is not allowed. False for clients other than browsers. */
export function isCrossOrigin({ headers }: IncomingMessage, { corsOrigins }: Settings): boolean {
  const { origin } = headers
  if (origin !== undefined)
    return !corsOrigins.has(origin) && origin !== `http://${headers.host}` && origin !== `https://${headers.host}`
  // Requests of images, scripts and links carry no Origin header, but they carry Sec-Fetch-Site.
  const site = headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}

/** Returns the steps that add CORS headers for allowed origins, on failures too, and answer every preflight. */
export function corsSteps(settings: () => Settings): Step[] {
  const headers = cors({
    origin: (ctx) => {
      const { origin } = ctx.req.headers
      return origin !== undefined && settings().corsOrigins.has(origin) ? origin : ''
    },
    allowHeaders: ALLOWED_HEADERS,
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: MAX_AGE_S,
    privateNetworkAccess: true,
    // The error boundary answers failures after these headers are set.
    keepHeadersOnError: false,
  })
  // The answer to a rejected preflight must not reveal anything about the path, such as its methods.
  const preflight: Step = async (ctx, next) => {
    if (!isPreflight(ctx)) return next()
    ctx.status = 204
  }
  return [headers as unknown as Step, preflight]
}
