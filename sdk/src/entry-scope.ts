import type {
  DeclaredRoute,
  EntryHostApi,
  EntryRoute,
  EntryTool,
  RouteRegistration,
  ToolRegistration,
} from './entry-types.js'
import { checkRoute, checkTool, type IsElement } from './entry-validation.js'

/** Callbacks of a console for each registration. A returned function undoes the registration. */
export interface Registrar {
  addRoute?(route: EntryRoute): unknown
  addTool?(tool: EntryTool): unknown
}

/** Everything that one entry registers, to remove it as a whole. */
export class EntryScope {
  readonly routes: EntryRoute[] = []
  readonly tools: EntryTool[] = []
  readonly #undo = new Set<() => void>()
  readonly #entryId: string
  readonly #isElement: IsElement
  readonly #registrar: Registrar
  readonly #declared: readonly EntryRoute[]
  readonly #changed: () => void
  #count = 0
  #closed = false

  /** @param declared routes of the manifest, whose fields are the defaults of registrations */
  constructor(
    entryId: string,
    isElement: IsElement,
    registrar: Registrar,
    declared: readonly EntryRoute[],
    changed: () => void,
  ) {
    this.#entryId = entryId
    this.#declared = declared
    this.#isElement = isElement
    this.#registrar = registrar
    this.#changed = changed
  }

  /** Returns the host API of this entry. */
  api(): EntryHostApi {
    const addRoute = (route: RouteRegistration | DeclaredRoute) => this.#addRoute(route)
    return { addRoute, addPage: addRoute, addTool: (tool) => this.#addTool(tool) }
  }

  #addRoute(value: unknown): () => void {
    this.#open()
    const route = {
      ...checkRoute(value, this.#isElement, (path) => this.#declared.find((known) => known.path === path)),
      entryId: this.#entryId,
    }
    if (this.routes.some(({ path }) => path === route.path))
      throw new TypeError(`addRoute ${route.path}: registered already`)
    return this.#add(this.routes, route, this.#registrar.addRoute?.(route))
  }

  #addTool(value: ToolRegistration): () => void {
    this.#open()
    const checked = checkTool(value, this.#isElement)
    const tool = { ...checked, id: checked.id ?? `${this.#entryId}:${++this.#count}`, entryId: this.#entryId }
    if (this.tools.some(({ id }) => id === tool.id)) throw new TypeError(`addTool ${tool.id}: registered already`)
    return this.#add(this.tools, tool, this.#registrar.addTool?.(tool))
  }

  #add<T>(list: T[], item: T, undone: unknown): () => void {
    const undo = () => {
      if (!this.#undo.delete(undo)) return
      list.splice(list.indexOf(item), 1)
      if (typeof undone === 'function') undone()
      this.#changed()
    }
    list.push(item)
    this.#undo.add(undo)
    this.#changed()
    return undo
  }

  #open(): void {
    if (this.#closed) throw new Error(`The entry "${this.#entryId}" has been removed and can register nothing`)
  }

  /** Calls `undo` when the entry is removed, before its pages are. */
  onClose(undo: () => void): void {
    if (this.#closed) undo()
    else this.#undo.add(undo)
  }

  /** Removes everything, the last registration first. Returns the failures. */
  close(): unknown[] {
    if (this.#closed) return []
    this.#closed = true
    const errors: unknown[] = []
    for (const undo of [...this.#undo].reverse()) {
      try {
        undo()
      } catch (error) {
        errors.push(error)
      }
    }
    this.#undo.clear()
    return errors
  }
}
