import { newId } from '@mynah/kernel/util'
import { addUsage, type Usage } from '@mynah/plugin-ai/api'
import { MemoryEntries } from './memory-entries.js'
import { firstMessages, listSessions, searchSaid } from './memory-search.js'
import { messagesIn } from './records.js'
import { TurnLost } from './turn-lost.js'
import {
  isClosed,
  REOPENED,
  type ClaimedTurn,
  type ClosedTurn,
  type Entry,
  type MendedRing,
  type NewEntry,
  type OpenedSession,
  type SaidPage,
  type SaidQuery,
  type Session,
  type SessionChoice,
  type SessionQuery,
  type SessionStore,
  type SessionTarget,
  type Turn,
  type TurnAppend,
  type WaitingFor,
} from './types.js'

const MAX_SESSIONS = 1_000
const MAX_TURNS = 1_000
type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Keeps sessions in memory. Their number is bounded, and they are gone with the process. */
export class MemorySessions implements SessionStore {
  readonly durable = false
  readonly #sessions = new Map<string, Writable<Session>>()
  /** Ids of active sessions by key. */
  readonly #active = new Map<string, string>()
  readonly #entries: MemoryEntries
  readonly #turns = new Map<string, Turn>()
  /** Ids of turns by `askKey`. */
  readonly #keys = new Map<string, string>()
  readonly #now: () => number

  /** @param onMended called for each ring that was found and opened */
  constructor(now: () => number, onMended: (mended: MendedRing) => void = () => {}) {
    this.#now = now
    this.#entries = new MemoryEntries(now, (turn) => this.#turns.get(turn)?.baseSeq ?? null, onMended)
  }

  async activeByKey(key: string): Promise<Session | undefined> {
    const id = this.#active.get(key)
    return id === undefined ? undefined : this.byId(id)
  }

  async byId(id: string): Promise<Session | undefined> {
    const session = this.#sessions.get(id)
    return session && { ...session }
  }

