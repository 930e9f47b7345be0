import type { ConsoleEntry } from '@mynah/contract/types'

/** How a page is shown in the sidebar and in the window. */
export interface RouteMeta {
  readonly hideInMenu?: boolean
  readonly order?: number
  readonly group?: string
  readonly fullWidth?: boolean
}

/** A page. `element` is a component or an element. */
export interface RouteRegistration {
  readonly path: string
  /** Optional when the manifest of the entry has this path, like all other fields but the element. */
  readonly name: string
  readonly element: unknown
  /** A name of the console's icons, or an element. */
  readonly icon?: unknown
  /** Path of the parent page in the sidebar. */
  readonly parent?: string
  readonly meta?: RouteMeta
}

/** A page that the manifest of the entry declares. */
export type DeclaredRoute = Pick<RouteRegistration, 'path' | 'element'> & Partial<RouteRegistration>

/** A tool of the sidebar. `id` is generated when it is absent. */
export interface ToolRegistration {
  readonly id?: string
  readonly name: string
  readonly icon?: unknown
  readonly parent?: string
  readonly path?: string
}

/** The argument of `register`, to which the console adds its own. The returned functions undo the registration. */
export interface EntryHostApi {
  addRoute(route: RouteRegistration | DeclaredRoute): () => void
  addPage(route: RouteRegistration | DeclaredRoute): () => void
  addTool(tool: ToolRegistration): () => void
}

/** A page of the console, with the plugin entry that added it. */
export type EntryRoute = RouteRegistration & { readonly entryId: string }
/** A tool of the console, with the plugin entry that added it. */
export type EntryTool = ToolRegistration & { readonly id: string; readonly entryId: string }

/** Why an entry could not be loaded. */
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

/** An entry and its state. */
export interface EntryState {
  readonly id: string
  readonly entry: ConsoleEntry
  /** `deferred`: `open` loads its module; until then its routes come from the manifest and have no element. */
  readonly status: 'deferred' | 'loading' | 'loaded' | 'failed' | 'disabled'
  readonly error?: EntryError
  readonly routes: readonly EntryRoute[]
  readonly tools: readonly EntryTool[]
}
