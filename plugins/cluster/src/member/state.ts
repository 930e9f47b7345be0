/** A moment by two clocks of one machine, in milliseconds. No clock is compared with that of another machine. */
export interface Moment {
  readonly monotonic: number
  readonly wall: number
}

/** A host as its row in the database shows it. */
export interface HostRow {
  readonly id: string
  readonly epoch: number
  /** Raised by the host while it lives. */
  readonly beat: number
}

/** A place as its row shows it: work that one host does at a time. */
export interface PlaceRow {
  readonly id: string
  /** The host and epoch that own it, see {@link ownerName}. */
  readonly owner: string | null
  /** Whether it may be taken: it did not fall too often lately. */
  readonly mayBeTaken: boolean
}

/** Durations of the protocol in milliseconds. */
export interface Durations {
  /** Without a beat for so long a host counts as dead. */
  readonly lease: number
  /** A host stops to act so long before the others may call it dead. */
  readonly margin: number
  readonly beat: number
  readonly look: number
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
}

/** Returns the name of an owner in the row of a place. */
export const ownerName = (id: string, epoch: number): string => `${id}:${epoch}`

/** Returns the state of a host that has joined and has not beaten yet. */
export const joined = (id: string, epoch: number): MemberState => ({
  id,
  epoch,
  until: { monotonic: -Infinity, wall: -Infinity },
  isActing: false,
  isLeaving: false,
  lookedAt: undefined,
  sightings: new Map(),
  places: new Set(),
})

/** Whether the host may act: no other host can have declared it dead. */
export const mayAct = ({ until, isLeaving }: MemberState, now: Moment): boolean =>
  !isLeaving && now.monotonic < until.monotonic && now.wall < until.wall
