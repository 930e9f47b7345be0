// The rules by which hosts take free places and give places away. Every host decides for itself, from what it
// sees of the others.
import { HOUSE } from '@mynah/kernel'
import { ownerName, type Durations, type HostRow, type MemberState, type PlaceRow } from './state.js'

/** A look at the database by a host, and its own abilities. */
export interface Looked {
  readonly others: readonly HostRow[]
  readonly places: readonly PlaceRow[]
  /** Whether it shall give its places away and take none. */
  readonly isDraining: boolean
  /** The places that it can run, with the names of the hosts that may run them, the first one preferred; none: all. */
  readonly offered: ReadonlyMap<string, readonly string[]>
  /** Its places in which something is going on. */
  readonly busy: ReadonlySet<string>
}

/** Numbers of places. */
interface Bounds {
  readonly least: number
  readonly most: number
}

interface Shared {
  readonly state: MemberState
  readonly take: readonly string[]
  readonly give: readonly string[]
}

/** Decides which places a host takes and gives away, after a look at `now` (monotonic). */
export function share(state: MemberState, seen: Looked, now: number, durations: Durations): Shared {
  const view = new View(state, seen, now)
  const { places, isShared } = givable(view, durations)
  const known: MemberState = {
    ...state,
    idleSince: view.idleSince,
    giving: new Set([...state.giving, ...places]),
    gaveAt: isShared ? now : state.gaveAt,
  }
  return { state: known, take: takeable(view, durations), give: places }
}

/** The knowledge of a host right after a look. */
class View {
  readonly state: MemberState
  readonly seen: Looked
  readonly now: number
  /** The others that take places. */
  readonly takers: readonly HostRow[]
  readonly idleSince: ReadonlyMap<string, number>

  constructor(state: MemberState, seen: Looked, now: number) {
    this.state = state
    this.seen = seen
    this.now = now
    this.takers = seen.others.filter(({ isDraining }) => !isDraining)
    const idle = seen.places.filter(
      ({ id, owner }) => owner === null || (state.places.has(id) && !seen.offered.has(id)),
    )
    this.idleSince = new Map(idle.map(({ id }) => [id, state.idleSince.get(id) ?? now]))
  }

  /** Returns the other hosts that can run a place. */
  takersOf(place: string): readonly HostRow[] {
    return this.takers.filter(({ offers }) => offers.has(place))
  }

  isTaker(host: string | null): boolean {
    return this.takers.some(({ id }) => id === host)
  }

  /** Whether this host can run a place, and all others may run it too. */
  isCommon(place: string): boolean {
    return this.seen.offered.get(place)?.length === 0
  }

  /** Whether this host may run a place, and another one that can run it too goes before it. */
  rank(place: string): { readonly may: boolean; readonly isSecond: boolean } {
    const hosts = this.seen.offered.get(place) ?? []
    const at = hosts.indexOf(this.state.name)
    const before = new Set(at === -1 ? hosts : hosts.slice(0, at))
    return {
      may: hosts.length === 0 || at !== -1,
      isSecond: this.takersOf(place).some(({ name }) => before.has(name)),
    }
  }

  /** Whether a place has been free, or cannot run here, for so long. */
  isIdleFor(place: string, ms: number): boolean {
    return this.now - (this.idleSince.get(place) ?? this.now) >= ms
  }

  /** The least and the most that this host has of the places that all may run: those that can run one share it. */
  fairShare(): Bounds {
    return this.#boundsOf(() => true)
  }

  /** Whether another host has less than the least of its fair share. */
  lacks(host: HostRow): boolean {
    return this.#countOf(host) < this.#boundsOf((place) => host.offers.has(place)).least
  }

  /** Whether this host is the first to give something to a host that lacks it: the one that has most. */
  isFirstToGive(): boolean {
    const own = this.ownShare().length
    return this.takers.every((host) => {
      const other = this.#countOf(host)
      return other < own || (other === own && this.state.id < host.id)
    })
  }

  /** The places of this host that all may run. */
  ownShare(): readonly PlaceRow[] {
    return this.owned().filter(({ id }) => this.isCommon(id))
  }

  /** Whether a place that all may run is free. */
  hasFree(): boolean {
    return this.seen.places.some(({ id, owner }) => owner === null && this.isCommon(id))
  }

  #countOf({ id, epoch }: HostRow): number {
    const name = ownerName(id, epoch)
    return this.seen.places.filter((place) => place.owner === name && this.isCommon(place.id)).length
  }

  #boundsOf(offers: (place: string) => boolean): Bounds {
    const shares = this.seen.places
      .filter(({ id }) => this.isCommon(id) && offers(id))
      .map(({ id }) => 1 / (this.takersOf(id).length + 1))
    const sum = shares.reduce((total, one) => total + one, 0)
    // A sum of thirds is not quite one.
    return { least: Math.floor(sum + 1e-9), most: Math.ceil(sum - 1e-9) }
  }

  /** The places of this host that it is not giving away already. */
  owned(): readonly PlaceRow[] {
    return this.seen.places.filter(({ id }) => this.state.places.has(id) && !this.state.giving.has(id))
  }
}

function takeable(view: View, { lease }: Durations): readonly string[] {
  const { state, seen } = view
  if (seen.isDraining) return []
  const { least, most } = view.fairShare()
  let own = view.ownShare().length
  // The rest is taken when each host has its least, so that no host is left without a place.
  const hasRoom = (place: string): boolean =>
    own < least || (own < most && !view.takersOf(place).some((host) => view.lacks(host)))
  const taken = seen.places.filter(({ id, owner, mayBeTaken, wanted }) => {
    const { may, isSecond } = view.rank(id)
    if (owner !== null || !mayBeTaken || !may || !seen.offered.has(id)) return false
    if (wanted === state.id) return true
    // Those that go before it had a whole lease to take it.
    if (view.isIdleFor(id, lease)) return true
    if (view.isTaker(wanted)) return false
    if (!view.isCommon(id)) return !isSecond
    if (!hasRoom(id)) return false
    own++
    return true
  })
  return taken.map(({ id }) => id)
}

function givable(view: View, { lease, give }: Durations): { places: readonly string[]; isShared: boolean } {
  const { state, seen } = view
  if (!state.isActing) return { places: [], isShared: false }
  const own = view.owned()
  const must = own.filter(
    ({ id, wanted }) =>
      (seen.isDraining && view.takersOf(id).length > 0) ||
      (wanted !== state.id && view.takersOf(id).some((host) => host.id === wanted)) ||
      (!seen.offered.has(id) && view.isIdleFor(id, lease)),
  )
  if (must.length > 0) return { places: must.map(({ id }) => id), isShared: false }
  if (view.now - state.gaveAt < give) return { places: [], isShared: false }
  const mayGo = ({ id, wanted }: PlaceRow): boolean => wanted !== state.id && !seen.busy.has(id)
  const second = own.find((place) => mayGo(place) && view.rank(place.id).isSecond)
  const shared = view.ownShare()
  const { least, most } = view.fairShare()
  const gives = ({ id }: PlaceRow): boolean => {
    if (shared.length > most) return view.takersOf(id).length > 0
    // A place that is free goes to the host that lacks one.
    if (shared.length <= least || view.hasFree() || !view.isFirstToGive()) return false
    return view.takersOf(id).some((host) => view.lacks(host))
  }
  // The host of the house would start again.
  const spare = shared.findLast((place) => place.id !== HOUSE && mayGo(place) && gives(place))
  const given = second ?? spare
  return given ? { places: [given.id], isShared: true } : { places: [], isShared: false }
}
