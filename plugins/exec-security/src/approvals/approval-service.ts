import { createHash, randomBytes } from 'node:crypto'
import { messageOf, type Clock, type Logger, type Reader } from '@mynah/kernel'
import { SerialQueue } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { ApprovalEnd, ApprovalKind, ApprovalRequest, Approvals, Asker, ExecOrigin } from '../api.js'
import { firstLine, type Approval } from './approval.js'
import { bindingOf, isBound, type Bound } from './binding.js'
import { assertKind } from './kinds.js'
import type { ApprovalStore } from './approval-store.js'
import { UnclearChanges } from './unclear-changes.js'
import { untilAvailable } from './until-available.js'

/** Time that a request waits, and that an approval can be used. */
const WINDOW_MS = 30 * 60_000
/** The most pending requests of one endpoint. */
const MAX_PENDING = 50
/** Characters of an id: short enough to be typed. */
const ID = 10
const TOO_MANY = 'too many requests wait for the owner already'

/** Learns of requests. */
export interface ApprovalListener {
  /** Called for a new request, to notify its owner. */
  requested(approval: Approval): void
  /** Called after each change. */
  changed(approval: Approval): void
}

/** The plugin while it runs. */
interface Life {
  readonly clock: Clock
  readonly log: Logger
  /** Aborts when the plugin stops. */
  readonly signal: AbortSignal
}

/** Keeps requests from pending to answered, used or expired. */
export class ApprovalService implements Approvals {
  readonly #life: Life
  readonly #store: ApprovalStore
  readonly #kinds: Reader<ApprovalKind>
  readonly #listener: ApprovalListener
  readonly #timers = new Map<string, () => void>()
  readonly #waiting = new Map<string, Set<(approval: Approval) => void>>()
  /** Runs one change after the other, so that what was read is still true when it is changed. */
  readonly #queue = new SerialQueue()
  readonly #unclear: UnclearChanges

  constructor(life: Life, store: ApprovalStore, kinds: Reader<ApprovalKind>, listener: ApprovalListener) {
    this.#life = life
    this.#store = store
    this.#kinds = kinds
    this.#listener = listener
    this.#unclear = new UnclearChanges(life.clock, store, (approval) => this.#notify(approval))
  }

