import {
  HOUSE,
  messageOf,
  type Clock,
  type Cluster,
  type ClusterHostView,
  type HostSession,
  type Logger,
  type PlaceWork,
  type StatementRunner,
} from '@mynah/kernel'
import { WireError, type ClusterPlace } from '@mynah/contract'
import { Calls, channelOf } from '../calls/calls.js'
import { NEWS, News } from '../calls/news.js'
import type { Session } from '../database/connect.js'
import {
  beat,
  createTables,
  go,
  join,
  leave,
  listHosts,
  reportPackages,
  stillWork,
  takeControl,
  type Identity,
} from '../database/host-tables.js'
import { drain, listPlaces, look, move } from '../database/place-tables.js'
import { CHANNEL, CONFIGURATION, connectionName, LOCKS, STREAM } from '../database/tables.js'
import { refuseOlder, reportWait } from '../database/upgrade.js'
import { reportRevision, type RevisionState } from '../configuration/revision-tables.js'
import { Control } from './control.js'
import { Owners } from './owners.js'
import { PlaceChanges } from './place-changes.js'
import { joined, mayAct, ownerName, type Durations, type MemberState, type Moment } from './state.js'
import { step, type Effect, type Input } from './step.js'
import { Works } from './works.js'

const TICK_MS = 250

export interface MemberOptions {
  readonly url: string
  readonly id: string
  readonly name: string
  readonly version: string
  readonly durations: Durations
  /** Whether it takes no places before it runs a revision of the shared configuration. */
  readonly sharesConfiguration?: boolean
  readonly clock: Clock
  readonly log: Logger
  /** Ends the process at once. */
  exit(): void
  /** Stops the host and starts it again. */
  restart(): Promise<void>
  /** The owner of {@link HOUSE} has changed. Called also before the joining has ended. */
  onHouseMoved(member: Member): void
}

const now = (): Moment => ({ monotonic: performance.now(), wall: Date.now() })

/** This host among those that share its database: carries out what {@link step} decides. */
export class Member implements Cluster {
  readonly self: Identity
  readonly #options: MemberOptions
  readonly #control: Control
  readonly #works: Works
  readonly #calls: Calls
  readonly #news: News
  readonly #changes: PlaceChanges
  readonly #timers: (() => void)[]
  #state: MemberState
  readonly #owners = new Owners()
  readonly #streamListeners = new Set<(newest?: number) => void>()
  readonly #changeListeners = new Set<() => void>()
  readonly #revisionListeners = new Set<() => void>()
  /** Whether it runs the configuration that the hosts share, or a file of its own. */
  #isUpToDate: boolean
  #revisionProblem: string | undefined
  #waitsFor: string | undefined
  /** As it is in the database. */
  #reportedWait: string | undefined
  /** As JSON. */
  #packages: string | undefined
  #reportedPackages: string | undefined
  #beating = false
  #looking: Promise<void> | undefined
  #exited = false

