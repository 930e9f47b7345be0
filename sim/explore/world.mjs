// The state of a whole cluster: the database, the processes, and what people and tools have seen. All parts are
// replaced, never changed, below the first two levels, so that a copy is cheap.
import { joined, mayAct, ownerName } from '../../plugins/cluster/dist/member/state.js'

/** In ticks. The margin is as long as two clocks can drift apart here: one tick fast, one tick slow. */
export const DURATIONS = { lease: 4, margin: 2, beat: 1, look: 1, give: 2 }
/** Epochs of a timeline begin here. */
const EPOCHS_OF_TIMELINE = 100

/** The row of a host. `quiet` counts the ticks since its last beat, without those in which no host could beat. */
const hostRow = (epoch) => ({ epoch, state: 'live', beat: 1, quiet: 0, drains: false })

const processOf = (name, id) => ({
  name,
  id,
  run: 'down',
  starts: Infinity,
  cut: false,
  drift: 0,
  slept: 0,
  epoch: 0,
  timeline: 1,
  join: undefined,
  member: undefined,
  pulsed: false,
  session: false,
  control: false,
  pending: undefined,
  declare: [],
  take: [],
  give: [],
  works: {},
  jobs: {},
})

/** The parts of messages that are rows of their own. */
export const partsOf = (message) => ({ incoming: `in${message}`, outgoing: `out${message}` })

/**
 * Returns the first state of a scenario: the first host owns the first place, and so on.
 *
 * @param without the names of rules that are taken away
 */
export function firstWorld(scenario, without = []) {
  const { hosts = ['a', 'b'], copies = [], places = { p: [] }, messages = [], faults = 0, drifts = 0 } = scenario
  const env = {
    hosts,
    places,
    placeNames: Object.keys(places),
    messages,
    kinds: new Set(scenario.kinds ?? []),
    stream: scenario.stream === true,
    ordered: scenario.ordered === true,
    lacks: (rule) => without.includes(rule),
  }
  const owners = Object.fromEntries(env.placeNames.map((place, index) => [place, hosts[index % hosts.length]]))
  const world = {
    env,
    now: 0,
    faults,
    drifts,
    moves: scenario.moves ?? 0,
    db: {
      up: true,
      timeline: 1,
      hosts: Object.fromEntries(hosts.map((id) => [id, hostRow(EPOCHS_OF_TIMELINE + 1)])),
      places: Object.fromEntries(
        env.placeNames.map((place) => [
          place,
          { owner: ownerIn({ env }, owners[place], EPOCHS_OF_TIMELINE + 1), wanted: null },
        ]),
      ),
      rows: rowsOf(messages),
      log: { name: 1, head: 0 },
      left: [],
    },
    replica: undefined,
    procs: [
      ...hosts.map((id) => started(processOf(id, id), env, owners)),
      ...copies.map((id) => ({ ...processOf(`copy of ${id}`, id), starts: 2 })),
    ],
    seen: { handled: {}, sent: {}, confirmed: {}, tool: 0, epochs: {}, logs: {}, forgot: false },
    broken: undefined,
  }
  for (const id of hosts) world.seen.epochs[id] = EPOCHS_OF_TIMELINE + 1
  return world
}

function rowsOf(messages) {
  const rows = {}
  for (const { id, state = 'received' } of messages) {
    if (state === 'offered') continue
    const { incoming, outgoing } = partsOf(id)
    rows[incoming] = state === 'intent' ? 'handled' : state
    if (state === 'intent') rows[outgoing] = 'intent'
  }
  return rows
}

/** A host that has just beaten, and runs its places. */
function started(proc, env, owners) {
  const own = env.placeNames.filter((place) => owners[place] === proc.id)
  const epoch = EPOCHS_OF_TIMELINE + 1
  const until = DURATIONS.lease - DURATIONS.margin
  return {
    ...proc,
    run: 'up',
    epoch,
    session: true,
    control: true,
    member: {
      ...joined({ id: proc.id, name: proc.id, epoch }),
      until: { monotonic: until, wall: until },
      isActing: true,
      lookedAt: 0,
      gaveAt: 0,
      places: new Set(own),
    },
    works: Object.fromEntries(own.map((place) => [place, 'on'])),
  }
}

export const copyOf = (world) => ({
  ...world,
  db: {
    ...world.db,
    hosts: { ...world.db.hosts },
    places: { ...world.db.places },
    rows: { ...world.db.rows },
    left: [...world.db.left],
  },
  procs: world.procs.map((proc) => ({ ...proc, works: { ...proc.works }, jobs: { ...proc.jobs } })),
  seen: {
    ...world.seen,
    handled: { ...world.seen.handled },
    sent: { ...world.seen.sent },
    confirmed: { ...world.seen.confirmed },
    epochs: { ...world.seen.epochs },
    logs: { ...world.seen.logs },
  },
})

/** Remembers the first sentence that does not hold. */
export const breaks = (world, sentence) => void (world.broken ??= sentence)

export const nowOf = (world, { drift, slept }) => ({
  monotonic: world.now + drift - slept,
  wall: world.now + drift,
})

/** Whether a process believes that it may act. */
export const holds = (world, proc) => proc.member !== undefined && mayAct(proc.member, nowOf(world, proc))

export const owns = (world, proc, place) =>
  holds(world, proc) && proc.member.places.has(place) && !proc.member.giving.has(place)

/** Whether statements of a process reach the database. */
export const reaches = (world, proc) => proc.run === 'up' && !proc.cut && world.db.up

export const nextEpoch = ({ db }, id) => Math.max((db.hosts[id]?.epoch ?? 0) + 1, db.timeline * EPOCHS_OF_TIMELINE + 1)

/** The name of an owner in the row of a place. */
export const ownerIn = ({ env }, id, epoch) => ownerName(id, env.lacks('no epoch in owners') ? 0 : epoch)
