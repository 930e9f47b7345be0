// What other plugins may know of the HTTP server: how to add a route, and what a call tells its handler.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hook, point, service, type Logger, type Service } from '@mynah/kernel'
import type { Ready, RestInput, RestOperation, RestOperations, RestOutput } from '@mynah/contract'

/** Who calls: nobody in particular, or the holder of a token. */
export interface Principal {
  /** The token's name, `anonymous` without one. */
  readonly name: string
  readonly scope: 'public' | 'monitor' | 'demo' | 'full'
}

/** What a handler knows of its call beside the validated input. */
export interface Call {
  readonly principal: Principal
  /** Aborts when the client goes, its token is revoked, or the host drains. */
  readonly signal: AbortSignal
  /** Stands in the log and in the header `x-request-id`. */
  readonly requestId: string
  /** A logger in the name of the plugin that owns the route. */
  readonly log: Logger
  /** Address of the client; a forwarded one only from a trusted proxy. */
  readonly address: string
  /** Origin of the page that a browser calls for, in lower case. */
  readonly origin: string | undefined
  /** Answers with this status instead of the declared one. */
  setStatus(status: number): void
}

/** The exchange itself, for `raw` operations: headers of the host are set already. */
export interface RawCall extends Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The exact bytes of the body, within the limit of the host; for signatures. */
  body(): Promise<Buffer>
  /** The same as JSON, bounded like that of other operations; rejects with `invalid_request` where it is none. */
  json(): Promise<unknown>
}

export { responseBytes, TooManyBytes } from './response-bytes.js'

type Awaitable<T> = T | Promise<T>
export type CallOf<O extends RestOperation> = O['raw'] extends string ? RawCall : Call

/** What a route may ask of the server beside its operation. */
export interface RouteOptions {
  /** Bytes that the body may have, where they differ from `http.bodyLimit`. */
  readonly bodyLimit?: number
  /** Refuses requests that a browser makes for a page whose origin is not in `http.corsOrigins`, also those whose answer the page could not read. */
  readonly rejectCrossOrigin?: true
  /** Fields that a failure carries beside its envelope, taken from the body that came. */
  readonly echo?: (body: unknown) => Readonly<Record<string, unknown>>
}

/** A bound operation. */
export interface Route extends RouteOptions {
  readonly method: string
  /** Absolute for `public` and `webhook`, else below the management prefix. */
  readonly path: string
  readonly operation: RestOperation
  readonly handler: (input: RestInput<RestOperation>, call: RawCall) => Awaitable<unknown>
}

/** The console that whoever started the host serves beside it, on this machine. */
export interface LocalConsole {
  /** Its origins, which may call the host as if `http.corsOrigins` named them. */
  readonly origins: readonly string[]
}
/** Provided by the command line where it serves one. */
export const LocalConsole: Service<LocalConsole> = service<LocalConsole>('local console')

/** All routes of a host; the server, the OpenAPI document and the client typings are views of it. */
export const routes = point<Route>({
  id: 'http.routes',
  key: (route) => `${route.method} ${route.path}`,
  describe: (route) => ({ name: `${route.method} ${route.path}`, description: route.operation.summary }),
})

/**
 * Binds an operation to its handler.
 *
 * @example ctx.contribute(routes, route(greeter.rest, 'GET /greeter/:name', ({ params }) => greet(params.name)))
 */
export function route<O extends RestOperations, K extends keyof O & string>(
  operations: O,
  key: K,
  handler: (input: RestInput<O[K]>, call: CallOf<O[K]>) => Awaitable<RestOutput<O[K]>>,
  options: RouteOptions = {},
): Route {
  const [method = '', path = ''] = key.split(' ')
  const operation = operations[key] as RestOperation
  if (operation.scope === 'webhook' && !path.includes('/webhook'))
    throw new Error(`The webhook route "${key}" must have /webhook in its path`)
  return { method, path, operation, handler: handler as Route['handler'], ...options }
}

/** The running server. */
export interface HttpHost {
  /** Management prefix, `/api` unless configured. */
  readonly apiPrefix: string
  /** Where it listens. */
  readonly address: { readonly host: string; readonly port: number }
  /** `http://host:port`. */
  readonly origin: string
}
export const Http: Service<HttpHost> = service<HttpHost>('http')

/** Source of the admin token. */
export interface AdminToken {
  /** Reads the token again from the environment and the data directory. Ends the streams of a token that was replaced. */
  reload(): void
}
export const AdminToken: Service<AdminToken> = service<AdminToken>('admin token')

/**
 * A token of a plugin's own that opens one of its routes and nothing else: 403 everywhere else below the prefix. The rate of
 * its use is the plugin's affair.
 */
export interface RouteToken {
  /** Of the caller, in logs. */
  readonly name: string
  readonly token: string
  /** As the route was declared: `POST /things/events`. */
  readonly opens: string
}
export const routeTokens = point<RouteToken>({ id: 'http.route-tokens', key: ({ name }) => name })

/** Whether a part of the host can do its work; `GET {api_prefix}/ready` tells the answers of all. */
export interface ReadinessCheck {
  readonly name: string
  check(): Awaitable<Ready['checks'][string]>
}
export const readinessChecks = point<ReadinessCheck>({ id: 'http.readiness', key: (check) => check.name })

/** One answered request, for whoever counts. */
export interface Answered {
  readonly method: string
  /** The declared path, never the one that was asked for; `-` where no route was found. */
  readonly route: string
  readonly status: number
  readonly ms: number
}
/** Emitted after each answer of a handler or of the server itself. */
export const answered = hook<Answered>('http.answered')
