// Public API of the HTTP server for other plugins.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { hook, point, service, type Logger, type Service } from '@mynah/kernel'
import type { RefusedSender } from './senders/sender-check.js'
import type { CommandRuns as CommandRunsOf } from './senders/socket-owners.js'
import type { Ready, RestInput, RestOperation, RestOperations, RestOutput } from '@mynah/contract'

/** The caller: anonymous, or the holder of a token. */
export interface Principal {
  /** The token's name, `anonymous` without one. */
  readonly name: string
  readonly scope: 'public' | 'monitor' | 'demo' | 'full'
}

/** Context of a call, passed to a handler together with the validated input. */
export interface Call {
  readonly principal: Principal
  /** Aborts when the client disconnects, its token is revoked, or the host drains. */
  readonly signal: AbortSignal
  /** Id of the request in the log and in the header `x-request-id`. */
  readonly requestId: string
  /** Logger of the plugin that owns the route. */
  readonly log: Logger
  /** Address of the client. A forwarded address counts only when it comes from a trusted proxy. */
  readonly address: string
  /** Origin of the page that sent the request, in lower case. */
  readonly origin: string | undefined
  /** Replaces the declared status of the answer. */
  setStatus(status: number): void
  /**
   * Refuses an action of a process that this host started, or that cannot be distinguished from one. Routes whose
   * method is not GET, HEAD or OPTIONS are checked before their handler is called, unless they have `checksSender`.
   *
   * @param action names it in the audit
   * @throws WireError `forbidden:descendant`
   */
  assertForeignSender(action: string): Promise<void>
}

/** Context of a call to a `raw` operation, which writes its answer itself. The headers of the host are already set. */
export interface RawCall extends Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Reads the exact bytes of the body, for example to check a signature. Rejects with `too_large` above the limit. */
  body(): Promise<Buffer>
  /** Reads the body as JSON with the same limits as other operations. Rejects with `invalid_request` for other text. */
  json(): Promise<unknown>
}

export { responseBytes, TooManyBytes } from './response-bytes.js'

type Awaitable<T> = T | Promise<T>
export type CallOf<O extends RestOperation> = O['raw'] extends string ? RawCall : Call

/** Settings of a route that are not part of its operation. */
export interface RouteOptions {
  /** Maximum size of the body in bytes; default `http.bodyLimit`. */
  readonly bodyLimit?: number
  /**
   * Rejects requests of pages whose origin is not in `http.corsOrigins`, including requests that a browser sends
   * although
   * the page cannot read the answer.
   */
  readonly rejectCrossOrigin?: true
  /** The handler calls `assertForeignSender` itself where a request changes something. */
  readonly checksSender?: true
  /** Returns fields of the request body that are copied into a failure. */
  readonly echo?: (body: unknown) => Readonly<Record<string, unknown>>
}

/** An operation with its handler. */
export interface Route extends RouteOptions {
  readonly method: string
  /** Absolute for the scopes `public` and `webhook`, otherwise relative to the management prefix. */
  readonly path: string
  readonly operation: RestOperation
  readonly handler: (input: RestInput<RestOperation>, call: RawCall) => Awaitable<unknown>
}

/** A console that the command line serves on this machine. */
export interface LocalConsole {
  /** Origins of the console. They are allowed as if `http.corsOrigins` listed them. */
  readonly origins: readonly string[]
}
/** Provided by the command line when it serves a console. */
export const LocalConsole: Service<LocalConsole> = service<LocalConsole>('local console')

/** All routes of a host. The server, the OpenAPI document and the client typings are views of this point. */
export const routes = point<Route>({
  id: 'http.routes',
  key: (route) => `${route.method} ${route.path}`,
  describe: (route) => ({ name: `${route.method} ${route.path}`, description: route.operation.summary }),
})

/**
 * Returns a route that binds an operation to its handler.
 *
 * @throws Error for a webhook without `/webhook` in its path
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

/** A client that asks to speak another protocol on its connection, such as WebSocket. */
export interface UpgradeCall {
  readonly request: IncomingMessage
  /** The plugin that accepts the call closes it. */
  readonly socket: Duplex
  /** Bytes that the client has sent after its request. */
  readonly head: Buffer
  /** The decoded part of the path after {@link Upgrade.path}. */
  readonly rest: string
  readonly query: URLSearchParams
  /** Aborts when the host drains. Connections that are still open four seconds later are cut. */
  readonly signal: AbortSignal
  /** Logger of the plugin that owns the upgrade. */
  readonly log: Logger
}

/** A path below which clients may upgrade their connections to WebSockets. */
export interface Upgrade {
  /** Beginning of the path. It contains `/webhook` and ends with a slash. */
  readonly path: string
  readonly summary: string
  /**
   * Authenticates the client and takes its connection. A `WireError` refuses it. `unauthorized` counts as a wrong
   * token of its address.
   */
  accept(call: UpgradeCall): Awaitable<void>
}
/** The point for paths that take WebSockets. Requests for other paths are answered as if they asked for no upgrade. */
export const upgrades = point<Upgrade>({
  id: 'http.upgrades',
  key: ({ path }) => path,
  describe: ({ path, summary }) => ({ name: `WebSocket ${path}`, description: summary }),
})

/** The running server. */
export interface HttpHost {
  /** Management prefix, `/api` unless configured. */
  readonly apiPrefix: string
  /** Address that the server listens on. */
  readonly address: { readonly host: string; readonly port: number }
  /** `http://host:port`. */
  readonly origin: string
}
/** The HTTP server of the host. */
export const Http: Service<HttpHost> = service<HttpHost>('http', { plugin: 'http-core' })

export type CommandRuns = CommandRunsOf
export type { RefusedSender } from './senders/sender-check.js'

/** Provided by the plugin that runs commands. Their processes may not send requests that change something. */
export const CommandRuns: Service<CommandRuns> = service<CommandRuns>('command runs', { plugin: 'exec-security' })

/** Emitted for each refused action of a process of this host. */
export const refusedSenders = hook<RefusedSender>('http.refused-senders')

/** Source of the admin token. */
export interface AdminToken {
  /** The token that opens all routes now. */
  readonly value: string
  /**
   * Reads the token again from the environment and the data directory. Ends the streams of a token that was replaced.
   */
  reload(): void
}
export const AdminToken: Service<AdminToken> = service<AdminToken>('admin token', { plugin: 'http-core' })

/**
 * A token that opens one route of a plugin. It gets 403 everywhere else below the prefix. The plugin itself limits how
 * often
 * the token may be used.
 */
export interface RouteToken {
  /** Name of the caller in logs. */
  readonly name: string
  readonly token: string
  /** Method and path of the route as declared, such as `POST /things/events`. */
  readonly opens: string
}
/** The point for tokens that open single routes. */
export const routeTokens = point<RouteToken>({ id: 'http.route-tokens', key: ({ name }) => name })

/**
 * A check of whether a part of the host can do its work. `GET {api_prefix}/ready` returns the results of all checks.
 */
export interface ReadinessCheck {
  readonly name: string
  check(): Awaitable<Ready['checks'][string]>
}
/** The point for checks of whether a part of the host can do its work. */
export const readinessChecks = point<ReadinessCheck>({ id: 'http.readiness', key: (check) => check.name })

/** Method, route, status and duration of an answered request, for metrics. */
export interface Answered {
  readonly method: string
  /** Declared path of the route, never the requested path; `-` where no route matched. */
  readonly route: string
  readonly status: number
  readonly ms: number
}
/** Emitted after each answer of a handler or of the server itself. */
export const answered = hook<Answered>('http.answered')

export { parseJson } from './parse-json.js'
