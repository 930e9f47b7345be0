import { oldestOf, ringIn } from './rings.js'
import type { Entry, MendedRing, NewEntry } from './types.js'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

const MAX_LEAVES = 500

/** The trees of entries of sessions in memory. */
export class MemoryEntries {
  readonly #trees = new Map<string, Map<number, Writable<Entry>>>()
  readonly #now: () => number
  readonly #baseOf: (turn: string) => number | null
  readonly #onMended: (mended: MendedRing) => void

  /**
   * @param baseOf returns the leaf at which a turn began
   * @param onMended called for each ring that was found and opened
   */
  constructor(now: () => number, baseOf: (turn: string) => number | null, onMended: (mended: MendedRing) => void) {
    this.#now = now
    this.#baseOf = baseOf
    this.#onMended = onMended
  }

  /** The entries of all sessions, by their numbers. */
  get trees(): ReadonlyMap<string, ReadonlyMap<number, Entry>> {
    return this.#trees
  }

  add(session: string): void {
    this.#trees.set(session, new Map())
  }

  remove(session: string): void {
    this.#trees.delete(session)
  }

  /** Appends a chain of entries below `parent`. `lastSeq` is the number of the newest entry of the session. */
  append(session: string, lastSeq: number, parent: number | null, list: readonly NewEntry[]): number[] {
    const entries = this.#trees.get(session)
    if (!entries) return []
    return list.map((entry, index) => {
      const seq = lastSeq + 1 + index
      const kept = {
        ...structuredClone(entry),
        seq,
        parent: index === 0 ? parent : seq - 1,
        meta: entry.meta ?? {},
        at: this.#now(),
      } as Entry
      entries.set(seq, kept)
      return seq
    })
  }

  /** Puts an entry below another parent. */
  move(session: string, seq: number, parent: number | null): void {
    const entry = this.#trees.get(session)?.get(seq)
    if (entry) entry.parent = parent
  }

  get(session: string, seq: number): Entry | undefined {
    return this.#trees.get(session)?.get(seq)
  }

  /** Returns those of some entries that exist, in the order of `seqs`. */
  list(session: string, seqs: readonly number[]): Entry[] {
    const entries = this.#trees.get(session)
    return seqs.flatMap((seq) => entries?.get(seq) ?? [])
  }

  /** Returns the entries without a child, the newest first. */
  leaves(session: string): readonly Entry[] {
    const all = [...(this.#trees.get(session)?.values() ?? [])]
    const parents = new Set(all.map(({ parent }) => parent))
    return all
      .filter(({ seq }) => !parents.has(seq))
      .reverse()
      .slice(0, MAX_LEAVES)
  }

  /** Walks up from a leaf. A ring on the way is opened first. */
  walk(session: string, leaf: number | null): Iterable<Entry> {
    while (!this.#ends(session, leaf)) {
      const ring = ringIn(this.#up(session, leaf))
      if (!ring) break
      const { seq } = oldestOf(ring)
      const entry = this.#trees.get(session)?.get(seq)
      if (!entry) break
      entry.parent = this.#baseBefore(session, entry)
      this.#onMended({ session, entry: seq, parent: entry.parent })
    }
    return this.#up(session, leaf)
  }

  /** Returns whether the way up from an entry meets one that `matches`. A ring ends it. */
  leadsTo(session: string, from: number, matches: (seq: number) => boolean): boolean {
    let left = this.#trees.get(session)?.size ?? 0
    for (const { seq } of this.#up(session, from)) {
      if (matches(seq)) return true
      if (left-- === 0) return false
    }
    return false
  }

  /** Whether the way up from a leaf has an end: it meets no more entries than the session has. */
  #ends(session: string, leaf: number | null): boolean {
    const entries = this.#trees.get(session)
    if (!entries || leaf === null) return true
    let at: number | null = leaf
    for (let left = entries.size; left >= 0; left--) {
      at = entries.get(at)?.parent ?? null
      if (at === null) return true
    }
    return false
  }

  *#up(session: string, leaf: number | null): Generator<Entry> {
    const entries = this.#trees.get(session)
    for (
      let at = leaf === null ? undefined : entries?.get(leaf);
      at;
      at = at.parent === null ? undefined : entries?.get(at.parent)
    )
      yield at
  }

  /** Returns the leaf at which the turn of an entry began, where the way up from there does not lead to the entry. */
  #baseBefore(session: string, { seq, meta }: Entry): number | null {
    const base = meta.turn === undefined ? null : this.#baseOf(meta.turn)
    return base === null || this.leadsTo(session, base, (above) => above === seq) ? null : base
  }
}
