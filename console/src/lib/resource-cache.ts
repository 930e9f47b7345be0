import { failureOf, type Failure } from './failure.js'
import { replaceEqualDeep } from './replace-equal-deep.js'

export interface Snapshot<T> {
  readonly data?: T
  readonly failure?: Failure
  readonly loading: boolean
  /** Whether the host has newer data. */
  readonly stale: boolean
  readonly updatedAt?: number
}

export type Load<T> = (signal: AbortSignal) => Promise<T>

export interface ResourceCacheOptions {
  readonly now: () => number
  readonly setTimer: (run: () => void, ms: number) => unknown
  readonly clearTimer: (timer: unknown) => void
  /** Whether the page is visible. Invisible pages load nothing. */
  readonly visible: () => boolean
  /** Called when a load fails. `stale` means that earlier data stays visible. */
  readonly onFailure: (failure: Failure, stale: boolean) => void
  /** Called when the host has answered. */
  readonly onAnswer: () => void
}

interface Item {
  snapshot: Snapshot<unknown>
  load: Load<unknown>
  call: string
  listeners: Set<() => void>
  running?: AbortController | undefined
  timer?: unknown
  attempts: number
}

/** Keys of calls that the host does not serve begin with `absent`. They make no request. */
const isServed = (key: string): boolean => !key.startsWith('absent ')

/**
 * Returns whether a load that failed is tried again by itself: the host asks for it, as it does while a part of it
 * starts, or nothing is shown yet and the host has failed or did not answer.
 */
function isTemporary({ kind, status = 0, retryAfter }: Failure, kept: boolean): boolean {
  if (kind === 'not-ready' || retryAfter !== undefined) return true
  return !kept && (kind === 'network' || status >= 500)
}

const EMPTY: Snapshot<never> = { loading: false, stale: true }
const RETRY_FIRST_MS = 2_000
const RETRY_LAST_MS = 30_000

/**
 * Caches answers of the host by key. Components share them, and a stale answer stays visible while it is loaded again.
 */
export class ResourceCache {
  readonly #items = new Map<string, Item>()
  readonly #options: ResourceCacheOptions

  constructor(seams: ResourceCacheOptions) {
    this.#options = seams
  }

  read<T>(key: string): Snapshot<T> {
    return (this.#items.get(key)?.snapshot ?? EMPTY) as Snapshot<T>
  }

  /**
   * Watches a key and loads it if it is absent or stale. The returned function stops watching and aborts a load
   * without watchers.
   */
  watch<T>(key: string, load: Load<T>, listener: () => void, call: string = key): () => void {
    const item = this.#items.get(key) ?? { snapshot: EMPTY, load, call, listeners: new Set(), attempts: 0 }
    item.load = load
    item.call = call
    this.#items.set(key, item)
    item.listeners.add(listener)
    if (!item.running && (item.snapshot.stale || item.snapshot.failure)) this.#start(key, item)
    return () => {
      item.listeners.delete(listener)
      if (item.listeners.size > 0) return
      this.#options.clearTimer(item.timer)
      item.running?.abort()
      item.running = undefined
      if (item.snapshot.loading) this.#setSnapshot(item, { ...item.snapshot, loading: false, stale: true })
    }
  }

  /** Stores data that arrived with another answer, if `key` is not cached yet. */
  prefill<T>(key: string, data: T): void {
    if (this.#items.has(key)) return
    this.#items.set(key, {
      snapshot: { data, loading: false, stale: false, updatedAt: this.#options.now() },
      load: () => Promise.resolve(data),
      call: key,
      listeners: new Set(),
      attempts: 0,
    })
  }

  /** Loads a watched key again now. */
  reload(key: string): void {
    const item = this.#items.get(key)
    if (item && item.listeners.size > 0) this.#start(key, item)
  }

  /** Marks matching keys as stale and reloads watched ones. */
  invalidate(concerns: (key: string) => boolean = () => true): void {
    for (const [key, item] of this.#items) {
      if (!concerns(key)) continue
      if (item.listeners.size === 0) this.#setSnapshot(item, { ...item.snapshot, stale: true })
      else if (this.#options.visible()) this.#start(key, item)
      else this.#setSnapshot(item, { ...item.snapshot, stale: true })
    }
  }

  /** Marks an unwatched key as stale, so that the next watcher sees it at once and reloads it. */
  markStale(key: string): void {
    const item = this.#items.get(key)
    if (item && item.listeners.size === 0) this.#setSnapshot(item, { ...item.snapshot, stale: true })
  }

  /** Reloads watched keys that became stale while the page was hidden. */
  refreshStale(): void {
    for (const [key, item] of this.#items) {
      if (item.listeners.size > 0 && item.snapshot.stale && !item.running) this.#start(key, item)
    }
  }

  /** Applies a change from an event of the stream to the cached data. */
  patch<T>(key: string, change: (data: T) => T): void {
    const item = this.#items.get(key)
    if (item?.snapshot.data !== undefined)
      this.#setSnapshot(item, { ...item.snapshot, data: change(item.snapshot.data as T) })
  }

  /** Drops everything, as for another host. */
  clear(): void {
    for (const item of this.#items.values()) {
      this.#options.clearTimer(item.timer)
      item.running?.abort()
    }
    this.#items.clear()
  }

  #setSnapshot(item: Item, snapshot: Snapshot<unknown>): void {
    item.snapshot = snapshot
    for (const listener of [...item.listeners]) listener()
  }

  #start(key: string, item: Item): void {
    this.#options.clearTimer(item.timer)
    item.running?.abort()
    const controller = new AbortController()
    item.running = controller
    this.#setSnapshot(item, { ...item.snapshot, loading: true })
    item.load(controller.signal).then(
      (data) => {
        if (item.running !== controller) return
        item.running = undefined
        item.attempts = 0
        this.#setSnapshot(item, {
          data: replaceEqualDeep(item.snapshot.data, data),
          loading: false,
          stale: false,
          updatedAt: this.#options.now(),
        })
        if (isServed(key)) this.#options.onAnswer()
      },
      (error: unknown) => {
        if (item.running !== controller) return
        item.running = undefined
        this.#fail(key, item, failureOf(error, item.call))
      },
    )
  }

  #fail(key: string, item: Item, failure: Failure): void {
    const kept = item.snapshot.data !== undefined
    if (failure.kind !== 'network') this.#options.onAnswer()
    this.#setSnapshot(item, { ...item.snapshot, failure, loading: false, stale: true })
    this.#options.onFailure(failure, kept)
    if (item.listeners.size === 0 || !isTemporary(failure, kept)) return
    const wait = failure.retryAfter ?? Math.min(RETRY_LAST_MS, RETRY_FIRST_MS * 2 ** item.attempts)
    item.attempts += 1
    item.timer = this.#options.setTimer(() => this.reload(key), wait)
  }
}
