import Koa from 'koa'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorBoundary, type ErrorBoundaryOptions } from './error-boundary.js'
import { authentication, type AuthenticationOptions } from './authentication.js'
import type { CallServices } from './call.js'
import { corsSteps } from './cors.js'
import { dispatch } from './dispatch.js'
import type { RequestState, Step } from './request-state.js'
import { hostGuard } from './host-guard.js'
import type { RouteTable } from './router.js'

/** Finds the route before authentication, because the operation declares which tokens and scopes it accepts. */
function locate(routes: RouteTable): Step {
  return async (ctx, next) => {
    ctx.state.match = routes.find(ctx.req.method ?? '', ctx.state.path)
    await next()
  }
}

/** Returns the request handler of a host: the steps of a request, in order. */
export function application(
  parts: ErrorBoundaryOptions & AuthenticationOptions & CallServices & { readonly routes: RouteTable },
): (request: IncomingMessage, response: ServerResponse) => void {
  const app = new Koa<RequestState>()
  // The first step handles all failures. Only sockets that break while being written to arrive here.
  app.on('error', (error: Error) => parts.log.debug('a connection broke off', { error: error.message }))
  const steps: Step[] = [
    errorBoundary(parts),
    hostGuard(parts.settings),
    ...corsSteps(parts.settings),
    locate(parts.routes),
    authentication(parts),
    dispatch(parts),
  ]
  for (const step of steps) app.use(step as never)
  const handle = app.callback()
  return (request, response) => void handle(request, response)
}
