import { mayAct, ownerName, type Durations, type HostRow, type MemberState, type Moment } from './state.js'
import { share, type Looked } from './share.js'

/** An event that a host reacts to. */
export type Input =
  /** Time has passed. */
  | { readonly kind: 'tick' }
  /** A beat was answered. It was sent at `sent`, and `found` says whether the row of the host was still its own. */
  | { readonly kind: 'beaten'; readonly sent: Moment; readonly found: boolean }
  /** The other hosts that are not gone, and all places. */
  | ({ readonly kind: 'looked' } & Looked)
  /** A look had no answer, or the next one goes through another connection. */
  | { readonly kind: 'look-failed' }
  /** A place could not be given away. */
  | { readonly kind: 'give-failed'; readonly place: string }
  /** It stops. */
  | { readonly kind: 'leave' }

/** An action of a host. */
export type Effect =
  | { readonly kind: 'start'; readonly place: string }
  | { readonly kind: 'stop'; readonly place: string }
  /** Declares another host dead, if its row is still the same. */
  | { readonly kind: 'declare-dead'; readonly host: HostRow }
  /** Takes those of these places that are still free. */
  | { readonly kind: 'take'; readonly places: readonly string[] }
  /** Gives a place away when its work has ended. */
  | { readonly kind: 'give'; readonly place: string }
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
      return withActing({ ...state, sightings: new Map(), idleSince: new Map() }, now)
    case 'give-failed':
      // Whether it was given away is not known. It runs again where the next look shows that it is still here.
      return withActing(
        { ...state, giving: without(state.giving, input.place), places: without(state.places, input.place) },
        now,
      )
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

function looked(state: MemberState, seen: Looked, now: Moment, durations: Durations): Step {
  const { lease, look } = durations
  const isLate = state.lookedAt !== undefined && now.monotonic - state.lookedAt > LATE_LOOKS * look
  const observed = isLate ? { ...state, sightings: new Map(), idleSince: new Map() } : state
  const sightings = new Map(
    seen.others.map((host) => {
      const before = observed.sightings.get(host.id)
      const isSame = before?.epoch === host.epoch && before.beat === host.beat
      return [host.id, isSame ? before : { epoch: host.epoch, beat: host.beat, since: now.monotonic }]
    }),
  )
  const dead = seen.others.filter(({ id }) => now.monotonic - (sightings.get(id)?.since ?? now.monotonic) >= lease)
  const own = ownerName(state.id, state.epoch)
  const places = new Set(seen.places.filter(({ owner }) => owner === own).map(({ id }) => id))
  const giving = new Set([...state.giving].filter((place) => places.has(place)))
  const known = { ...observed, lookedAt: now.monotonic, sightings, places, giving }
  const shared = share(known, seen, now.monotonic, durations)
  const { state: next, effects } = withActing(shared.state, now, state)
  return {
    state: next,
    effects: [
      ...effects,
      ...dead.map((host): Effect => ({ kind: 'declare-dead', host })),
      ...shared.give.map((place): Effect => ({ kind: 'give', place })),
      ...(next.isActing && shared.take.length > 0 ? [{ kind: 'take', places: shared.take } as const] : []),
    ],
  }
}

/** Starts and stops places, so that exactly those that it owns run, and none while it may not act. */
function withActing(state: MemberState, now: Moment, before: MemberState = state): Step {
  const isActing = mayAct(state, now)
  const runs = running(before)
  const next = { ...state, isActing }
  const shall = running(next)
  return {
    state: next,
    effects: [
      ...runs.filter((place) => !shall.includes(place)).map((place): Effect => ({ kind: 'stop', place })),
      ...shall.filter((place) => !runs.includes(place)).map((place): Effect => ({ kind: 'start', place })),
    ],
  }
}

const running = ({ isActing, places, giving }: MemberState): string[] =>
  isActing ? [...places].filter((place) => !giving.has(place)) : []

const without = (set: ReadonlySet<string>, item: string): ReadonlySet<string> =>
  new Set([...set].filter((other) => other !== item))
