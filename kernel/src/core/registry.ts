import { KernelError } from '../base/errors.js'
import { call, type Owner } from '../base/guard.js'
import type { Description, Point } from '../base/token.js'

/** A value that a plugin contributed. */
export interface Contribution<T> {
  readonly point: string
  readonly key: string
  readonly value: T
  /** Name of the plugin. */
  readonly owner: string
  readonly description: Description
}

/** A change of a point. */
export interface Delta<T> {
  readonly added: readonly Contribution<T>[]
  readonly removed: readonly Contribution<T>[]
  readonly revision: number
}

/** A view of the contributions to one point. */
export interface Reader<T> {
  /** Increases with every change. */
  readonly revision: number
  /** Returns all contributions, in the order of their plugins in the configuration. */
  all(): readonly Contribution<T>[]
  get(key: string): Contribution<T> | undefined
  /** Calls `listener` after each change, until the returned function is called or the plugin stops. */
  watch(listener: (delta: Delta<T>) => void | Promise<void>): () => void
}

interface Entry extends Contribution<unknown> {
  readonly by: Owner
  readonly order: number
}
interface Watcher {
  readonly owner: Owner
  readonly listener: (delta: Delta<never>) => unknown
}

class PointTable {
  readonly entries = new Map<string, Entry>()
  readonly watchers = new Set<Watcher>()
  /** Number of plugins that read the point now. */
  readers = 0
  revision = 0
  #sorted: readonly Entry[] | undefined
  readonly #deltas: Delta<unknown>[] = []
  #isNotifying = false

  sorted(): readonly Entry[] {
    return (this.#sorted ??= Array.from(this.entries.values()).sort(
      (a, b) => a.by.position - b.by.position || a.order - b.order,
    ))
  }

  changed(added: readonly Entry[], removed: readonly Entry[]): void {
    this.revision++
    this.#sorted = undefined
    if (this.watchers.size === 0) return
    this.#deltas.push({ added, removed, revision: this.revision })
    // A watcher may contribute too. All watchers still see the changes in their order.
    if (this.#isNotifying) return
    this.#isNotifying = true
    for (let delta = this.#deltas.shift(); delta; delta = this.#deltas.shift())
      for (const watcher of Array.from(this.watchers)) this.#notify(watcher, delta)
    this.#isNotifying = false
  }

  #notify(watcher: Watcher, delta: Delta<unknown>): void {
    if (!this.watchers.has(watcher)) return
    void call(watcher.owner, () => watcher.listener(delta as Delta<never>))
  }

  /** Sorts again after plugins changed places in the configuration. Notifies watchers only when the order differs. */
  reorder(): void {
    const before = this.#sorted
    if (!before) return
    this.#sorted = undefined
    if (this.sorted().some((entry, index) => entry !== before[index])) this.changed([], [])
  }
}

/** The contributions of all plugins, by point and key. */
export class Registry {
  readonly #points = new Map<string, PointTable>()
  #order = 0

  #point(id: string): PointTable {
    let table = this.#points.get(id)
    if (!table) this.#points.set(id, (table = new PointTable()))
    return table
  }

  /**
   * Adds a value; `undo` removes it.
   *
   * @throws KernelError `contribution/duplicate`, naming both owners, when the key is taken
   */
  add<T>(point: Point<T>, value: T, by: Owner): { key: string; undo: () => void } {
    const table = this.#point(point.id)
    const key = point.key(value)
    const other = table.entries.get(key)
    if (other)
      throw new KernelError(
        'contribution/duplicate',
        `${by.name} contributes "${key}" to ${point.id}, which ${other.owner} has contributed already`,
      )
    const entry: Entry = {
      point: point.id,
      key,
      value,
      owner: by.name,
      description: point.describe(value),
      by,
      order: this.#order++,
    }
    table.entries.set(key, entry)
    table.changed([entry], [])
    return {
      key,
      undo: () => {
        if (table.entries.delete(key)) table.changed([], [entry])
      },
    }
  }

  /** Returns a view of a point for `owner`. `onDispose` ties it and its watchers to the owner's scope. */
  read<T>(point: Point<T>, owner: Owner, onDispose: (label: string, dispose: () => void) => () => unknown): Reader<T> {
    const table = this.#point(point.id)
    table.readers++
    onDispose(`read ${point.id}`, () => void table.readers--)
    return {
      get revision() {
        return table.revision
      },
      all: () => table.sorted() as readonly Contribution<unknown>[] as readonly Contribution<T>[],
      get: (key) => table.entries.get(key) as Contribution<T> | undefined,
      watch(listener) {
        const watcher: Watcher = { owner, listener: listener as Watcher['listener'] }
        table.watchers.add(watcher)
        return onDispose(`watch ${point.id}`, () => void table.watchers.delete(watcher)) as () => void
      },
    }
  }

  reorder(): void {
    for (const table of this.#points.values()) table.reorder()
  }

  /** Returns whether a plugin reads the point now. */
  isRead(point: string): boolean {
    return (this.#points.get(point)?.readers ?? 0) > 0
  }

  /** Returns all contributions of a plugin. */
  of(owner: string): Contribution<unknown>[] {
    return Array.from(this.#points.values()).flatMap(({ entries }) =>
      Array.from(entries.values()).filter((entry) => entry.owner === owner),
    )
  }

  count(): { contributions: number; watchers: number } {
    let contributions = 0
    let watchers = 0
    for (const table of this.#points.values()) {
      contributions += table.entries.size
      watchers += table.watchers.size
    }
    return { contributions, watchers }
  }
}
