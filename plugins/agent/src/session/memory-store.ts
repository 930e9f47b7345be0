// Sessions of a host that keeps none: in memory, bounded, and gone with the process.
import { newId } from '@mynah/plugin-database/api'
import type { Usage } from '@mynah/plugin-ai/api'
import { messagesIn } from './records.js'
import type { About, Entry, NewEntry, Session, SessionQuery, SessionStore, Turn, WaitingFor } from './types.js'

const SESSIONS = 1_000
const TURNS = 1_000
type Writable<T> = { -readonly [K in keyof T]: T[K] }

export class MemorySessions implements SessionStore {
  readonly durable = false
  readonly #sessions = new Map<string, Writable<Session>>()
  readonly #active = new Map<string, string>()
  readonly #entries = new Map<string, Map<number, Writable<Entry>>>()
  readonly #turns = new Map<string, Turn>()
  readonly #keys = new Map<string, string>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  async active(key: string): Promise<Session | undefined> {
    const id = this.#active.get(key)
    return id === undefined ? undefined : this.byId(id)
  }

  async byId(id: string): Promise<Session | undefined> {
    const session = this.#sessions.get(id)
    return session && { ...session }
  }

  async open(
    key: string,
    about: About,
  ): Promise<{ readonly session: Session; readonly created: boolean; readonly previous?: string }> {
    // Without a wait in between: who comes at the same time must find what this one makes.
    const active = this.#sessions.get(this.#active.get(key) ?? '')
    if (active) return { session: { ...active }, created: false }
    const previous = [...this.#sessions.values()].filter((session) => session.key === key).at(-1)
    const now = this.#now()
    const session: Session = {
      id: newId(),
      key,
      state: 'active',
      title: about.title ?? null,
      adapter: about.adapter,
      endpoint: about.endpoint,
      channel: about.channel,
      head: 0,
      leaf: null,
      chosen: 0,
      branch: 0,
      messages: 0,
      usage: { input: 0, cachedInput: 0, output: 0 },
      created_at: now,
      active_at: now,
    }
    this.#sessions.set(session.id, { ...session })
    this.#entries.set(session.id, new Map())
    this.#active.set(key, session.id)
    if (this.#sessions.size > SESSIONS)
      this.#forget([...this.#sessions.values()].sort((a, b) => a.active_at - b.active_at)[0] as Session)
    return { session, created: true, ...(previous ? { previous: previous.id } : {}) }
  }

  #forget({ id, key }: Session): void {
    this.#sessions.delete(id)
    this.#entries.delete(id)
    if (this.#active.get(key) === id) this.#active.delete(key)
  }

  async archive(id: string, expired = false): Promise<void> {
    const session = this.#sessions.get(id)
    if (!session) return
    if (expired) this.#forget(session)
    session.state = 'archived'
    session.branch++
    if (this.#active.get(session.key) === id) this.#active.delete(session.key)
  }

  async list({
    filter,
    state,
    limit,
    before,
  }: SessionQuery): Promise<{ readonly rows: readonly Session[]; readonly total: number }> {
    const wanted = filter?.toLowerCase()
    const all = [...this.#sessions.values()]
      .filter(
        (session) =>
          (!state || session.state === state) &&
          (!wanted || session.key.toLowerCase().includes(wanted) || session.title?.toLowerCase().includes(wanted)),
      )
      .sort((a, b) => b.active_at - a.active_at || (a.id < b.id ? 1 : -1))
    const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1
    return { rows: all.slice(from, from + limit).map((session) => ({ ...session })), total: all.length }
  }

  *#walk(session: string, leaf: number | null): Generator<Entry> {
    const entries = this.#entries.get(session)
    for (
      let at = leaf === null ? undefined : entries?.get(leaf);
      at;
      at = at.parent === null ? undefined : entries?.get(at.parent)
    )
      yield at
  }

  async path(session: string, leaf: number | null): Promise<readonly Entry[]> {
    const found: Entry[] = []
    for (const entry of this.#walk(session, leaf)) {
      found.push(entry)
      if (entry.kind === 'summary')
        return [entry, ...(await this.entries(session, entry.content.kept)), ...found.slice(0, -1).reverse()]
    }
    return found.reverse()
  }

  async page(
    session: string,
    leaf: number | null,
    { limit, before }: { readonly limit: number; readonly before?: number },
  ): Promise<readonly Entry[]> {
    return [...this.#walk(session, leaf)].filter(({ n }) => before === undefined || n < before).slice(0, limit)
  }

  async entry(session: string, n: number): Promise<Entry | undefined> {
    return this.#entries.get(session)?.get(n)
  }

  async entries(session: string, numbers: readonly number[]): Promise<readonly Entry[]> {
    const entries = this.#entries.get(session)
    return numbers.flatMap((n) => entries?.get(n) ?? []).sort((a, b) => a.n - b.n)
  }

  async leaves(session: string): Promise<readonly Entry[]> {
    const all = [...(this.#entries.get(session)?.values() ?? [])]
    const parents = new Set(all.map(({ parent }) => parent))
    return all
      .filter(({ n }) => !parents.has(n))
      .reverse()
      .slice(0, 500)
  }

  #write(id: string, parent: number | null, list: readonly NewEntry[]): number[] {
    const session = this.#sessions.get(id)
    const entries = this.#entries.get(id)
    if (!session || !entries) return []
    return list.map((entry, index) => {
      const n = ++session.head
      const kept = {
        ...structuredClone(entry),
        n,
        parent: index === 0 ? parent : n - 1,
        meta: entry.meta ?? {},
        at: this.#now(),
      } as Entry
      entries.set(n, kept)
      return n
    })
  }

  async place(id: string, branch: number, entries: readonly NewEntry[]): Promise<readonly number[] | undefined> {
    const session = this.#sessions.get(id)
    if (!session || session.branch !== branch) return undefined
    const numbers = this.#write(id, session.leaf, entries)
    session.leaf = numbers.at(-1) ?? session.leaf
    return numbers
  }

  async setLeaf(id: string, leaf: number | null): Promise<void> {
    const session = this.#sessions.get(id)
    if (session) Object.assign(session, { leaf, chosen: 1, branch: session.branch + 1 })
  }

  async begin(turn: Turn, handOver?: () => Promise<void>): Promise<void> {
    await handOver?.()
    this.#turns.set(turn.id, turn)
    if (turn.ask_key !== null) this.#keys.set(turn.ask_key, turn.id)
    if (this.#turns.size <= TURNS) return
    for (const { id, ended_at, ask_key } of this.#turns.values()) {
      if (ended_at === null) continue
      this.#turns.delete(id)
      if (ask_key !== null) this.#keys.delete(ask_key)
      if (this.#turns.size <= TURNS) break
    }
  }

  async turn(id: string): Promise<Turn | undefined> {
    return this.#turns.get(id)
  }

  async rowsOfTurns(rows: readonly string[]): Promise<ReadonlySet<string>> {
    const wanted = new Set(rows)
    return new Set(
      Array.from(this.#turns.values()).flatMap(({ row }) => (row !== null && wanted.has(row) ? [row] : [])),
    )
  }

  async turnOfKey(key: string): Promise<Turn | undefined> {
    const id = this.#keys.get(key)
    return id === undefined ? undefined : this.#turns.get(id)
  }

  async advance(
    id: string,
    changes: Partial<Turn>,
    entries?: {
      readonly session: string
      readonly parent: number | null
      readonly chain: readonly number[]
      readonly list: readonly NewEntry[]
    },
  ): Promise<readonly number[]> {
    const turn = this.#turns.get(id)
    const numbers = entries ? this.#write(entries.session, entries.parent, entries.list) : []
    if (turn)
      this.#turns.set(id, { ...turn, ...changes, ...(entries ? { chain: [...entries.chain, ...numbers] } : {}) })
    return numbers
  }

  async answered(id: string, waiting: WaitingFor | null, handOver?: () => Promise<void>): Promise<void> {
    await handOver?.()
    const turn = this.#turns.get(id)
    if (turn) this.#turns.set(id, { ...turn, waiting })
  }

  async close(
    turn: Turn,
    entries: readonly NewEntry[],
    parent: number | null,
    changes: Partial<Turn>,
    aside = false,
  ): Promise<{ readonly chain: readonly number[]; readonly moved: boolean }> {
    const chain = [...turn.chain, ...this.#write(turn.session, parent, entries)]
    const session = this.#sessions.get(turn.session)
    const moved =
      !aside &&
      session !== undefined &&
      session.branch === turn.branch &&
      session.state === 'active' &&
      chain.length > 0
    if (moved) {
      const first = this.#entries.get(turn.session)?.get(chain[0] as number)
      if (first) first.parent = session.leaf
      Object.assign(session, {
        leaf: chain.at(-1),
        chosen: 0,
        active_at: this.#now(),
        messages: session.messages + messagesIn(await this.entries(turn.session, chain)),
      })
    }
    const known = this.#turns.get(turn.id)
    if (known) this.#turns.set(turn.id, { ...known, ...changes, chain })
    return { chain, moved }
  }

  async reopen(turn: Turn): Promise<Turn | undefined> {
    const { chain, base, branch } = turn
    const session = this.#sessions.get(turn.session)
    if (chain.length) {
      if (session?.leaf !== chain.at(-1) || session?.branch !== branch || session?.state !== 'active') return undefined
      Object.assign(session, {
        leaf: base,
        messages: session.messages - messagesIn(await this.entries(turn.session, chain)),
      })
    }
    const opened: Turn = { ...turn, state: 'queued', stage: 'queued', error: null, ended_at: null }
    this.#turns.set(turn.id, opened)
    return opened
  }

  async turns({ open, limit }: { readonly open?: boolean; readonly limit: number }): Promise<readonly Turn[]> {
    return [...this.#turns.values()]
      .filter(({ ended_at }) => !open || ended_at === null)
      .reverse()
      .slice(0, limit)
  }

  async addUsage(id: string, usage: Usage): Promise<void> {
    const session = this.#sessions.get(id)
    if (!session) return
    const { input, cachedInput, output, cost } = session.usage
    const total = cost === undefined && usage.cost === undefined ? {} : { cost: (cost ?? 0) + (usage.cost ?? 0) }
    session.usage = {
      input: input + usage.input,
      cachedInput: cachedInput + usage.cachedInput,
      output: output + usage.output,
      ...total,
    }
  }

  async prune(archivedBefore: number): Promise<void> {
    for (const session of this.#sessions.values())
      if (session.state === 'archived' && session.active_at < archivedBefore) this.#forget(session)
  }

  async idle(before: number): Promise<readonly Session[]> {
    return [...this.#sessions.values()]
      .filter(({ state, active_at }) => state === 'active' && active_at < before)
      .map((session) => ({ ...session }))
  }
}
