// Which route answers a request: a map for plain paths, @koa/router for those with parameters. Rebuilt whole when routes change.
import { Router, type Layer } from '@koa/router'
import type { Contribution, Reader } from '@mynah/kernel'
import type { Route } from './api.js'

/** A route with the plugin that owns it and its whole path. */
export interface Bound {
  readonly route: Route
  readonly owner: string
  readonly path: string
}

/** What was found for a method and a path. */
export interface Found {
  readonly bound: Bound | undefined
  /** Decoded; `undefined` where a percent sequence is malformed. */
  readonly params: Record<string, string> | undefined
  /** Methods that the path has, where there is such a path. */
  readonly allowed: readonly string[]
}

const NOTHING: Found = { bound: undefined, params: {}, allowed: [] }
const hasParameters = (path: string): boolean => /[:*{]/.test(path)
const pass = (): void => {}

/** Whether a route stands at its own path instead of below the management prefix. */
export const isAbsolute = ({ operation }: Route): boolean =>
  operation.scope === 'public' || operation.scope === 'webhook'

/** The whole path of a route. */
export const pathOf = (route: Route, prefix: string): string => (isAbsolute(route) ? route.path : prefix + route.path)

/** One immutable state of all routes. */
class Table {
  readonly #plain = new Map<string, Map<string, Bound>>()
  readonly #router = new Router({ sensitive: true, strict: true })
  readonly #layers = new WeakMap<object, Bound>()

  constructor(
    contributions: readonly Contribution<Route>[],
    prefix: string,
    report: (owner: string, error: unknown) => void,
  ) {
    for (const { value: route, owner } of contributions) {
      const bound: Bound = { route, owner, path: pathOf(route, prefix) }
      try {
        this.#add(bound)
      } catch (error) {
        report(owner, new Error(`The route "${route.method} ${route.path}" is malformed`, { cause: error }))
      }
    }
  }

  #add(bound: Bound): void {
    const {
      path,
      route: { method },
    } = bound
    if (hasParameters(path)) {
      this.#layers.set(this.#router.register(path, [method], pass), bound)
      return
    }
    let methods = this.#plain.get(path)
    if (!methods) this.#plain.set(path, (methods = new Map()))
    methods.set(method, bound)
  }

  find(method: string, path: string): Found {
    const wanted = method === 'HEAD' ? 'GET' : method
    const plain = this.#plain.get(path)
    const bound = plain?.get(wanted)
    if (bound) return { bound, params: {}, allowed: [] }
    const matched = this.#router.match(path, wanted)
    const layer = matched.pathAndMethod[0]
    if (layer) return { bound: this.#layers.get(layer), params: paramsOf(layer, path), allowed: [] }
    if (!plain && matched.path.length === 0) return NOTHING
    const methods = new Set<string>([
      'OPTIONS',
      ...(plain?.keys() ?? []),
      ...matched.path.flatMap((other) => other.methods),
    ])
    if (methods.has('GET')) methods.add('HEAD')
    return { bound: undefined, params: {}, allowed: Array.from(methods).sort() }
  }
}

function paramsOf(layer: Layer, path: string): Record<string, string> | undefined {
  const captures = layer.captures(path)
  return captures.every(isDecodable) ? layer.params(path, captures) : undefined
}

function isDecodable(text: string | undefined): boolean {
  try {
    decodeURIComponent(text ?? '')
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/** The routes of a host as they are now. */
export class RouteTable {
  readonly #reader: Reader<Route>
  readonly #prefix: string
  readonly #report: (owner: string, error: unknown) => void
  #table: Table | undefined
  #revision = -1

  constructor(reader: Reader<Route>, prefix: string, report: (owner: string, error: unknown) => void) {
    this.#reader = reader
    this.#prefix = prefix
    this.#report = report
  }

  /** The route of a method and a path. HEAD is answered by GET. */
  find(method: string, path: string): Found {
    const { revision } = this.#reader
    if (!this.#table || revision !== this.#revision) {
      this.#table = new Table(this.#reader.all(), this.#prefix, this.#report)
      this.#revision = revision
    }
    return this.#table.find(method, path)
  }
}
