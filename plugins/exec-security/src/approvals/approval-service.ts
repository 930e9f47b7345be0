// The life of a request: pending, answered once, used once, or expired.
import { createHash, randomBytes } from 'node:crypto'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { ApprovalEnd, ApprovalKind, ApprovalRequest, Approvals, Asker, ExecOrigin } from '../api.js'
import { firstLine, matchesRequest, originColumns, type Approval } from './approval.js'
import type { ApprovalStore } from './approval-store.js'

/** Time that a request waits, and that an approval can be used. */
export const WINDOW_MS = 30 * 60_000
/** Requests that wait for one endpoint; what comes beyond is refused. */
const MAX_PENDING = 50
/** Characters of an id: short enough to be typed. */
const ID = 10
const TOO_MANY = 'too many requests wait for the owner already'

interface Deps {
  readonly store: () => ApprovalStore
  readonly clock: Clock
  readonly log: Logger
  /** Aborts when the plugin goes. */
  readonly signal: AbortSignal
  /** Called after each change. */
  readonly changed: (approval: Approval) => void
  /** Tells the owner of a request. */
  readonly ask: (approval: Approval) => void
}

export class ApprovalService implements Approvals {
  readonly #deps: Deps
  readonly #timers = new Map<string, () => void>()
  readonly #waiting = new Map<string, Set<(approval: Approval) => void>>()
  #lane: Promise<unknown> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Keeps a request and tells the owner; the same text of the same origin waits once. Throws `conflict` when too many wait already. */
  request(request: ApprovalRequest): Promise<Approval> {
    const { kind, title, text, origin, reason, suggestion, parts } = request
    return this.#inOrder(async () => {
      const pending = await this.pending()
      const { id, known } = await this.#find(request, pending)
      if (known) return known
      const where = originColumns(origin)
      if (
        pending.filter((other) => other.adapter === where.adapter && other.endpointId === where.endpointId).length >=
        MAX_PENDING
      )
        throw new WireError('conflict', TOO_MANY)
      const now = this.#deps.clock.now()
      const approval: Approval = {
        id,
        kind,
        title: firstLine(title),
        command: text,
        ...where,
        reason,
        suggestion: suggestion ?? null,
        parts: parts ?? null,
        status: 'pending',
        answeredBy: null,
        createdAt: now,
        expiresAt: now + WINDOW_MS,
      }
      await this.#deps.store().add(approval)
      this.#tell(approval)
      this.#deps.ask(approval)
      return approval
    })
  }

  idFor(request: Pick<ApprovalRequest, 'kind' | 'text' | 'origin'> & { readonly asker: Asker }): Promise<string> {
    return this.#inOrder(async () => (await this.#find(request, await this.pending())).id)
  }

  /** The request that this one is already, and the id that it has or gets. */
  async #find(
    { kind, text, origin, asker }: Pick<ApprovalRequest, 'kind' | 'text' | 'origin' | 'asker'>,
    pending: readonly Approval[],
  ): Promise<{ readonly id: string; readonly known?: Approval }> {
    const same = pending.find((approval) => matchesRequest(approval, kind, text, origin))
    if (!asker) return same ? { id: same.id, known: same } : { id: randomBytes(ID / 2).toString('hex') }
    for (let time = 1; ; time++) {
      const id = createHash('sha256')
        .update(JSON.stringify([asker.turn, asker.call, time]))
        .digest('hex')
        .slice(0, ID)
      const mine = await this.#deps.store().get(id)
      if (mine && matchesRequest(mine, kind, text, origin) && this.#holds(mine)) return { id, known: mine }
      if (!mine) return same ? { id: same.id, known: same } : { id }
    }
  }

  /** Whether what became of a request still says something to who asked. */
  #holds({ status, expiresAt, answeredBy }: Approval): boolean {
    return (
      status === 'pending' ||
      status === 'denied' ||
      (status === 'approved' && expiresAt > this.#deps.clock.now()) ||
      (status === 'expired' && answeredBy === null)
    )
  }

  /** Answers a request. Throws `not_found` for an id that is unknown or not `mine`, `conflict` for one that was answered or expired. */
  answer(
    id: string,
    approve: boolean,
    by: string,
    mine: (approval: Approval) => boolean = () => true,
  ): Promise<Approval> {
    return this.#inOrder(async () => {
      const approval = await this.#deps.store().get(id)
      if (!approval || !mine(approval)) throw new WireError('not_found', `No request "${id}"`)
      const now = this.#deps.clock.now()
      if (approval.status === 'pending' && approval.expiresAt > now) {
        const changes = approve
          ? ({ status: 'approved', answeredBy: by, expiresAt: now + WINDOW_MS } as const)
          : ({ status: 'denied', answeredBy: by } as const)
        const answered = await this.#change(approval, changes)
        if (answered) return answered
      }
      const status = approval.status === 'pending' ? 'expired' : approval.status
      throw new WireError('conflict', `The request "${id}" is ${status} already`)
    })
  }

  /** The approval for exactly this text and origin that was not used yet; with `use` it is used by this. */
  granted(kind: ApprovalKind, text: string, origin: ExecOrigin, use: boolean): Promise<Approval | undefined> {
    return this.#inOrder(async () => {
      const found = (await this.#live()).find(
        (approval) => approval.status === 'approved' && matchesRequest(approval, kind, text, origin),
      )
      return found && use ? this.#change(found, { status: 'used' }) : found
    })
  }

  async use(kind: ApprovalKind, text: string, origin: ExecOrigin): Promise<boolean> {
    return (await this.granted(kind, text, origin, true)) !== undefined
  }

  async decide(id: string, approve: boolean, by: string): Promise<void> {
    await this.answer(id, approve, by)
  }

  withdraw(id: string): Promise<void> {
    return this.#inOrder(async () => {
      const approval = await this.#deps.store().get(id)
      if (approval?.status === 'pending' || approval?.status === 'approved')
        await this.#change(approval, { status: 'withdrawn' })
    })
  }

  /** Takes back approvals that were not used yet. */
  expireApproved(which: (approval: Approval) => boolean): Promise<void> {
    return this.#inOrder(async () => {
      for (const approval of await this.#live())
        if (approval.status === 'approved' && which(approval)) await this.#change(approval, { status: 'expired' })
    })
  }

  pending(): Promise<readonly Approval[]> {
    return this.waiting()
  }

  /** Requests that wait, oldest first. */
  async waiting(): Promise<readonly Approval[]> {
    return (await this.#live()).filter(({ status }) => status === 'pending')
  }

  /** The last requests, newest first, older than one of them. */
  history(limit: number, before?: string): Promise<readonly Approval[]> {
    return this.#deps.store().list(limit, before)
  }

  /** Resolves when the request is answered, withdrawn or expires. */
  async wait(id: string, signal?: AbortSignal): Promise<ApprovalEnd> {
    const signals = signal ? [this.#deps.signal, signal] : [this.#deps.signal]
    let leave = (): void => {}
    const answered = new Promise<Approval>((resolve, reject) => {
      const listeners = this.#waiting.get(id) ?? new Set()
      this.#waiting.set(id, listeners.add(resolve))
      const aborts = signals.map((signal) => ({ signal, listener: () => reject(signal.reason as Error) }))
      for (const { signal, listener } of aborts) {
        if (signal.aborted) listener()
        else signal.addEventListener('abort', listener, { once: true })
      }
      leave = () => {
        listeners.delete(resolve)
        if (listeners.size === 0) this.#waiting.delete(id)
        for (const { signal, listener } of aborts) signal.removeEventListener('abort', listener)
      }
    })
    try {
      const known = this.#deps
        .store()
        .get(id)
        .then((approval) => {
          if (!approval) throw new WireError('not_found', `No request "${id}"`)
          const over = approval.status !== 'pending' || approval.expiresAt <= this.#deps.clock.now()
          return over ? approval : answered
        })
      const { status } = await Promise.race([answered, known])
      return status === 'used' ? 'approved' : status === 'pending' ? 'expired' : status
    } finally {
      leave()
    }
  }

  /** Takes up the requests that a stop left behind. */
  async resume(): Promise<void> {
    for (const approval of await this.#deps.store().live()) this.#arm(approval)
  }

  async #live(): Promise<readonly Approval[]> {
    const now = this.#deps.clock.now()
    return (await this.#deps.store().live()).filter(({ expiresAt }) => expiresAt > now)
  }

  async #change(approval: Approval, changes: Partial<Approval>): Promise<Approval | undefined> {
    if (!(await this.#deps.store().change(approval.id, approval.status, changes))) return undefined
    const changed = { ...approval, ...changes }
    this.#tell(changed)
    return changed
  }

  #tell(approval: Approval): void {
    this.#arm(approval)
    if (approval.status !== 'pending') this.#release(approval)
    this.#deps.changed(approval)
  }

  #release(approval: Approval): void {
    for (const resolve of this.#waiting.get(approval.id) ?? []) resolve(approval)
  }

  #arm(approval: Approval): void {
    this.#timers.get(approval.id)?.()
    this.#timers.delete(approval.id)
    if (approval.status !== 'pending' && approval.status !== 'approved') return
    const { clock } = this.#deps
    this.#timers.set(
      approval.id,
      clock.setTimeout(() => this.#expire(approval), Math.max(0, approval.expiresAt - clock.now())),
    )
  }

  async #expire(approval: Approval): Promise<void> {
    this.#timers.delete(approval.id)
    try {
      await this.#inOrder(() => this.#change(approval, { status: 'expired' }))
    } catch (error) {
      // Every reader looks at the time; only the record of it is late, until the requests are taken up again.
      this.#release({ ...approval, status: 'expired' })
      this.#deps.log.warn(`the request ${approval.id} has expired, but that could not be stored: ${messageOf(error)}`)
    }
  }

  /** One change after the other, so that what was read still holds when it is changed. */
  #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#lane.then(step, step)
    this.#lane = done.then(
      () => undefined,
      () => undefined,
    )
    return done
  }
}
