// The steps of a request, in order.
import Koa from 'koa'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answering, type Frame } from './answer.js'
import { authentication, type Access } from './authentication.js'
import type { CallParts } from './call.js'
import { crossOrigin } from './cors.js'
import { dispatch } from './dispatch.js'
import type { Exchange, Step } from './exchange.js'
import { guardHost } from './guard.js'
import type { RouteTable } from './router.js'

/** Finds the route first: what is declared of it decides about tokens and scopes. */
function locate(routes: RouteTable): Step {
  return async (ctx, next) => {
    ctx.state.found = routes.find(ctx.req.method ?? '', ctx.state.path)
    await next()
  }
}

/** The request handler of a host. */
export function application(
  parts: Frame & Access & CallParts & { readonly routes: RouteTable },
): (request: IncomingMessage, response: ServerResponse) => void {
  const app = new Koa<Exchange>()
  // Failures end in the first step; what is left here are sockets that broke while being written to.
  app.on('error', (error: Error) => parts.log.debug('a connection broke', { error: error.message }))
  const steps: Step[] = [
    answering(parts),
    guardHost(parts.settings),
    ...crossOrigin(parts.settings),
    locate(parts.routes),
    authentication(parts),
    dispatch(parts),
  ]
  for (const step of steps) app.use(step as never)
  const handle = app.callback()
  return (request, response) => void handle(request, response)
}
