import { Router, type Layer } from '@koa/router'
import type { Contribution, Reader } from '@mynah/kernel'
import type { Route } from './api.js'

/** A route with its owner and its full path. */
export interface BoundRoute {
  readonly route: Route
  readonly owner: string
  readonly path: string
}

/** Result of a search for a method and a path. */
export interface RouteMatch {
  readonly bound: BoundRoute | undefined
  /** Decoded parameters; `undefined` if a percent sequence is malformed. */
  readonly params: Record<string, string> | undefined
  /** Methods of the path, if the path exists but the method does not. */
  readonly allowed: readonly string[]
}

const NO_MATCH: RouteMatch = { bound: undefined, params: {}, allowed: [] }
const hasParameters = (path: string): boolean => /[:*{]/.test(path)
const noop = (): void => {}

/** Returns whether the path of a route is absolute, not relative to the management prefix. */
const isAbsolute = ({ operation }: Route): boolean => operation.scope === 'public' || operation.scope === 'webhook'

/** Returns the full path of a route. */
export const pathOf = (route: Route, prefix: string): string => (isAbsolute(route) ? route.path : prefix + route.path)

/** One immutable state of all routes: a map for plain paths, @koa/router for paths with parameters. */
class Table {
  readonly #plain = new Map<string, Map<string, BoundRoute>>()
  readonly #router = new Router({ sensitive: true, strict: true })
  readonly #layers = new WeakMap<object, BoundRoute>()

  constructor(
    contributions: readonly Contribution<Route>[],
    prefix: string,
    report: (owner: string, error: unknown) => void,
  ) {
    for (const { value: route, owner } of contributions) {
      const bound: BoundRoute = { route, owner, path: pathOf(route, prefix) }
      try {
        this.#add(bound)
      } catch (error) {
        report(owner, new Error(`The route "${route.method} ${route.path}" is malformed`, { cause: error }))
      }
    }
  }

  #add(bound: BoundRoute): void {
    const {
      path,
      route: { method },
    } = bound
    if (hasParameters(path)) {
      this.#layers.set(this.#router.register(path, [method], noop), bound)
      return
    }
    let methods = this.#plain.get(path)
    if (!methods) this.#plain.set(path, (methods = new Map()))
    methods.set(method, bound)
  }

  find(method: string, path: string): RouteMatch {
    const wanted = method === 'HEAD' ? 'GET' : method
    const plain = this.#plain.get(path)
    const bound = plain?.get(wanted)
    if (bound) return { bound, params: {}, allowed: [] }
    const matched = this.#router.match(path, wanted)
    const layer = matched.pathAndMethod[0]
    if (layer) return { bound: this.#layers.get(layer), params: paramsOf(layer, path), allowed: [] }
    if (!plain && matched.path.length === 0) return NO_MATCH
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

/** The current routes of a host. The table is rebuilt as a whole when routes change. */
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

  /** Finds the route of a method and a path. GET routes answer HEAD. */
  find(method: string, path: string): RouteMatch {
    const { revision } = this.#reader
    if (!this.#table || revision !== this.#revision) {
      this.#table = new Table(this.#reader.all(), this.#prefix, this.#report)
      this.#revision = revision
    }
    return this.#table.find(method, path)
  }
}