  /**
   * Stores a request and notifies the owner. The same text of the same origin waits once. The request of a call that
   * waits outlasts a store that is unavailable: a call that fails gives up what it asked for before a restart.
   *
   * @throws WireError `conflict` if too many requests wait already, `invalid_request` for an unknown kind or an origin
   * without an endpoint
   */
  request(request: ApprovalRequest): Promise<Approval> {
    const { kind, title, reason, suggestion, parts } = request
    // A write without an answer may have been made.
    let isTried = false
    const announced = (approval: Approval): Approval => {
      this.#notify(approval)
      this.#listener.requested(approval)
      return approval
    }
    const make = async (): Promise<Approval> => {
      assertKind(this.#kinds, kind)
      const where = await bindingOf(request)
      if (where.adapter === null || where.endpointId === null)
        throw new WireError('invalid_request', 'An action without an endpoint has no owner who could approve it')
      const live = await this.#live()
      const pending = live.filter(({ status }) => status === 'pending')
      const { id, known } = await this.#find(request, live)
      if (known) return isTried ? announced(known) : known
      if (
        pending.filter((other) => other.adapter === where.adapter && other.endpointId === where.endpointId).length >=
        MAX_PENDING
      )
        throw new WireError('conflict', TOO_MANY)
      const now = this.#life.clock.now()
      const approval: Approval = {
        id,
        ...where,
        title: firstLine(title),
        reason,
        suggestion: suggestion ?? null,
        parts: parts ?? null,
        status: 'pending',
        answeredBy: null,
        createdAt: now,
        expiresAt: now + WINDOW_MS,
      }
      isTried = true
      await this.#store.add(approval)
      return announced(approval)
    }
    const { clock, signal } = this.#life
    const attempt = (): Promise<Approval> => this.#queue.run(make)
    return request.asker ? untilAvailable(attempt, clock, signal) : attempt()
  }

  idFor(request: Bound & { readonly asker: Asker }): Promise<string> {
    const find = async (): Promise<string> => (await this.#find(request, await this.#live())).id
    const { clock, signal } = this.#life
    return untilAvailable(() => this.#queue.run(find), clock, signal)
  }

  /**
   * Returns the existing request for the same, and the id that a request has or gets. An approval that was not used yet
   * is one as well: the same action is not asked for twice.
   */
  async #find(
    request: Bound & Pick<ApprovalRequest, 'asker'>,
    live: readonly Approval[],
  ): Promise<{ readonly id: string; readonly known?: Approval }> {
    const { asker } = request
    const binding = await bindingOf(request)
    const same = live.find((approval) => isBound(approval, binding))
    if (!asker) return same ? { id: same.id, known: same } : { id: randomBytes(ID / 2).toString('hex') }
    for (let time = 1; ; time++) {
      const id = createHash('sha256')
        .update(JSON.stringify([asker.turn, asker.call, time]))
        .digest('hex')
        .slice(0, ID)
      const mine = await this.#store.get(id)
      if (mine && isBound(mine, binding) && this.#holds(mine)) return { id, known: mine }
      if (!mine) return same ? { id: same.id, known: same } : { id }
    }
  }

  /** Returns whether the status of a request still answers the asking call. */
  #holds({ status, expiresAt, answeredBy }: Approval): boolean {
    return (
      status === 'pending' ||
      status === 'denied' ||
      (status === 'approved' && expiresAt > this.#life.clock.now()) ||
      (status === 'expired' && answeredBy === null)
    )
  }

  /**
   * Answers a request.
   *
   * @throws WireError `not_found` for an id that is unknown or not `mine`, `conflict` for an answered or expired
   * request
   */
  answer(
    id: string,
    approve: boolean,
    by: string,
    mine: (approval: Approval) => boolean = () => true,
  ): Promise<Approval> {
    return this.#queue.run(async () => {
      const approval = await this.#store.get(id)
      if (!approval || !mine(approval)) throw new WireError('not_found', `No request "${id}"`)
      const now = this.#life.clock.now()
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

  /** Returns the unused approval for exactly this, and uses it up with `use`. */
  granted(bound: Bound, use: boolean): Promise<Approval | undefined> {
    return this.#queue.run(async () => {
      const binding = await bindingOf(bound)
      const found = (await this.#live()).find(
        (approval) => approval.status === 'approved' && isBound(approval, binding),
      )
      return found && use ? this.#change(found, { status: 'used' }) : found
    })
  }

  /** Uses up what was approved for exactly this, whatever it adds. Returns what it adds. */
  additions(bound: Omit<Bound, 'adds'>): Promise<readonly string[]> {
    return this.#queue.run(async () => {
      const binding = await bindingOf(bound)
      const found = (await this.#live()).filter(
        (approval) =>
          approval.status === 'approved' &&
          isBound(approval, { ...binding, adds: approval.adds ? [...approval.adds] : null }),
      )
      for (const approval of found) await this.#change(approval, { status: 'used' })
      return found.flatMap(({ adds }) => adds ?? [])
    })
  }

  async use(kind: string, text: string, origin: ExecOrigin, folder?: string): Promise<boolean> {
    return (await this.granted({ kind, text, origin, folder }, true)) !== undefined
  }

  async decide(id: string, approve: boolean, by: string): Promise<void> {
    await this.answer(id, approve, by)
  }

