/** A moment by two clocks of one machine, in milliseconds. No clock is compared with that of another machine. */
export interface Moment {
  readonly monotonic: number
  readonly wall: number
}

/** A host as its row in the database shows it. */
export interface HostRow {
  readonly id: string
  /** For people, and for the lists of preferred hosts. */
  readonly name: string
  readonly epoch: number
  /** Raised by the host while it lives. */
  readonly beat: number
  /** Whether it gives its places away and takes none. */
  readonly isDraining: boolean
  /** The places that it can run. */
  readonly offers: ReadonlySet<string>
}

/** A place as its row shows it: work that one host does at a time. */
export interface PlaceRow {
  readonly id: string
  /** The host and epoch that own it, see {@link ownerName}. */
  readonly owner: string | null
  /** Whether it may be taken: it did not fall too often lately. */
  readonly mayBeTaken: boolean
  /** Id of the host that an operator has moved it to. */
  readonly wanted: string | null
}

/** Durations of the protocol in milliseconds. */
export interface Durations {
  /** Without a beat for so long a host counts as dead. */
  readonly lease: number
  /** A host stops to act so long before the others may call it dead. */
  readonly margin: number
  readonly beat: number
  readonly look: number
  /** Time between two places that a host gives away because others have fewer. */
  readonly give: number
}

/** When a host was first seen with its present epoch and beat, by the monotonic clock of who looks. */
interface Sighting {
  readonly epoch: number
  readonly beat: number
  readonly since: number
}

/** The knowledge of a host about itself and the others. */
export interface MemberState {
  readonly id: string
  readonly name: string
  readonly epoch: number
  /** It acts before this moment, by both clocks. */
  readonly until: Moment
  /** Whether its places run. */
  readonly isActing: boolean
  readonly isLeaving: boolean
  /** The monotonic time of the last look that was answered. */
  readonly lookedAt: number | undefined
  readonly sightings: ReadonlyMap<string, Sighting>
  /** Places that it owns. */
  readonly places: ReadonlySet<string>
  /** Those that it is giving away: they do not run. */
  readonly giving: ReadonlySet<string>
  /** The monotonic time of the last place that it gave away. */
  readonly gaveAt: number
  /** Since when places are free, or are owned and cannot run here, by its monotonic clock. */
  readonly idleSince: ReadonlyMap<string, number>
}

/** Returns the name of an owner in the row of a place. */
export const ownerName = (id: string, epoch: number): string => `${id}:${epoch}`

/** Returns the state of a host that has joined and has not beaten yet. */
export const joined = ({ id, name, epoch }: Pick<MemberState, 'id' | 'name' | 'epoch'>): MemberState => ({
  id,
  name,
  epoch,
  until: { monotonic: -Infinity, wall: -Infinity },
  isActing: false,
  isLeaving: false,
  lookedAt: undefined,
  sightings: new Map(),
  places: new Set(),
  giving: new Set(),
  gaveAt: -Infinity,
  idleSince: new Map(),
})

/** Whether the host may act: no other host can have declared it dead. */
export const mayAct = ({ until, isLeaving }: MemberState, now: Moment): boolean =>
  !isLeaving && now.monotonic < until.monotonic && now.wall < until.wall
