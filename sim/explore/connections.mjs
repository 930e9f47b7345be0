// The faults that break the connections of processes to the database.
import { isReleasable, leave, releaseFailed } from './member.mjs'
import { unanswered } from './work.mjs'

/** Breaks all connections of a process to the database. */
export function cutOff(world, proc) {
  proc.cut = true
  leave(world, proc)
  const { pending } = proc
  proc.pending = undefined
  connectionsFail(world, proc)
  if (pending?.kind === 'write') unanswered(proc, pending.place)
}

/** All statements fail. */
function connectionsFail(world, proc) {
  Object.assign(proc, { session: false, control: false, declare: [], take: [] })
  if (proc.member)
    for (const place of proc.give) if (isReleasable(world, proc, place)) releaseFailed(world, proc, place)
}

/** All connections end with the server. */
function endConnections(world) {
  for (const proc of world.procs) {
    if (proc.run === 'up') cutShortly(world, proc)
    if (proc.run === 'stopped') Object.assign(proc, { session: false, control: false, pending: failed(proc.pending) })
  }
}

/** A statement of a process that is stopped, which notices later that it has failed. */
function failed(pending) {
  if (pending === undefined || pending.isDone) return pending
  return pending.kind === 'write' ? { ...pending, isDone: true, hasFailed: true } : undefined
}

function cutShortly(world, proc) {
  const { pending } = proc
  proc.pending = undefined
  connectionsFail(world, proc)
  if (pending?.kind === 'write') unanswered(proc, pending.place)
}

export function loseDatabase(world) {
  world.db.up = false
  endConnections(world)
}

/** A standby server takes over, without what it lacks. */
export function promote(world) {
  const { db, replica } = world
  world.db = {
    ...replica,
    hosts: { ...replica.hosts },
    places: { ...replica.places },
    rows: { ...replica.rows },
    left: [],
    timeline: db.timeline + 1,
  }
  world.replica = undefined
  world.seen.forgot = true
  endConnections(world)
}
