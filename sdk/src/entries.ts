import type { ConsoleEntry, EntryManifest } from '@mynah/contract/types'
import { withTimeout, systemClock, type Clock } from './clock.js'
import { entryModule, importModule, messageOf, type ImportModule } from './entry-module.js'
import { EntryScope, type Registrar } from './entry-scope.js'
import { linkStyles } from './entry-styles.js'
import { EntryError, type EntryRoute, type EntryState, type EntryTool } from './entry-types.js'
import { checkEntries, moduleUrl, type IsElement } from './entry-validation.js'
import { isRecord } from './errors.js'
import { withoutSlashes } from './address.js'
import { obstacleOf, type Fetch } from './obstacle.js'
import { reportAsUncaught } from './report-as-uncaught.js'

const TIMEOUT_MS = 10_000

/** Options of {@link loadConsoleEntries}. */
export interface LoadEntriesOptions<H extends object> {
  /**
   * The argument of `register`, or a function that creates it for an entry. Its own `addRoute` and `addTool`, if any,
   * are called with each checked registration. They may refuse it by throwing, and may return a function that undoes
   * it.
   */
  readonly hostApi: H | ((entry: ConsoleEntry) => H)
  /** Base of the host that serves the entries and their modules. */
  readonly assetOrigin: string
  /** Options of requests for the list of entries, and for finding out why a module does not load. */
  readonly fetchInit?: RequestInit
  /** Returns whether the console can render a value; default: any function or object. */
  readonly isElement?: IsElement
  /**
   * Subscribes to newer lists. Called at once, so that none is missed while the first one loads. `dispose` calls the
   * returned function.
   */
  readonly watch?: (update: (entries: readonly ConsoleEntry[]) => void) => () => void
  /** Returns whether an entry with a manifest waits for {@link ConsoleEntries.open}; default: none does. */
  readonly defer?: (entry: ConsoleEntry & { readonly meta: { readonly manifest: EntryManifest } }) => boolean
  /** Called after each change of `entries`. */
  readonly onChange?: (entries: readonly EntryState[]) => void
  readonly importModule?: ImportModule
  readonly fetch?: Fetch
  readonly clock?: Clock
}

/** The pages that plugins bring to a console. Each loads for itself: one that fails does not affect the others. */
export interface ConsoleEntries {
  /** In the order of the sidebar. */
  readonly entries: readonly EntryState[]
  /** Why the list of entries could not be read. */
  readonly error?: EntryError | undefined
  /** Resolves when each entry of the first list is loaded, has failed or is deferred. Never rejects. */
  readonly loaded: Promise<void>
  /** Accepts the list of a `sync` event: loads new entries, replaces changed ones, removes missing ones. */
  update(entries: readonly ConsoleEntry[]): Promise<void>
  /** Loads a deferred entry, or one that failed for a temporary reason. Resolves when it is loaded or has failed. */
  open(id: string): Promise<void>
  /** Removes everything that entries registered. */
  dispose(): void
}

const anyElement: IsElement = (value) => typeof value === 'function' || (typeof value === 'object' && value !== null)

/**
 * Reads `GET /entries` and loads each enabled entry. Never rejects: each entry has its own error.
 *
 * @example
 * const loaded = await loadConsoleEntries({
 *   hostApi: { client, navigate },
 *   assetOrigin: client.base,
 *   watch: (update) =>
 *     client.events.on('sync', ({ key, value }) => {
 *       if (key === 'entries') update(value as ConsoleEntry[])
 *     }),
 * })
 */
export async function loadConsoleEntries<H extends object>(options: LoadEntriesOptions<H>): Promise<ConsoleEntries> {
  const entries = startConsoleEntries(options)
  await entries.loaded
  return entries
}

/**
 * Like {@link loadConsoleEntries}, but returns at once, for a console that shows each entry as soon as it is loaded.
 */
export function startConsoleEntries<H extends object>(options: LoadEntriesOptions<H>): ConsoleEntries {
  return new EntryLoader(options as LoadEntriesOptions<object>)
}

interface EntrySlot {
  entry: ConsoleEntry
  status: EntryState['status']
  error?: EntryError
  scope?: EntryScope
  /** The load in progress. */
  loading?: Promise<void>
  /** Aborts a load that is no longer wanted. */
  readonly controller: AbortController
}

class EntryLoader implements ConsoleEntries {
  readonly #options: LoadEntriesOptions<object>
  readonly #fetch: Fetch
  readonly #clock: Clock
  readonly #slots = new Map<string, EntrySlot>()
  #entries: readonly EntryState[] = []
  #error: EntryError | undefined
  #pushed: Promise<void> | undefined
  readonly #unwatch: (() => void) | undefined
  #disposed = false
  readonly loaded: Promise<void>

