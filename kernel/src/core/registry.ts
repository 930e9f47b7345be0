// The one registry: every contribution of every plugin, by point and key.
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

/** What changed in a point. */
export interface Delta<T> {
  readonly added: readonly Contribution<T>[]
  readonly removed: readonly Contribution<T>[]
  readonly revision: number
}

/** A view of one point. */
export interface Reader<T> {
  /** Grows with every change. */
  readonly revision: number
  /** All contributions, by the place of their plugins in the configuration. */
  all(): readonly Contribution<T>[]
  get(key: string): Contribution<T> | undefined
  /** Calls `listener` after each change, until the returned function is called or the plugin goes. */
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
  /** Plugins that read the point now. */
  readers = 0
  revision = 0
  #sorted: readonly Entry[] | undefined
  readonly #deltas: Delta<unknown>[] = []
  #telling = false

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
    // A watcher may contribute itself: every watcher still sees the changes in their order.
    if (this.#telling) return
    this.#telling = true
    for (let delta = this.#deltas.shift(); delta; delta = this.#deltas.shift())
      for (const watcher of Array.from(this.watchers)) this.#tell(watcher, delta)
    this.#telling = false
  }

  #tell(watcher: Watcher, delta: Delta<unknown>): void {
    if (!this.watchers.has(watcher)) return
    void call(watcher.owner, () => watcher.listener(delta as Delta<never>))
  }

  /** Sorts anew after plugins changed places; tells watchers only where the order is another. */
  reorder(): void {
    const before = this.#sorted
    if (!before) return
    this.#sorted = undefined
    if (this.sorted().some((entry, index) => entry !== before[index])) this.changed([], [])
  }
}

export class Registry {
  readonly #points = new Map<string, PointTable>()
  #order = 0

  #point(id: string): PointTable {
    let table = this.#points.get(id)
    if (!table) this.#points.set(id, (table = new PointTable()))
    return table
  }

  /** Adds a value; `undo` removes it. A key that is taken is refused, naming both owners. */
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

  /** A view of a point for `owner`; `own` ties its watchers to the owner's scope. */
  read<T>(point: Point<T>, owner: Owner, own: (label: string, dispose: () => void) => () => unknown): Reader<T> {
    const table = this.#point(point.id)
    table.readers++
    own(`read ${point.id}`, () => void table.readers--)
    return {
      get revision() {
        return table.revision
      },
      all: () => table.sorted() as readonly Contribution<unknown>[] as readonly Contribution<T>[],
      get: (key) => table.entries.get(key) as Contribution<T> | undefined,
      watch(listener) {
        const watcher: Watcher = { owner, listener: listener as Watcher['listener'] }
        table.watchers.add(watcher)
        return own(`watch ${point.id}`, () => void table.watchers.delete(watcher)) as () => void
      },
    }
  }

  reorder(): void {
    for (const table of this.#points.values()) table.reorder()
  }

  isRead(point: string): boolean {
    return (this.#points.get(point)?.readers ?? 0) > 0
  }

  /** Everything that a plugin contributed. */
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