  private constructor(options: MemberOptions, self: Identity, control: Control) {
    const { clock, durations, log } = options
    this.#options = options
    this.#isUpToDate = options.sharesConfiguration !== true
    this.self = self
    this.#control = control
    this.#works = new Works({ log, clock, holds: () => this.holds() })
    this.#calls = new Calls({ self, clock, log, use: (work) => control.use(work) })
    this.#news = new News({ owner: this.owner, log, use: (work) => control.use(work) })
    this.#changes = new PlaceChanges({
      ...options,
      self,
      control,
      works: this.#works,
      // A look that is under way does not show the change.
      changed: async () => {
        await this.#looking
        await this.look()
      },
      giveFailed: (place) => this.#give({ kind: 'give-failed', place }),
    })
    this.#state = joined(self)
    this.#timers = [
      clock.setInterval(() => this.#beat(), durations.beat),
      clock.setInterval(() => this.look(), durations.look),
      clock.setInterval(() => this.#give({ kind: 'tick' }), TICK_MS),
    ]
  }

  /**
   * Joins the hosts of a database.
   *
   * @throws IdentityInUse where a live host has the same identity
   */
  static async join(options: MemberOptions): Promise<Member> {
    const { url, id, name, version, durations, clock } = options
    let self: Identity | undefined
    const opened: { member?: Member } = {}
    const control = new Control(
      url,
      () => (self ? connectionName(self.id, self.epoch) : 'mynah joining'),
      async (session) => {
        if (self && (await takeControl(session, self))) opened.member?.promoted()
        // A host may have beaten while there was no connection.
        if (opened.member) opened.member.#give({ kind: 'look-failed' })
        const member = opened.member
        if (member) setImmediate(() => member.#news.gap())
        // A beat that is lost with the server would only be raised again.
        await session.query('SET synchronous_commit = off')
        await session.query(`LISTEN ${CHANNEL}`)
        await session.query(`LISTEN ${STREAM}`)
        await session.query(`LISTEN ${NEWS}`)
        if (options.sharesConfiguration) await session.query(`LISTEN ${CONFIGURATION}`)
        if (self) await session.query(`LISTEN ${channelOf(self.number)}`)
        session.on('notification', ({ channel, payload = '' }) => {
          opened.member?.notified(channel, payload)
        })
      },
    )
    try {
      self = await control.use(async (session) => {
        await createTables(session)
        const identity = await join(session, { id, name, version, now: clock.now() }, durations.lease)
        await session.query(`LISTEN ${channelOf(identity.number)}`)
        return identity
      })
    } catch (error) {
      await control.close()
      throw error
    }
    const member = new Member(options, self, control)
    opened.member = member
    await member.#beat()
    // All plugins are part of it, those that know nothing of places too.
    member.run(HOUSE, { start() {}, stop() {} })
    await member.#changes.offered
    return member
  }

  get owner(): string {
    return ownerName(this.self.id, this.self.epoch)
  }

  get session(): HostSession {
    const { id, number, epoch } = this.self
    return {
      name: connectionName(id, epoch),
      streamChannel: STREAM,
      proof: [
        { sql: 'SELECT pg_advisory_lock($1, $2)', parameters: [LOCKS, number] },
        {
          sql: `SELECT 1 FROM cluster_host WHERE id = $1 AND epoch = $2 AND state IN ('live', 'leaving')`,
          parameters: [id, epoch],
        },
      ],
    }
  }

  holds(): boolean {
    return mayAct(this.#state, now())
  }

  owns(place: string): boolean {
    return this.#state.places.has(place) && !this.#state.giving.has(place) && this.holds()
  }

  answersFor(place: string): boolean {
    return this.owns(place) || (this.owns(HOUSE) && !this.#owners.knows(place))
  }

  isElsewhere(place: string): boolean {
    return this.#owners.of(place) !== undefined
  }

  async ended(owners: Iterable<string>): Promise<ReadonlySet<string>> {
    const asked = [...new Set(owners)]
    const others = asked.filter((owner) => owner !== this.owner)
    const working = others.length === 0 ? [] : await this.#control.use((session) => stillWork(session, others))
    return new Set(others.filter((owner) => !working.includes(owner)))
  }

  standbyReason(): string | undefined {
    return this.owns(HOUSE) ? undefined : this.#owners.reason(this.self)
  }

  run(place: string, work: PlaceWork, hosts: readonly string[] = []): () => void {
    const before = this.#works.offered
    const remove = this.#works.add(place, work, hosts)
    if (!before.has(place)) void this.#changes.offer()
    return () => {
      remove()
      if (!this.#works.offered.has(place)) void this.#changes.offer()
    }
  }

  watchBusy(check: (place: string) => boolean): () => void {
    return this.#works.watchBusy(check)
  }

  fenced(): void {
    this.#exit('other hosts have declared this host dead and taken its work; it restarts')
  }

  /** A standby server was promoted, which may lack what this host has read and written. */
  promoted(): void {
    this.#exit('the database server was replaced by another one; the host restarts')
  }

  #exit(reason: string): void {
    if (this.#exited) return
    this.#exited = true
    this.#options.log.error(reason)
    this.#options.exit()
  }

  /** Returns all hosts of the database. */
  hosts(): Promise<readonly ClusterHostView[]> {
    return this.#control.use((session) => listHosts(session))
  }

  places(): ReadonlyMap<string, string | undefined> {
    return this.#owners.places(this.self)
  }

  others(): readonly { readonly owner: string; readonly name: string }[] {
    return this.#owners.others()
  }

  /** Returns all places of the database. */
  storedPlaces(): Promise<readonly ClusterPlace[]> {
    return this.#control.use((session) => listPlaces(session))
  }

  async call(place: string, method: string, params: unknown): Promise<unknown> {
    if (this.owns(place) || place === this.owner) return this.#calls.here(method, params)
    const owner = this.#owners.of(place)
    if (!owner) throw new WireError('not_ready', `No host has ${place} now`)
    return this.#calls.call(owner, method, params)
  }

  tell(subject: string, params: unknown): Promise<void> {
    return this.#news.tell(subject, params)
  }

  onTold(subject: string, listener: (params: unknown) => void): () => void {
    return this.#news.on(subject, listener)
  }

  onGap(listener: () => void): () => void {
    return this.#news.onGap(listener)
  }

  onChange(listener: () => void): () => void {
    this.#changeListeners.add(listener)
    return () => void this.#changeListeners.delete(listener)
  }

  answer(method: string, handler: (params: unknown) => Promise<unknown>): () => void {
    return this.#calls.answer(method, handler)
  }

  /**
   * Moves a place to a host, which keeps it while it lives; `null` takes that back.
   *
   * @returns whether there is such a place
   */
  move(place: string, host: string | null): Promise<boolean> {
    return this.#control.use((session) => move(session, place, host))
  }

  /**
   * Lets a host give its places away, until it is started again or `drains` is false.
   *
   * @returns whether there is such a live host
   */
  drain(host: string, drains: boolean): Promise<boolean> {
    return this.#control.use((session) => drain(session, host, drains))
  }

  /** Says which revision of the shared configuration this host runs. It takes places only with the newest. */
  async runsRevision(state: RevisionState): Promise<void> {
    this.#isUpToDate = state.problem === undefined
    this.#revisionProblem = state.problem
    await this.#control.use((session) => reportRevision(session, this.self, state))
  }

  /** Why it cannot run the newest revision, for people. */
  get revisionProblem(): string | undefined {
    return this.#revisionProblem && `this host ${this.#revisionProblem}`
  }

  refuseOlder(query: StatementRunner): Promise<readonly string[]> {
    return refuseOlder(query, this.#options.version, this.#options.clock.now())
  }

  waitFor(reason: string | undefined): void {
    if (reason === this.#waitsFor) return
    this.#waitsFor = reason
    void this.look()
  }

  /** Says which versions of packages its plugins have. */
  hasPackages(versions: ReadonlyMap<string, string>): void {
    this.#packages = JSON.stringify(Object.fromEntries(Array.from(versions).sort(([a], [b]) => (a < b ? -1 : 1))))
  }

  /** Reason why it takes no places yet, for people. */
  get waitsFor(): string | undefined {
    return this.#waitsFor
  }

  /** Calls `listener` when another revision of the configuration may be there. Returns how to stop. */
  onRevision(listener: () => void): () => void {
    this.#revisionListeners.add(listener)
    return () => void this.#revisionListeners.delete(listener)
  }

  /** Stops its work, gives its places to others, and leaves. */
  async close(): Promise<void> {
    for (const cancel of this.#timers) cancel()
    this.#changes.close()
    const quietly = async (what: string, work: (session: Session) => Promise<void>): Promise<void> => {
      await this.#control
        .use(work)
        .catch((error: unknown) => this.#options.log.warn(`failed to ${what}: ${messageOf(error)}`))
    }
    if (!this.#exited) await quietly('leave the cluster', (session) => leave(session, this.self))
    this.#give({ kind: 'leave' })
    await this.#works.idle()
    this.#calls.close()
    if (!this.#exited) await quietly('leave the cluster', (session) => go(session, this.self))
    await this.#control.close()
  }

  #give(input: Input): void {
    if (this.#exited) return
    const { state, effects } = step(this.#state, input, now(), this.#options.durations)
    this.#state = state
    for (const effect of effects) this.#carryOut(effect)
  }

  #carryOut(effect: Effect): void {
    switch (effect.kind) {
      case 'start':
        return this.#works.start(effect.place)
      case 'stop':
        // It may go on for a while where it moves in order.
        return this.#state.giving.has(effect.place) && this.holds()
          ? this.#works.leave(effect.place)
          : this.#works.stop(effect.place)
      case 'declare-dead':
        return void this.#changes.declare(effect.host)
      case 'take':
        return void this.#changes.take(effect.places)
      case 'give':
        return void this.#changes.handOver(effect.place)
      case 'exit':
        return this.fenced()
    }
  }

  async #beat(): Promise<void> {
    if (this.#beating) return
    this.#beating = true
    const sent = now()
    try {
      const found = await this.#control.use((session) => beat(session, this.self))
      this.#give({ kind: 'beaten', sent, found })
    } catch (error) {
      this.#options.log.debug(`failed to beat: ${messageOf(error)}`)
    } finally {
      this.#beating = false
    }
  }

  /** Looks at the others, once at a time. */
  look(): Promise<void> {
    return (this.#looking ??= this.#lookNow().finally(() => (this.#looking = undefined)))
  }

  onStream(listener: (newest?: number) => void): () => void {
    this.#streamListeners.add(listener)
    return () => void this.#streamListeners.delete(listener)
  }

  /** Tells its listeners that there may be events of other hosts. */
  followStream(newest?: number): void {
    for (const listener of this.#streamListeners) listener(newest)
  }

  /** Takes a notification of the database. */
  notified(channel: string, payload: string): void {
    if (channel === CHANNEL) void this.look()
    else if (channel === STREAM) this.followStream(Number(payload))
    else if (channel === NEWS) this.#news.receive(payload)
    else if (channel === CONFIGURATION) for (const listener of this.#revisionListeners) listener()
    else this.#calls.receive(payload)
  }

  /** Writes to its row what has changed of it. */
  async #report(): Promise<void> {
    const waitsFor = this.#waitsFor
    if (waitsFor !== this.#reportedWait) {
      await this.#control.use((session) => reportWait(session, this.self, waitsFor))
      this.#reportedWait = waitsFor
    }
    const packages = this.#packages
    if (packages === undefined || packages === this.#reportedPackages) return
    await this.#control.use((session) => reportPackages(session, this.self, packages))
    this.#reportedPackages = packages
  }

  async #lookNow(): Promise<void> {
    try {
      await this.#report()
      const waitsFor = this.#waitsFor
      const seen = await this.#control.use((session) => look(session, this.self))
      const hasChanged = this.#owners.follow(seen)
      const before = this.#state.places
      const { others, isDraining } = seen
      const mayTake = this.#isUpToDate && waitsFor === undefined
      const places = mayTake ? seen.places : seen.places.map((place) => ({ ...place, mayBeTaken: false }))
      const { offered, busy } = this.#works
      this.#give({ kind: 'looked', others, places, isDraining, offered, busy })
      if (hasChanged.house) this.#options.onHouseMoved(this)
      const hasGot = [...this.#state.places].some((place) => !before.has(place))
      if (hasGot || hasChanged.hosts) for (const listener of this.#changeListeners) listener()
      // Notifications are lost with the connection that listens.
      if (others.length > 0) this.followStream()
    } catch (error) {
      this.#options.log.debug(`failed to look at the other hosts: ${messageOf(error)}`)
      this.#give({ kind: 'look-failed' })
    }
  }
}
