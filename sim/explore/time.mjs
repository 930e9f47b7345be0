// Time passes for all at once, and only when each process that is well has done what is due.
import { canJoin, give, isReleasable, lookFailed } from './member.mjs'
import { workOf } from './work.mjs'
import { DURATIONS, reaches } from './world.mjs'

/** Whether all have done what is due: delays are faults of their own. */
export function mayPass(world) {
  return world.procs.every((proc) => {
    if (proc.run !== 'up') return true
    if (!reaches(world, proc)) return true
    if (proc.join) return !canJoin(world, proc)
    const isReleasing = proc.give.some((place) => isReleasable(world, proc, place))
    if (proc.member && workOf(world, proc).length > 0) return false
    return proc.pulsed && !proc.pending && proc.declare.length + proc.take.length === 0 && !isReleasing
  })
}

/** Beats that a standby server lacks at most. */
const MOST_LACKED = 2

export function timeActions(world, add) {
  add('time passes', pass)
  if (world.drifts === 0) return
  world.procs.forEach(({ name, drift, run }, index) => {
    for (const [way, by] of [
      ['fast', 1],
      ['slow', -1],
    ])
      if (run !== 'down' && Math.abs(drift + by) <= 1)
        add(`time passes, and the clock of ${name} is ${way}`, (copy) => {
          copy.drifts--
          copy.procs[index].drift += by
          pass(copy)
        })
  })
}

function pass(world) {
  world.now++
  const { db, replica } = world
  if (replica && Object.entries(replica.hosts).some(([id, { beat: had }]) => db.hosts[id].beat - had >= MOST_LACKED))
    world.replica = undefined
  if (db.up)
    for (const [id, row] of Object.entries(db.hosts))
      db.hosts[id] = { ...row, quiet: Math.min(row.quiet + 1, DURATIONS.lease) }
  for (const proc of world.procs) {
    if (proc.isAsleep) proc.slept++
    if (proc.run !== 'up' || !proc.member) continue
    proc.pulsed = false
    give(world, proc, { kind: 'tick' })
    if (!reaches(world, proc)) lookFailed(world, proc)
  }
}
