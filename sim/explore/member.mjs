// A host around the step function of the product: it carries out the effects, as the member of the cluster does.
import { step } from '../../plugins/cluster/dist/member/step.js'
import { beat, becomeLive, beginEpoch, declareDead, endLeft, look, release, rowSeen, take } from './database.mjs'
import { joined } from '../../plugins/cluster/dist/member/state.js'
import { DURATIONS, nowOf } from './world.mjs'

/** Longer than any lease: with it added a host never stops to act. */
const FOR_EVER = 1_000_000
/** Ticks for which a beat is watched where another process seems to live. */
const WATCHED = DURATIONS.lease

/** Gives an input to the step function, and carries out its effects. */
export function give(world, proc, input) {
  const now = nowOf(world, proc)
  const { state, effects } = step(stateFor(world, proc, now), inputFor(world, input, now), now, DURATIONS)
  proc.member = state
  for (const effect of effects) CARRY_OUT[effect.kind](world, proc, effect)
}

/** The input, without a rule that is taken away. */
function inputFor({ env }, input, now) {
  if (input.kind !== 'beaten') return input
  if (env.lacks('a deadline'))
    return { ...input, sent: { monotonic: now.monotonic + FOR_EVER, wall: now.wall + FOR_EVER } }
  return env.lacks('deadline from the sending') ? { ...input, sent: now } : input
}

/** The state, without a rule that is taken away. */
function stateFor({ env }, { member }, { monotonic }) {
  const looked = member.lookedAt === undefined ? undefined : monotonic
  return env.lacks('observation from the beginning') ? { ...member, lookedAt: looked } : member
}

const CARRY_OUT = {
  start(_world, proc, { place }) {
    const phase = proc.works[place] ?? 'off'
    proc.works[place] = phase === 'off' ? 'recover' : 'restart'
  },
  stop(_world, proc, { place }) {
    proc.works[place] = proc.jobs[place] ? 'drain' : 'off'
  },
  'declare-dead'(_world, proc, { host }) {
    if (!proc.declare.some(({ id }) => id === host.id))
      proc.declare = [...proc.declare, { id: host.id, epoch: host.epoch, beat: host.beat }]
  },
  take(_world, proc, { places }) {
    proc.take = places
  },
  give(_world, proc, { place }) {
    proc.give = [...new Set([...proc.give, place])]
  },
  exit(world, proc) {
    end(world, proc)
  },
}

/** Ends a process. A statement that is on its way may be run later. */
export function end(world, proc) {
  leave(world, proc)
  Object.assign(proc, {
    run: 'down',
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
}

/** Leaves a statement that is on its way with the server. */
export function leave(world, proc) {
  const { pending } = proc
  if (pending && !pending.isDone && pending.kind !== 'look' && pending.kind !== 'beat')
    world.db.left.push({ ...pending, id: proc.id, epoch: proc.epoch })
}

/** Beats and looks. */
export function pulse(world, proc) {
  if (!connect(world, proc)) return
  proc.pulsed = true
  const sent = nowOf(world, proc)
  give(world, proc, { kind: 'beaten', sent, found: beat(world, proc) })
  if (proc.run === 'up') lookNow(world, proc)
}

export function lookNow(world, proc) {
  if (!connect(world, proc)) return
  proc.pulsed = true
  looked(world, proc, look(world, proc))
}

export function looked(world, proc, seen) {
  const { places } = world.env
  const offered = new Map(Object.entries(places))
  const busy = new Set(Object.keys(proc.jobs))
  give(world, proc, { kind: 'looked', ...seen, offered, busy })
}

export function lookFailed(world, proc) {
  proc.pulsed = true
  proc.control = false
  observeAgain(world, proc)
}

/** Opens the connection that beats and looks, where it is broken. Returns whether the process may go on. */
export function connect(world, proc) {
  if (proc.control) return true
  if (proc.timeline !== world.db.timeline && !world.env.lacks('timeline checked at a session')) {
    end(world, proc)
    return false
  }
  proc.control = true
  endLeft(world, proc, false)
  observeAgain(world, proc)
  return true
}

function observeAgain(world, proc) {
  if (!world.env.lacks('observation from the beginning')) give(world, proc, { kind: 'look-failed' })
}

/** Takes what the last look has decided on, and looks at once. */
export function takeNow(world, proc) {
  if (!connect(world, proc)) return
  take(world, { ...proc, places: proc.take })
  proc.take = []
  lookNow(world, proc)
}

export function declareNow(world, proc) {
  const [host, ...others] = proc.declare
  declareDead(world, host)
  proc.declare = others
  lookNow(world, proc)
}

/** Whether a place that is given away may be released. */
export const isReleasable = ({ env }, proc, place) =>
  (proc.works[place] ?? 'off') === 'off' || env.lacks('release after the end of the work')

export function releaseNow(world, proc, place) {
  if (!connect(world, proc)) return
  release(world, { ...proc, place })
  proc.give = proc.give.filter((other) => other !== place)
  lookNow(world, proc)
}

/** The answer of a release is lost, or it was not sent. */
export function releaseFailed(world, proc, place) {
  proc.control = false
  proc.give = proc.give.filter((other) => other !== place)
  give(world, proc, { kind: 'give-failed', place })
}

export const start = (proc) => Object.assign(proc, { run: 'up', join: { at: 'observe' }, starts: proc.starts - 1 })

/** Whether a session of the process of a host is seen in the server. */
const isConnected = ({ db, procs }, id) =>
  procs.some(
    (proc) =>
      proc.id === id &&
      proc.epoch === db.hosts[id].epoch &&
      proc.member &&
      !proc.cut &&
      /^(?:up|stopped)$/.test(proc.run),
  )

/** Whether a process seems to live that has the identity of this one. */
const lives = (world, id) => /^(?:live|leaving)$/.test(world.db.hosts[id]?.state) && isConnected(world, id)

/** The steps of a process that becomes a host. */
export const JOIN = {
  observe(world, proc) {
    const seen = rowSeen(world, proc.id)
    proc.join = lives(world, proc.id) ? { at: 'watch', seen, since: world.now } : { at: 'begin', seen }
  },
  watch(world, proc) {
    const seen = rowSeen(world, proc.id)
    if (lives(world, proc.id) && seen !== proc.join.seen) Object.assign(proc, { run: 'refused', join: undefined })
    else proc.join = { at: 'begin', seen }
  },
  begin(world, proc) {
    const epoch = beginEpoch(world, proc.id, proc.join.seen)
    if (epoch === undefined) {
      proc.join = { at: 'observe' }
      return
    }
    Object.assign(proc, { epoch, timeline: world.db.timeline, join: { at: 'finish' } })
  },
  finish(world, proc) {
    becomeLive(world, proc.id, proc.epoch)
    Object.assign(proc, { join: undefined, control: true })
    proc.member = joined({ id: proc.id, name: proc.id, epoch: proc.epoch })
    if (world.db.log.name !== world.db.timeline && world.env.stream)
      world.db.log = { name: world.db.timeline, head: world.db.log.head }
  },
}

/** Whether a step of a join can be done now. */
export const canJoin = (world, { join }) => join.at !== 'watch' || world.now - join.since >= WATCHED