  withdraw(id: string): Promise<void> {
    return this.#queue.run(async () => {
      const approval = await this.#store.get(id)
      if (approval?.status === 'pending' || approval?.status === 'approved')
        await this.#change(approval, { status: 'withdrawn' })
    })
  }

  /** Expires approvals that were not used yet. */
  expireApproved(which: (approval: Approval) => boolean): Promise<void> {
    return this.#queue.run(async () => {
      for (const approval of await this.#live())
        if (approval.status === 'approved' && which(approval)) await this.#change(approval, { status: 'expired' })
    })
  }

  get(id: string): Promise<Approval | undefined> {
    return this.#store.get(id)
  }

  pending(): Promise<readonly Approval[]> {
    return this.waiting()
  }

  /** Returns the pending requests, oldest first. */
  async waiting(): Promise<readonly Approval[]> {
    return (await this.#live()).filter(({ status }) => status === 'pending')
  }

  /** Returns the requests of the last hour that were not answered, and can no longer be. */
  async endedLately(): Promise<readonly Approval[]> {
    const since = this.#life.clock.now() - 2 * WINDOW_MS
    const last = await this.#store.list(MAX_PENDING)
    return last.filter(({ status, createdAt }) => (status === 'withdrawn' || status === 'expired') && createdAt > since)
  }

  /** Returns the last requests, newest first, or those before one of them. */
  history(limit: number, before?: string): Promise<readonly Approval[]> {
    return this.#store.list(limit, before)
  }

  /**
   * Resolves when the request is answered, withdrawn or expires. A store that is unavailable is waited for: who asked
   * would withdraw the request.
   */
  async wait(id: string, signal?: AbortSignal): Promise<ApprovalEnd> {
    const signals = signal ? [this.#life.signal, signal] : [this.#life.signal]
    const over = new AbortController()
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
      const reading = untilAvailable(() => this.#store.get(id), this.#life.clock, over.signal)
      const known = reading.then((approval) => {
        if (!approval) throw new WireError('not_found', `No request "${id}"`)
        const isOver = approval.status !== 'pending' || approval.expiresAt <= this.#life.clock.now()
        return isOver ? approval : answered
      })
      known.catch(() => {
        // Handled by the await below, unless the wait is over before.
      })
      const { status } = await Promise.race([answered, known])
      if (status === 'used') return 'approved'
      return status === 'pending' ? 'expired' : status
    } finally {
      over.abort()
      leave()
    }
  }

  /** Shows a request that another host has changed to those that wait for it. */
  async follow(id: string): Promise<Approval | undefined> {
    const approval = await this.#store.get(id)
    if (!approval) return undefined
    this.#arm(approval)
    if (approval.status !== 'pending') this.#release(approval)
    return approval
  }

  /** As {@link ApprovalService.follow}, for all requests that something waits for. */
  async followAll(): Promise<void> {
    await Promise.all(Array.from(this.#waiting.keys(), (id) => this.follow(id)))
  }

  /** Starts the timers of the stored requests. */
  async resume(): Promise<void> {
    for (const approval of await this.#store.live()) this.#arm(approval)
  }

  async #live(): Promise<readonly Approval[]> {
    const now = this.#life.clock.now()
    return (await this.#store.live()).filter(({ expiresAt }) => expiresAt > now)
  }

  async #change(approval: Approval, changes: Partial<Approval>): Promise<Approval | undefined> {
    try {
      if (!(await this.#store.change(approval.id, approval.status, changes))) return undefined
    } catch (error) {
      this.#unclear.add(approval)
      throw error
    }
    const changed = { ...approval, ...changes }
    this.#notify(changed)
    return changed
  }

  #notify(approval: Approval): void {
    this.#arm(approval)
    if (approval.status !== 'pending') this.#release(approval)
    this.#listener.changed(approval)
  }

  #release(approval: Approval): void {
    for (const resolve of this.#waiting.get(approval.id) ?? []) resolve(approval)
  }

  #arm(approval: Approval): void {
    this.#timers.get(approval.id)?.()
    this.#timers.delete(approval.id)
    if (approval.status !== 'pending' && approval.status !== 'approved') return
    const { clock } = this.#life
    this.#timers.set(
      approval.id,
      clock.setTimeout(() => this.#expire(approval), Math.max(0, approval.expiresAt - clock.now())),
    )
  }

  async #expire(approval: Approval): Promise<void> {
    this.#timers.delete(approval.id)
    try {
      await this.#queue.run(() => this.#change(approval, { status: 'expired' }))
    } catch (error) {
      // Every reader compares the time, so only the stored status is late until the next recovery.
      this.#release({ ...approval, status: 'expired' })
      this.#life.log.warn(`failed to store the expiry of request ${approval.id}: ${messageOf(error)}`)
    }
  }
}
