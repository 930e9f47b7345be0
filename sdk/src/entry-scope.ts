// One entry's life: what it registered, kept together so that it can be taken away as a whole.
import type {
  DeclaredRoute,
  EntryHostApi,
  EntryRoute,
  EntryTool,
  RouteRegistration,
  ToolRegistration,
} from './entry-types.js'
import { checkRoute, checkTool, type IsElement } from './entry-validation.js'

/** The register host API of a console, where it wants to hear of each registration; an answer that is a function undoes it. */
export interface Registrar {
  addRoute?(route: EntryRoute): unknown
  addTool?(tool: EntryTool): unknown
}

/** Collects what one entry registers. */
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

  /** `declared` are the routes of the manifest, which fill in what a registration leaves out. */
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

  /** The methods of this entry's host API. */
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

  /** Runs when the entry is taken away, before its pages go. */
  onClose(undo: () => void): void {
    if (this.#closed) undo()
    else this.#undo.add(undo)
  }

  /** Takes everything away, last first; one that fails does not keep the others. */
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