  async open(key: string, target: SessionTarget): Promise<OpenedSession> {
    // No await up to the end: a concurrent call must find the session that this one creates.
    const active = this.#sessions.get(this.#active.get(key) ?? '')
    if (active) return { session: { ...active }, created: false }
    const previous = [...this.#sessions.values()].filter((session) => session.key === key).at(-1)
    const now = this.#now()
    const session: Session = {
      id: newId(),
      key,
      state: 'active',
      title: target.title ?? null,
      adapter: target.adapter,
      endpoint: target.endpoint,
      channel: target.channel,
      lastSeq: 0,
      leaf: null,
      isPinned: false,
      branchVersion: 0,
      messages: 0,
      usage: { input: 0, cachedInput: 0, output: 0 },
      model: null,
      thinking: null,
      createdAt: now,
      activeAt: now,
    }
    this.#sessions.set(session.id, { ...session })
    this.#entries.add(session.id)
    this.#active.set(key, session.id)
    if (this.#sessions.size > MAX_SESSIONS)
      this.#forget([...this.#sessions.values()].sort((a, b) => a.activeAt - b.activeAt)[0] as Session)
    return { session, created: true, ...(previous ? { previous: previous.id } : {}) }
  }

  #forget({ id, key }: Session): void {
    this.#sessions.delete(id)
    this.#entries.remove(id)
    if (this.#active.get(key) === id) this.#active.delete(key)
  }

  async archive(
    id: string,
    { expired = false, seenAt }: { readonly expired?: boolean; readonly seenAt?: number } = {},
  ): Promise<boolean> {
    const session = this.#sessions.get(id)
    if (session?.state !== 'active' || (seenAt !== undefined && session.activeAt !== seenAt)) return false
    if (expired) this.#forget(session)
    session.state = 'archived'
    session.branchVersion++
    if (this.#active.get(session.key) === id) this.#active.delete(session.key)
    return true
  }

  async list(query: SessionQuery): Promise<{ readonly rows: readonly Session[]; readonly total: number }> {
    return listSessions(this.#sessions.values(), query)
  }

  async path(session: string, leaf: number | null): Promise<readonly Entry[]> {
    const found: Entry[] = []
    for (const entry of this.#entries.walk(session, leaf)) {
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
    return [...this.#entries.walk(session, leaf)]
      .filter(({ seq }) => before === undefined || seq < before)
      .slice(0, limit)
  }

  async entry(session: string, seq: number): Promise<Entry | undefined> {
    return this.#entries.get(session, seq)
  }

  async entries(session: string, seqs: readonly number[]): Promise<readonly Entry[]> {
    return this.#entries.list(session, seqs).sort((a, b) => a.seq - b.seq)
  }

  async firstMessages(sessions: readonly string[]): Promise<ReadonlyMap<string, Entry>> {
    return firstMessages(sessions, this.#entries.trees)
  }

  async search(query: SaidQuery): Promise<SaidPage> {
    return searchSaid(this.#sessions.values(), this.#entries.trees, query)
  }

  async leaves(session: string): Promise<readonly Entry[]> {
    return this.#entries.leaves(session)
  }

  #write(id: string, parent: number | null, list: readonly NewEntry[]): number[] {
    const session = this.#sessions.get(id)
    if (!session) return []
    const seqs = this.#entries.append(id, session.lastSeq, parent, list)
    session.lastSeq = seqs.at(-1) ?? session.lastSeq
    return seqs
  }

  async append(
    id: string,
    branchVersion: number,
    entries: readonly NewEntry[],
  ): Promise<readonly number[] | undefined> {
    const session = this.#sessions.get(id)
    if (!session || session.branchVersion !== branchVersion) return undefined
    const seqs = this.#write(id, session.leaf, entries)
    session.leaf = seqs.at(-1) ?? session.leaf
    return seqs
  }

  async setLeaf(id: string, leaf: number | null): Promise<boolean> {
    const session = this.#sessions.get(id)
    if (session?.state !== 'active') return false
    Object.assign(session, {
      leaf,
      isPinned: true,
      branchVersion: session.branchVersion + 1,
    } satisfies Partial<Session>)
    return true
  }

  async createTurn(turn: Turn, handOver?: () => Promise<void>): Promise<void> {
    await handOver?.()
    this.#turns.set(turn.id, turn)
    if (turn.askKey !== null) this.#keys.set(turn.askKey, turn.id)
    if (this.#turns.size <= MAX_TURNS) return
    for (const { id, endedAt, askKey } of this.#turns.values()) {
      if (endedAt === null) continue
      this.#turns.delete(id)
      if (askKey !== null) this.#keys.delete(askKey)
      if (this.#turns.size <= MAX_TURNS) break
    }
  }

  async turn(id: string): Promise<Turn | undefined> {
    return this.#turns.get(id)
  }

  async answeredRows(rows: readonly string[]): Promise<ReadonlySet<string>> {
    const wanted = new Set(rows)
    return new Set(
      Array.from(this.#turns.values()).flatMap(({ row }) => (row !== null && wanted.has(row) ? [row] : [])),
    )
  }

  async turnByKey(key: string): Promise<Turn | undefined> {
    const id = this.#keys.get(key)
    return id === undefined ? undefined : this.#turns.get(id)
  }

  /** @throws TurnLost where the turn has ended or another start has taken it */
  #owned({ id, claim }: ClaimedTurn): Turn {
    const turn = this.#turns.get(id)
    if (turn?.claim !== claim || turn.endedAt !== null) throw new TurnLost(id)
    return turn
  }

  async claimTurn(turn: Turn, changes: Partial<Turn> & Pick<Turn, 'claim'>): Promise<Turn | undefined> {
    const known = this.#turns.get(turn.id)
    if (!known || known.endedAt !== null) return undefined
    if (known.claim === turn.claim) this.#turns.set(turn.id, { ...known, ...changes })
    else if (known.claim !== changes.claim) return undefined
    return { ...turn, ...changes }
  }

  async updateTurn(turn: ClaimedTurn, changes: Partial<Turn>, append?: TurnAppend): Promise<readonly number[]> {
    const known = this.#owned(turn)
    const ended = append?.ends && this.#owned(append.ends.turn)
    const seqs = append ? this.#write(append.session, append.parent, append.list) : []
    const entrySeqs = append ? { entrySeqs: [...append.entrySeqs, ...seqs] } : {}
    this.#turns.set(turn.id, { ...known, ...changes, ...entrySeqs })
    if (ended) this.#turns.set(ended.id, { ...ended, ...append.ends?.changes })
    return seqs
  }

  async recordAnswer(turn: ClaimedTurn, waiting: WaitingFor | null, handOver?: () => Promise<void>): Promise<void> {
    this.#owned(turn)
    await handOver?.()
    this.#turns.set(turn.id, { ...this.#owned(turn), waiting })
  }

  async closeTurn(
    turn: Turn,
    entries: readonly NewEntry[],
    parent: number | null,
    changes: Partial<Turn>,
    aside = false,
  ): Promise<ClosedTurn> {
    const known = this.#turns.get(turn.id)
    if (known?.claim !== turn.claim) throw new TurnLost(turn.id)
    if (isClosed(known)) return { turn: known, moved: false }
    const entrySeqs = [...turn.entrySeqs, ...this.#write(turn.session, parent, entries)]
    const session = this.#sessions.get(turn.session)
    const own = new Set(entrySeqs)
    const moved =
      !aside &&
      session !== undefined &&
      session.branchVersion === turn.branchVersion &&
      session.state === 'active' &&
      entrySeqs.length > 0 &&
      (session.leaf === null || !this.#entries.leadsTo(session.id, session.leaf, (seq) => own.has(seq)))
    if (moved) this.#moveBelowLeaf(session, entrySeqs)
    const closed: Turn = { ...known, ...changes, entrySeqs }
    this.#turns.set(turn.id, closed)
    return { turn: closed, moved }
  }

  #moveBelowLeaf(session: Writable<Session>, entrySeqs: readonly number[]): void {
    const [first] = entrySeqs
    if (first !== undefined) this.#entries.move(session.id, first, session.leaf)
    const own = this.#entries.list(session.id, entrySeqs)
    Object.assign(session, {
      leaf: entrySeqs.at(-1) ?? null,
      isPinned: false,
      activeAt: this.#now(),
      messages: session.messages + messagesIn(own),
    } satisfies Partial<Session>)
  }

  async reopenTurn(turn: Turn): Promise<Turn | undefined> {
    const { entrySeqs, baseSeq, branchVersion } = turn
    const known = this.#turns.get(turn.id)
    if (known?.claim !== turn.claim || known.endedAt === null) return undefined
    const session = this.#sessions.get(turn.session)
    if (entrySeqs.length) {
      if (session?.leaf !== entrySeqs.at(-1) || session?.branchVersion !== branchVersion || session?.state !== 'active')
        return undefined
      const own = this.#entries.list(turn.session, entrySeqs)
      Object.assign(session, { leaf: baseSeq, messages: session.messages - messagesIn(own) } satisfies Partial<Session>)
    }
    const reopened: Turn = { ...turn, ...REOPENED }
    this.#turns.set(turn.id, reopened)
    return reopened
  }

  async turns({ open, limit }: { readonly open?: boolean; readonly limit: number }): Promise<readonly Turn[]> {
    return [...this.#turns.values()]
      .filter(({ endedAt }) => !open || endedAt === null)
      .reverse()
      .slice(0, limit)
  }

  async openTurns({
    after = '',
    limit,
  }: {
    readonly after?: string
    readonly limit: number
  }): Promise<readonly Turn[]> {
    return [...this.#turns.values()]
      .filter(({ id, endedAt }) => endedAt === null && id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
  }

  async addUsage(id: string, usage: Usage): Promise<void> {
    const session = this.#sessions.get(id)
    if (!session) return
    session.usage = addUsage(session.usage, usage)
  }

  async choose(id: string, choice: SessionChoice, was?: string): Promise<boolean> {
    const session = this.#sessions.get(id)
    if (session?.state !== 'active' || (was !== undefined && session.model !== was)) return false
    Object.assign(session, choice)
    return true
  }

  async prune(archivedBefore: number): Promise<void> {
    for (const session of this.#sessions.values())
      if (session.state === 'archived' && session.activeAt < archivedBefore) this.#forget(session)
  }

  async idleSince(before: number): Promise<readonly Session[]> {
    return [...this.#sessions.values()]
      .filter(({ state, activeAt }) => state === 'active' && activeAt < before)
      .map((session) => ({ ...session }))
  }
}
