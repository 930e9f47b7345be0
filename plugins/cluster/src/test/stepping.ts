// One host that is stepped through inputs, and several that share rows in memory.
import { HOUSE } from '@mynah/kernel'
import {
  joined,
  ownerName,
  type Durations,
  type HostRow,
  type MemberState,
  type Moment,
  type PlaceRow,
} from '../member/state.js'
import { step, type Effect, type Input } from '../member/step.js'

const DURATIONS: Durations = { lease: 10_000, margin: 3_000, beat: 2_000, look: 1_000, give: 10_000 }

export const at = (ms: number, wall = ms): Moment => ({ monotonic: ms, wall: 1_000_000 + wall })

/** Returns the row of a place that belongs to no endpoint, unless `rest` says more. */
export const place = (owner: string | null, rest: Partial<PlaceRow> = {}): PlaceRow => ({
  id: HOUSE,
  owner,
  mayBeTaken: true,
  wanted: null,
  ...rest,
})

/** Returns the row of host `b`. */
export const other = (beat: number, rest: Partial<HostRow> = {}): HostRow => ({
  id: 'b',
  name: 'b',
  epoch: 1,
  beat,
  isDraining: false,
  offers: new Set([HOUSE]),
  ...rest,
})

/** Steps host `a` through inputs, and remembers the effects of the last. */
export class Stepping {
  state: MemberState = joined({ id: 'a', name: 'a', epoch: 1 })
  effects: readonly Effect[] = []

  give(now: Moment, input: Input): this {
    const { state, effects } = step(this.state, input, now, DURATIONS)
    this.state = state
    this.effects = effects
    return this
  }

  beat(ms: number): this {
    return this.give(at(ms), { kind: 'beaten', sent: at(ms), found: true })
  }

  look(ms: number, others: readonly HostRow[], places: readonly PlaceRow[]): this {
    const offered = new Map(places.map(({ id }) => [id, []]))
    return this.give(at(ms), { kind: 'looked', others, places, offered, isDraining: false, busy: new Set() })
  }

  tick(now: Moment): this {
    return this.give(now, { kind: 'tick' })
  }
}

interface RoomHost {
  state: MemberState
  offered: ReadonlyMap<string, readonly string[]>
  busy: ReadonlySet<string>
  isDraining: boolean
}

/** Hosts that share the rows of places. Each look of each host is answered at once. */
export class Room {
  readonly #hosts = new Map<string, RoomHost>()
  readonly #places = new Map<string, PlaceRow>()
  #ms = 0

  /** @param offered the places that it can run, with the hosts that may run them */
  add(id: string, offered: Readonly<Record<string, readonly string[]>>): this {
    for (const name of Object.keys(offered)) if (!this.#places.has(name)) this.change(name, {})
    this.#hosts.set(id, {
      state: joined({ id, name: id, epoch: 1 }),
      offered: new Map(Object.entries(offered)),
      busy: new Set(),
      isDraining: false,
    })
    return this
  }

  set(id: string, changes: Partial<RoomHost>): this {
    Object.assign(this.#host(id), changes)
    return this
  }

  /** Changes the row of a place, or makes it. */
  change(name: string, changes: Partial<PlaceRow>): this {
    this.#places.set(name, { ...(this.#places.get(name) ?? place(null, { id: name })), ...changes })
    return this
  }

  /** Takes a host away, which others have declared dead. */
  remove(id: string): this {
    this.#hosts.delete(id)
    for (const row of this.#places.values()) if (row.owner === ownerName(id, 1)) this.change(row.id, { owner: null })
    return this
  }

  /** Lets all hosts beat and look once a second. */
  run(seconds: number): this {
    for (let second = 0; second < seconds; second++) {
      this.#ms += 1_000
      for (const id of this.#hosts.keys()) {
        this.#give(id, { kind: 'beaten', sent: at(this.#ms), found: true })
        const { offered, busy, isDraining } = this.#host(id)
        const places = [...this.#places.values()]
        this.#give(id, { kind: 'looked', others: this.#others(id), places, offered, busy, isDraining })
      }
    }
    return this
  }

  /** The owners of the places, in order of their names: `x:a y:b z:-`. */
  get owners(): string {
    const rows = [...this.#places.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
    return rows.map(({ id, owner }) => `${id}:${owner?.split(':')[0] ?? '-'}`).join(' ')
  }

  #host(id: string): RoomHost {
    const host = this.#hosts.get(id)
    if (!host) throw new Error(`there is no host ${id}`)
    return host
  }

  #others(id: string): HostRow[] {
    return [...this.#hosts]
      .filter(([name]) => name !== id)
      .map(([name, { offered, isDraining }]) =>
        other(this.#ms, { id: name, name, isDraining, offers: new Set(offered.keys()) }),
      )
  }

  #give(id: string, input: Input): void {
    const host = this.#host(id)
    const { state, effects } = step(host.state, input, at(this.#ms), DURATIONS)
    host.state = state
    const own = ownerName(id, 1)
    for (const effect of effects) {
      if (effect.kind === 'give') this.change(effect.place, { owner: null })
      if (effect.kind !== 'take') continue
      for (const name of effect.places) if (this.#places.get(name)?.owner === null) this.change(name, { owner: own })
    }
  }
}
