// What an entry of the console is given, may register, and becomes.
import type { ConsoleEntry } from '@mynah/contract/types'

/** How a page stands in the sidebar and in the window. */
export interface RouteMeta {
  readonly hideInMenu?: boolean
  readonly order?: number
  readonly group?: string
  readonly fullWidth?: boolean
}

/** A page. `element` is a component or an element. */
export interface RouteRegistration {
  readonly path: string
  /** May be left out where the manifest of the entry has this path, as may all that follows but the element. */
  readonly name: string
  readonly element: unknown
  /** A name of the console's icons, or an element. */
  readonly icon?: unknown
  /** Path of the page under which this one stands. */
  readonly parent?: string
  readonly meta?: RouteMeta
}

/** A page whose name and place stand in the entry's manifest. */
export type DeclaredRoute = Pick<RouteRegistration, 'path' | 'element'> & Partial<RouteRegistration>

/** A sidebar tool; `id` is made up where it is absent. */
export interface ToolRegistration {
  readonly id?: string
  readonly name: string
  readonly icon?: unknown
  readonly parent?: string
  readonly path?: string
}

/** What `register` is called with, besides what the console adds; each answer removes what was added. */
export interface EntryHostApi {
  addRoute(route: RouteRegistration | DeclaredRoute): () => void
  addPage(route: RouteRegistration | DeclaredRoute): () => void
  addTool(tool: ToolRegistration): () => void
}

export type EntryRoute = RouteRegistration & { readonly entryId: string }
export type EntryTool = ToolRegistration & { readonly id: string; readonly entryId: string }

/** What kept an entry from being loaded. */
export type EntryFailure =
  | 'invalid'
  | 'not-found'
  | 'http'
  | 'cors'
  | 'mixed-content'
  | 'local-network'
  | 'refused'
  | 'timeout'
  | 'no-register'
  | 'threw'

/** An entry that could not be loaded, or the list of entries that could not be read. */
export class EntryError extends Error {
  override readonly name = 'EntryError'
  readonly code: EntryFailure

  constructor(code: EntryFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** An entry and what became of it. */
export interface EntryState {
  readonly id: string
  readonly entry: ConsoleEntry
  /** `deferred`: its manifest is known, its module is loaded by `open`; its routes have no element yet. */
  readonly status: 'deferred' | 'loading' | 'loaded' | 'failed' | 'disabled'
  readonly error?: EntryError
  readonly routes: readonly EntryRoute[]
  readonly tools: readonly EntryTool[]
}