  constructor(options: LoadEntriesOptions<object>) {
    this.#options = options
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
    this.#clock = options.clock ?? systemClock
    this.#unwatch = options.watch?.((entries) => void this.update(entries))
    this.loaded = this.#loadAll()
  }

  get entries(): readonly EntryState[] {
    return this.#entries
  }

  get error(): EntryError | undefined {
    return this.#error
  }

  async #loadAll(): Promise<void> {
    const url = `${withoutSlashes(this.#options.assetOrigin)}/entries`
    const timeoutError = () => new EntryError('timeout', 'The list of entries did not arrive in time')
    try {
      const list = await withTimeout(this.#clock, TIMEOUT_MS, undefined, timeoutError, (signal) =>
        this.#list(url, signal),
      )
      // A list that was pushed in the meantime is newer.
      await (this.#pushed ?? this.#update(list))
    } catch (error) {
      if (this.#pushed) return this.#pushed
      this.#error =
        error instanceof EntryError
          ? error
          : new EntryError('invalid', `The list of entries cannot be read: ${messageOf(error)}`, error)
      this.#changed()
    }
  }

  async #list(url: string, signal: AbortSignal): Promise<unknown> {
    let response: Response
    try {
      response = await this.#fetch(url, {
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        ...this.#options.fetchInit,
        signal,
      })
    } catch (error) {
      signal.throwIfAborted()
      const obstacle = await obstacleOf(url, this.#fetch, signal)
      throw new EntryError(obstacle, `The list of entries cannot be reached (${obstacle})`, error)
    }
    if (!response.ok)
      throw new EntryError(
        response.status === 404 ? 'not-found' : 'http',
        `The host answers ${response.status} for the list of entries`,
      )
    const body: unknown = await response.json()
    if (!isRecord(body) || !Array.isArray(body['entries']))
      throw new EntryError('invalid', 'The list of entries has no entries[]')
    return body['entries']
  }

  update(entries: readonly ConsoleEntry[]): Promise<void> {
    this.#error = undefined
    return (this.#pushed = this.#update(entries))
  }

  async #update(list: unknown): Promise<void> {
    if (this.#disposed) return
    const wanted = checkEntries(list)
    const ids = new Set(wanted.map(({ id }) => id))
    for (const [id, slot] of this.#slots) if (!ids.has(id)) this.#remove(id, slot)
    const loads: Promise<void>[] = []
    for (const entry of wanted) {
      const slot = this.#slots.get(entry.id)
      if (slot && !isChanged(slot, entry)) slot.entry = entry
      else loads.push(this.#put(entry, slot))
    }
    this.#changed()
    await Promise.all(loads)
  }

  /** Loads an entry. Pages of an older one with the same id stay until the new module is loaded. */
  async #put(entry: ConsoleEntry, old: EntrySlot | undefined): Promise<void> {
    const slot: EntrySlot = { entry, status: entry.enabled ? 'loading' : 'disabled', controller: new AbortController() }
    this.#slots.set(entry.id, slot)
    old?.controller.abort()
    if (entry.enabled && old?.scope) slot.scope = old.scope
    else this.#close(old?.scope)
    if (!entry.enabled) return
    const { manifest } = entry.meta
    // One that was opened is replaced at once, also where it has failed: its page may be shown.
    const wasOpened = old !== undefined && old.status !== 'deferred' && old.status !== 'disabled'
    if (manifest && !wasOpened && this.#options.defer?.({ ...entry, meta: { ...entry.meta, manifest } }))
      slot.status = 'deferred'
    else await this.#load(slot)
  }

  open(id: string): Promise<void> {
    const slot = this.#slots.get(id)
    if (
      slot &&
      (slot.status === 'deferred' ||
        (slot.status === 'failed' && slot.entry.meta.manifest && RETRYABLE.has(slot.error?.code ?? '')))
    ) {
      slot.status = 'loading'
      delete slot.error
      slot.loading = this.#load(slot)
      this.#changed()
    }
    return slot?.loading ?? Promise.resolve()
  }

  async #load(slot: EntrySlot): Promise<void> {
    const { entry } = slot
    const { signal } = slot.controller
    try {
      const message = `The entry "${entry.id}" did not load within ${TIMEOUT_MS / 1000} s`
      const timeoutError = () => new EntryError('timeout', message)
      await withTimeout(this.#clock, TIMEOUT_MS, signal, timeoutError, (both) => this.#register(slot, both))
      slot.status = 'loaded'
    } catch (error) {
      if (signal.aborted) return
      slot.status = 'failed'
      slot.error =
        error instanceof EntryError
          ? error
          : new EntryError(error instanceof TypeError ? 'invalid' : 'threw', messageOf(error), error)
      this.#close(slot.scope)
      delete slot.scope
    }
    delete slot.loading
    this.#changed()
  }

  async #register(slot: EntrySlot, signal: AbortSignal): Promise<void> {
    const { entry } = slot
    const { fetchInit, isElement = anyElement, hostApi } = this.#options
    const url = moduleUrl(this.#options.assetOrigin, entry.resolvedModule)
    const { register, styles } = await entryModule(url, {
      importModule: this.#options.importModule ?? importModule,
      fetch: this.#fetch,
      fetchInit,
      clock: this.#clock,
      signal,
    })
    signal.throwIfAborted()
    const sheets = linkStyles(styles, this.#options.assetOrigin)
    try {
      await Promise.race([
        sheets.loaded,
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
      ])
    } catch (error) {
      sheets.remove()
      throw error
    }
    this.#close(slot.scope)
    const given = typeof hostApi === 'function' ? (hostApi as (entry: ConsoleEntry) => object)(entry) : hostApi
    const scope = (slot.scope = new EntryScope(
      entry.id,
      isElement,
      this.#registrar(given as Registrar),
      this.#declared(entry),
      () => this.#changed(),
    ))
    scope.onClose(sheets.remove)
    const cleanup = await register(
      Object.defineProperties(
        {},
        { ...Object.getOwnPropertyDescriptors(given), ...Object.getOwnPropertyDescriptors(scope.api()) },
      ),
    )
    if (typeof cleanup === 'function') scope.onClose(cleanup as () => void)
  }

  /** Returns the routes of an entry's manifest, still without elements. */
  #declared({ id, meta }: ConsoleEntry): EntryRoute[] {
    return (meta.manifest?.routes ?? []).map(({ name, ...route }) => ({
      ...route,
      name: typeof name === 'string' ? name : name.en,
      element: undefined,
      entryId: id,
    }))
  }

  #declaredTools({ id, meta }: ConsoleEntry): EntryTool[] {
    return (meta.manifest?.tools ?? []).map(({ name, ...tool }, index) => ({
      ...tool,
      name: typeof name === 'string' ? name : name.en,
      id: tool.id ?? `${id}:${index + 1}`,
      entryId: id,
    }))
  }

  /** Refuses a route that another entry has. */
  #registrar(given: Registrar): Registrar {
    return {
      addRoute: (route) => {
        for (const { entry, scope } of this.#slots.values()) {
          if (entry.id !== route.entryId && scope?.routes.some(({ path }) => path === route.path))
            throw new TypeError(`addRoute ${route.path}: the entry "${entry.id}" has this path`)
        }
        return given.addRoute?.(route)
      },
      addTool: (tool) => given.addTool?.(tool),
    }
  }

  #remove(id: string, slot: EntrySlot): void {
    this.#slots.delete(id)
    slot.controller.abort()
    this.#close(slot.scope)
  }

  /** Reports failures of clean-up functions without stopping. */
  #close(scope: EntryScope | undefined): void {
    for (const error of scope?.close() ?? []) reportAsUncaught(error)
  }

  #changed(): void {
    const slots = [...this.#slots.values()].sort(
      (a, b) => a.entry.order - b.entry.order || (a.entry.id < b.entry.id ? -1 : 1),
    )
    this.#entries = slots.map(({ entry, status, error, scope }) => ({
      id: entry.id,
      entry,
      status,
      ...(error ? { error } : {}),
      ...this.#pagesOf(entry, status, scope),
    }))
    this.#options.onChange?.(this.#entries)
  }

  /** Declared pages are listed until they are registered, so that the sidebar does not jump while a module loads. */
  #pagesOf(entry: ConsoleEntry, status: EntryState['status'], scope: EntryScope | undefined) {
    if (scope) return { routes: [...scope.routes], tools: [...scope.tools] }
    if (!isExpected(status)) return { routes: [], tools: [] }
    return { routes: this.#declared(entry), tools: this.#declaredTools(entry) }
  }

  dispose(): void {
    this.#disposed = true
    this.#unwatch?.()
    for (const [id, slot] of this.#slots) this.#remove(id, slot)
    this.#changed()
  }
}

/** A failed page keeps its place in the sidebar, to show its error. */
const isExpected = (status: EntryState['status']): boolean =>
  status === 'deferred' || status === 'loading' || status === 'failed'

/** Failures that another load may resolve. Failures of the module itself are not among them. */
const RETRYABLE: ReadonlySet<string> = new Set([
  'not-found',
  'http',
  'cors',
  'mixed-content',
  'local-network',
  'refused',
  'timeout',
])

const isChanged = (slot: EntrySlot, entry: ConsoleEntry): boolean =>
  slot.entry.resolvedModule !== entry.resolvedModule ||
  slot.entry.enabled !== entry.enabled ||
  (slot.error !== undefined && RETRYABLE.has(slot.error.code))
