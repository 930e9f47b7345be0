import {
  messageOf,
  type Clock,
  type Cluster,
  type ClusterHostView,
  type HostSession,
  type Logger,
  type PlaceWork,
} from '@mynah/kernel'
import { connect, type Session } from '../database/connect.js'
import {
  addPlaces,
  beat,
  createTables,
  declareDead,
  go,
  join,
  leave,
  listHosts,
  look,
  take,
  type Identity,
} from '../database/cluster-tables.js'
import { CHANNEL, connectionName, LOCKS, MAX_FALLS } from '../database/tables.js'
import { Control } from './control.js'
import { joined, mayAct, ownerName, type Durations, type HostRow, type MemberState, type Moment } from './state.js'
import { step, type Effect, type Input } from './step.js'
import { Works } from './works.js'

/** The place of everything that one host does for all. */
const WHOLE = '*'
const TICK_MS = 250

export interface MemberOptions {
  readonly url: string
  readonly id: string
  readonly name: string
  readonly version: string
  readonly durations: Durations
  readonly clock: Clock
  readonly log: Logger
  /** Ends the process at once. */
  exit(): void
  /** The owner of the place has changed. */
  changed(): void
}

const now = (): Moment => ({ monotonic: performance.now(), wall: Date.now() })

/** This host among those that share its database: carries out what {@link step} decides. */
export class Member implements Cluster {
  readonly self: Identity
  readonly #options: MemberOptions
  readonly #control: Control
  readonly #works: Works
  readonly #timers: (() => void)[]
  #state: MemberState
  /** The owner of the place of all work and its name, as the last look has shown them. */
  #owner: string | null | undefined
  #ownerName: string | undefined
  /** End of the rest of the place of all work, in milliseconds since the epoch. */
  #restsUntil: number | undefined
  #beating = false
  #looking: Promise<void> | undefined
  readonly #declaring = new Set<string>()
  #exited = false

  private constructor(options: MemberOptions, self: Identity, control: Control) {
    const { clock, durations, log } = options
    this.#options = options
    this.self = self
    this.#control = control
    this.#works = new Works(log)
    this.#state = joined(self.id, self.epoch)
    this.#timers = [
      clock.setInterval(() => this.#beat(), durations.beat),
      clock.setInterval(() => this.#look(), durations.look),
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
        // A beat that is lost with the server would only be raised again.
        await session.query('SET synchronous_commit = off')
        await session.query(`LISTEN ${CHANNEL}`)
        session.on('notification', () => {
          if (opened.member) void opened.member.#look()
        })
      },
    )
    try {
      self = await control.use(async (session) => {
        await createTables(session)
        const identity = await join(session, { id, name, version, now: clock.now() }, 2.5 * durations.beat)
        await addPlaces(session, [WHOLE])
        return identity
      })
    } catch (error) {
      await control.close()
      throw error
    }
    const member = new Member(options, self, control)
    opened.member = member
    await member.#beat()
    await member.#look()
    return member
  }

  get session(): HostSession {
    const { id, number, epoch } = this.self
    return {
      name: connectionName(id, epoch),
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

  owns(): boolean {
    return this.#state.places.has(WHOLE) && this.holds()
  }

  standbyReason(): string | undefined {
    if (this.owns()) return undefined
    const owner = this.#ownerName
    if (owner === this.self.name) return 'this host may not act until it reaches the database again'
    if (owner !== undefined) return `standby: ${owner} runs everything`
    if (this.#restsUntil === undefined) return 'standby: no host runs the work yet'
    const end = new Date(this.#restsUntil).toISOString()
    return `standby: all work rests until ${end}, since ${MAX_FALLS} hosts in a row died with it`
  }

  run(work: PlaceWork): () => void {
    return this.#works.add(WHOLE, work)
  }

  fenced(): void {
    if (this.#exited) return
    this.#exited = true
    this.#options.log.error('other hosts have declared this host dead and taken its work; it restarts')
    this.#options.exit()
  }

  /** Returns all hosts of the database. */
  hosts(): Promise<readonly ClusterHostView[]> {
    return this.#control.use((session) => listHosts(session))
  }

  /** Stops its work, gives its places to others, and leaves. */
  async close(): Promise<void> {
    for (const cancel of this.#timers) cancel()
    const quietly = async (what: string, work: (session: Session) => Promise<void>): Promise<void> => {
      await this.#control
        .use(work)
        .catch((error: unknown) => this.#options.log.warn(`failed to ${what}: ${messageOf(error)}`))
    }
    if (!this.#exited) await quietly('leave the cluster', (session) => leave(session, this.self))
    this.#give({ kind: 'leave' })
    await this.#works.idle()
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
        return this.#works.stop(effect.place)
      case 'declare-dead':
        return void this.#declare(effect.host)
      case 'take':
        return void this.#take(effect.count)
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
  #look(): Promise<void> {
    return (this.#looking ??= this.#lookNow().finally(() => (this.#looking = undefined)))
  }

  async #lookNow(): Promise<void> {
    try {
      const { others, places, names, restsUntil } = await this.#control.use((session) => look(session, this.self))
      const owner = places.find(({ id }) => id === WHOLE)?.owner
      const resting = restsUntil.get(WHOLE)
      const hasChanged = owner !== this.#owner || resting !== this.#restsUntil
      this.#restsUntil = resting
      this.#owner = owner
      this.#ownerName = owner === ownerName(this.self.id, this.self.epoch) ? this.self.name : names.get(owner ?? '')
      this.#give({ kind: 'looked', others, places })
      if (hasChanged) this.#options.changed()
    } catch (error) {
      this.#options.log.debug(`failed to look at the other hosts: ${messageOf(error)}`)
      this.#give({ kind: 'look-failed' })
    }
  }

  async #take(count: number): Promise<void> {
    try {
      await this.#control.use((session) => take(session, this.self, [WHOLE], count))
    } catch (error) {
      this.#options.log.debug(`failed to take a place: ${messageOf(error)}`)
      return
    }
    // The next look shows what this host has got.
    await this.#looking
    await this.#look()
  }

  async #declare(host: HostRow): Promise<void> {
    if (this.#declaring.has(host.id)) return
    this.#declaring.add(host.id)
    const { url, log } = this.#options
    try {
      const session = await connect(url, connectionName(this.self.id, this.self.epoch), () => {})
      try {
        if (await declareDead(session, host))
          log.warn('a host did not beat for a whole lease and was declared dead; its places are free', {
            host: host.id,
          })
      } finally {
        await session.end()
      }
      await this.#look()
    } catch (error) {
      log.warn(`failed to declare a host dead: ${messageOf(error)}`, { host: host.id })
    } finally {
      this.#declaring.delete(host.id)
    }
  }
}
