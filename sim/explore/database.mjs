// The statements of the cluster and of the message store, each in one step.
import { breaks, DURATIONS, nextEpoch, ownerIn, partsOf } from './world.mjs'

const LISTED = new Set(['joining', 'live', 'leaving'])
const LIVES = new Set(['live', 'leaving'])

const isLive = ({ db }, id, epoch) => db.hosts[id]?.epoch === epoch && LIVES.has(db.hosts[id].state)

const setHost = ({ db }, id, changes) => (db.hosts[id] = { ...db.hosts[id], ...changes })
const setPlace = ({ db }, place, changes) => (db.places[place] = { ...db.places[place], ...changes })

/** @returns whether the row was that of this process */
export function beat(world, { id, epoch }) {
  if (!isLive(world, id, epoch)) return false
  setHost(world, id, { beat: world.db.hosts[id].beat + 1, quiet: 0 })
  return true
}

/** Returns the rows that a process reads. */
export function look({ db, env }, { id, epoch }) {
  const others = Object.entries(db.hosts).filter(([other, { state }]) => other !== id && LISTED.has(state))
  const shownOwner = (owner) => (owner === `${id}:0` ? `${id}:${epoch}` : owner)
  return {
    others: others.map(([other, row]) => ({
      id: other,
      name: other,
      epoch: row.epoch,
      beat: row.beat,
      isDraining: row.drains || row.state !== 'live',
      offers: new Set(row.state === 'joining' ? [] : env.placeNames),
    })),
    places: env.placeNames.map((place) => ({
      id: place,
      owner: shownOwner(db.places[place].owner),
      mayBeTaken: true,
      wanted: db.places[place].wanted,
    })),
    isDraining: db.hosts[id]?.drains ?? false,
  }
}

/**
 * Takes those of some places that are free.
 *
 * @param isUnderWay whether the statement has begun before: it has seen its host live then, and does not look again
 */
export function take(world, { id, epoch, places, isUnderWay = false }) {
  const row = world.db.hosts[id]
  if (!isUnderWay && (row?.epoch !== epoch || row.state !== 'live')) return
  for (const place of places) {
    const { owner, wanted } = world.db.places[place]
    if (owner !== null) continue
    setPlace(world, place, { owner: ownerIn(world, id, epoch), wanted: wanted === id ? wanted : null })
  }
}

export function release(world, { id, epoch, place }) {
  if (world.db.places[place].owner === ownerIn(world, id, epoch)) setPlace(world, place, { owner: null })
}

/** Declares a host dead if its row is still as it was seen. One transaction, after its sessions were ended. */
export function declareDead(world, { id, epoch, beat: seen }) {
  const { db, env } = world
  const row = db.hosts[id]
  if (row?.epoch !== epoch || row.beat !== seen || !LISTED.has(row.state)) return
  if (env.kinds.has('away') && row.quiet < DURATIONS.lease - 2)
    breaks(world, 'no host is declared dead that could not beat')
  if (!env.lacks('sessions ended at a take-over')) endSessions(world, (session) => session.id === id)
  setHost(world, id, { state: 'dead' })
  for (const place of env.placeNames)
    if (db.places[place].owner?.split(':')[0] === id) setPlace(world, place, { owner: null })
}

/** Ends sessions, and waits for their end. A statement on its way through one of them is never run. */
export function endSessions(world, isEnded) {
  const isKept = ({ kind }) => kind !== 'write' && world.env.lacks('control sessions ended with the others')
  world.db.left = world.db.left.filter((statement) => isKept(statement) || !isEnded(statement))
  for (const proc of world.procs) {
    if (!isEnded(proc)) continue
    proc.session = false
    if (proc.pending && !proc.pending.isDone && !isKept(proc.pending))
      proc.pending = { ...proc.pending, isDone: true, hasFailed: true }
  }
}

/** Ends what a broken connection of a process has left, before a new one takes its place. */
export function endLeft(world, { id, epoch }, isWriting) {
  if (world.env.lacks('left sessions ended before new ones')) return
  world.db.left = world.db.left.filter(
    (statement) => statement.id !== id || statement.epoch !== epoch || (statement.kind === 'write') !== isWriting,
  )
}

/** Begins a new epoch of a host. Returns `undefined` where its row is not as it was seen. */
export function beginEpoch(world, id, seen) {
  if (rowSeen(world, id) !== seen && !world.env.lacks('row as seen at a join')) return undefined
  const epoch = nextEpoch(world, id)
  if (epoch <= (world.seen.epochs[id] ?? 0)) breaks(world, 'no epoch means two processes')
  world.seen.epochs[id] = epoch
  world.db.hosts[id] = { epoch, state: 'joining', beat: world.db.hosts[id]?.beat ?? 0, quiet: 0, drains: false }
  return epoch
}

export const rowSeen = ({ db }, id) => (db.hosts[id] ? `${db.hosts[id].epoch}/${db.hosts[id].beat}` : '')

/** Ends what the former process of a host has left, and gives its places to the new one. */
export function becomeLive(world, id, epoch) {
  if (!world.env.lacks('former sessions ended at a join'))
    endSessions(world, (session) => session.id === id && session.epoch !== epoch)
  if (world.db.hosts[id].epoch !== epoch) return
  setHost(world, id, { state: 'live', beat: world.db.hosts[id].beat + 1, quiet: 0 })
  for (const place of world.env.placeNames)
    if (world.db.places[place].owner?.split(':')[0] === id) setPlace(world, place, { owner: ownerIn(world, id, epoch) })
}

/** Whether a new writing session may be used: `fenced` where the process must end. */
export function openSession(world, { id, epoch, timeline }) {
  const { db, env } = world
  endLeft(world, { id, epoch }, true)
  if (timeline !== db.timeline && !env.lacks('timeline checked at a session')) return 'fenced'
  if (!isLive(world, id, epoch) && !env.lacks('epoch checked at a session')) return 'fenced'
  return 'open'
}

/**
 * Runs a transaction of the message store: changes of rows, each with the states that it starts from.
 *
 * @returns whether the first row was changed
 */
export function write(world, { id, epoch, changes }) {
  const { db, env } = world
  const row = db.hosts[id]
  // Until its next process has joined, nothing is decided about what this one has left.
  if (row.epoch === epoch ? row.state === 'dead' : row.state !== 'joining')
    breaks(world, 'no process writes after its host was declared dead or has another process')
  let isFirstChanged
  for (const [row, from, to] of changes) {
    const isChanged = from.includes(db.rows[row] ?? 'none') || env.lacks('conditions at marks')
    if (isChanged) db.rows[row] = to
    isFirstChanged ??= isChanged
  }
  if (env.stream) announce(world)
  return isFirstChanged ?? true
}

/** Gives the next id of the event stream to a commit. */
function announce(world) {
  const { name, head } = world.db.log
  world.db.log = { name, head: head + 1 }
  if (head + 1 <= (world.seen.logs[name] ?? 0)) breaks(world, 'no event id means two things')
  world.seen.logs[name] = head + 1
}

/** The changes of a recovery of a place: ends what was being done, and never repeats it. */
export function recoveryOf({ db, env }, place) {
  return env.messages
    .filter((message) => (message.place ?? env.placeNames[0]) === place)
    .flatMap(({ id }) => {
      const { incoming, outgoing } = partsOf(id)
      const after = env.lacks('recovery sends nothing again') ? 'intent' : 'unknown'
      return [
        ...(db.rows[incoming] === 'handling' ? [[incoming, ['handling'], 'interrupted']] : []),
        ...(db.rows[outgoing] === 'sending' ? [[outgoing, ['sending'], after]] : []),
      ]
    })
}
