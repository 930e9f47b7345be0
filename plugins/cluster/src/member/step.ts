import {
  mayAct,
  ownerName,
  type Durations,
  type HostRow,
  type MemberState,
  type Moment,
  type PlaceRow,
} from './state.js'

/** An event that a host reacts to. */
export type Input =
  /** Time has passed. */
  | { readonly kind: 'tick' }
  /** A beat was answered. It was sent at `sent`, and `found` says whether the row of the host was still its own. */
  | { readonly kind: 'beaten'; readonly sent: Moment; readonly found: boolean }
  /** The other hosts that are not gone, and all places. */
  | { readonly kind: 'looked'; readonly others: readonly HostRow[]; readonly places: readonly PlaceRow[] }
  /** A look had no answer. */
  | { readonly kind: 'look-failed' }
  /** It stops. */
  | { readonly kind: 'leave' }

/** An action of a host. */
export type Effect =
  | { readonly kind: 'start'; readonly place: string }
  | { readonly kind: 'stop'; readonly place: string }
  /** Declares another host dead, if its row is still the same. */
  | { readonly kind: 'declare-dead'; readonly host: HostRow }
  /** Takes free places, at most so many. */
  | { readonly kind: 'take'; readonly count: number }
  /** Ends the process at once: others have called this host dead. */
  | { readonly kind: 'exit' }

export interface Step {
  readonly state: MemberState
  readonly effects: readonly Effect[]
}

/** Looks that are later than this many intervals begin the observation of all hosts again. */
const LATE_LOOKS = 3

/** Decides what a host does. Has no effects of its own, so that the same rules can be explored in all orders. */
export function step(state: MemberState, input: Input, now: Moment, durations: Durations): Step {
  switch (input.kind) {
    case 'tick':
      return withActing(state, now)
    case 'beaten':
      return beaten(state, input, now, durations)
    case 'looked':
      return looked(state, input, now, durations)
    case 'look-failed':
      // A host may have beaten between two looks.
      return withActing({ ...state, sightings: new Map() }, now)
    case 'leave':
      return withActing({ ...state, isLeaving: true }, now)
  }
}

function beaten(
  state: MemberState,
  { sent, found }: { readonly sent: Moment; readonly found: boolean },
  now: Moment,
  { lease, margin }: Durations,
): Step {
  if (!found) {
    const fenced = { ...state, until: { monotonic: -Infinity, wall: -Infinity } }
    const { state: stopped, effects } = withActing(fenced, now)
    return { state: stopped, effects: [...effects, { kind: 'exit' }] }
  }
  // From the sending: when the others saw the beat is not known, and cannot be earlier.
  const until = { monotonic: sent.monotonic + lease - margin, wall: sent.wall + lease - margin }
  return withActing({ ...state, until }, now)
}

function looked(
  state: MemberState,
  { others, places }: { readonly others: readonly HostRow[]; readonly places: readonly PlaceRow[] },
  now: Moment,
  { lease, look }: Durations,
): Step {
  const isLate = state.lookedAt !== undefined && now.monotonic - state.lookedAt > LATE_LOOKS * look
  const sightings = new Map(
    others.map((host) => {
      const before = isLate ? undefined : state.sightings.get(host.id)
      const isSame = before?.epoch === host.epoch && before.beat === host.beat
      return [host.id, isSame ? before : { epoch: host.epoch, beat: host.beat, since: now.monotonic }]
    }),
  )
  const dead = others.filter(({ id }) => now.monotonic - (sightings.get(id)?.since ?? now.monotonic) >= lease)
  const own = ownerName(state.id, state.epoch)
  const owned = new Set(places.filter(({ owner }) => owner === own).map(({ id }) => id))
  const { state: next, effects } = withActing({ ...state, lookedAt: now.monotonic, sightings }, now, owned)
  const room = Math.ceil(places.length / (others.length + 1)) - owned.size
  const isFree = places.some(({ owner, mayBeTaken }) => owner === null && mayBeTaken)
  return {
    state: next,
    effects: [
      ...effects,
      ...dead.map((host): Effect => ({ kind: 'declare-dead', host })),
      ...(next.isActing && isFree && room > 0 ? [{ kind: 'take', count: room } as const] : []),
    ],
  }
}

/** Starts and stops places, so that exactly those that it owns run, and none while it may not act. */
function withActing(state: MemberState, now: Moment, owned: ReadonlySet<string> = state.places): Step {
  const isActing = mayAct(state, now)
  const runs = state.isActing ? state.places : new Set<string>()
  const shall = isActing ? owned : new Set<string>()
  return {
    state: { ...state, isActing, places: owned },
    effects: [
      ...Array.from(runs)
        .filter((place) => !shall.has(place))
        .map((place): Effect => ({ kind: 'stop', place })),
      ...Array.from(shall)
        .filter((place) => !runs.has(place))
        .map((place): Effect => ({ kind: 'start', place })),
    ],
  }
}
