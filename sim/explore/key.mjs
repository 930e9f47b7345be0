// States that differ in nothing that can be noticed have the same key: times count from now, beats from the row's.
import { DURATIONS, nowOf } from './world.mjs'

/** Older observations are as good as ones of this age. */
const OLDEST = DURATIONS.lease + 1

const ageOf = (now, then) => (then === undefined ? 'n' : Math.min(now - then, OLDEST))

/** Returns a text that equal states have in common, and no others. */
export function keyOf(world, withFaults = true) {
  const { db, replica, procs, seen } = world
  return [
    withFaults ? `${world.faults},${world.drifts},${world.moves}` : '',
    databaseKey(db),
    world.env.kinds.has('away') ? quietKey(db) : '',
    replica ? databaseKey(replica) + beatsBehind(db, replica) : '',
    procs.map((proc) => processKey(world, proc)).join('/'),
    Object.entries(seen.handled).join(),
    Object.entries(seen.sent).join(),
    Object.keys(seen.confirmed).join(),
    `${seen.tool}${seen.forgot ? 'f' : ''}`,
    world.env.stream ? Object.entries(seen.logs).join() : '',
  ].join('|')
}

const quietKey = ({ up, hosts }) => `${up}${Object.values(hosts).map(({ quiet }) => quiet)}`

const databaseKey = ({ timeline, hosts, places, rows, log, left }) =>
  [
    timeline,
    Object.entries(hosts).map(([id, { epoch, state }]) => `${id}${epoch}${state}`),
    Object.values(places).map(({ owner, wanted }) => `${owner}>${wanted}`),
    Object.keys(rows)
      .sort()
      .map((row) => `${row}${rows[row]}`),
    `${log.name}.${log.head}`,
    left.map((statement) => statementKey(statement)).sort(),
  ].join(';')

const beatsBehind = (db, replica) => Object.keys(replica.hosts).map((id) => db.hosts[id].beat - replica.hosts[id].beat)

const statementKey = ({ kind, id, epoch, place, places, changes, isDone, hasFailed, found, isChanged }) =>
  `${kind}${id}${epoch}${place}${places}${JSON.stringify(changes)}${isDone}${hasFailed}${found}${isChanged}`

function processKey(world, proc) {
  if (!proc.member && !proc.join) return `${proc.run}${proc.cut}${proc.drift}${proc.starts}`
  const { join, pending, declare, give, take, works, jobs } = proc
  const { monotonic } = nowOf(world, proc)
  return [
    proc.run +
      (proc.cut ? 'c' : '') +
      (proc.pulsed ? 'p' : '') +
      (proc.session ? 's' : '') +
      (proc.control ? 'o' : '') +
      (proc.isAsleep ? 'z' : ''),
    `${proc.drift},${proc.starts}`,
    proc.epoch,
    proc.timeline,
    join ? joinKey(world, proc) : '',
    pending ? statementKey(pending) + pendingTimes(world, proc, monotonic) : '',
    declare.map(({ id, epoch, beat }) => `${id}${epoch}${beatOf(world, id, beat)}`),
    `${give}>${take}`,
    Object.entries(works).map(([place, phase]) => `${place}${phase}${jobs[place]?.at}${jobs[place]?.message.id}`),
    proc.member ? memberKey(world, proc) : '',
  ].join(';')
}

/** How far a beat is behind that of the row. A beat that is over is never seen again, unless a standby is promoted. */
function beatOf({ db, replica }, id, beat) {
  const behind = (db.hosts[id]?.beat ?? 0) - beat
  return replica ? behind : Math.sign(behind)
}

function joinKey(world, { id, join }) {
  const [epoch, beat] = (join.seen ?? '').split('/')
  return `${join.at}${epoch}/${beatOf(world, id, Number(beat))}${Math.min(world.now - join.since, OLDEST)}`
}

function pendingTimes(world, { pending }, monotonic) {
  if (pending.kind === 'beat') return ageOf(monotonic, pending.sent.monotonic)
  if (pending.kind !== 'look') return ''
  const { others, places } = pending.seen
  const hosts = others.map(({ id, epoch, beat, isDraining }) => `${id}${epoch}${beatOf(world, id, beat)}${isDraining}`)
  return `${hosts}${places.map(({ owner, wanted }) => `${owner}>${wanted}`)}`
}

function memberKey(world, proc) {
  const { until, isActing, lookedAt, sightings, places, giving, gaveAt, idleSince } = proc.member
  const now = nowOf(world, proc)
  const left = (clock) => Math.max(until[clock] - now[clock], 0)
  return [
    `${left('monotonic')},${left('wall')}${isActing}${ageOf(now.monotonic, lookedAt)}`,
    [...sightings]
      .map(([id, { epoch, beat, since }]) => sightingKey(world, id, epoch, beat, ageOf(now.monotonic, since)))
      .sort(),
    [...places].sort(),
    [...giving].sort(),
    Math.min(now.monotonic - gaveAt, DURATIONS.give),
    [...idleSince].map(([place, since]) => `${place}${ageOf(now.monotonic, since)}`).sort(),
  ].join(',')
}

/** An observation of a beat that is over is as good as none. */
function sightingKey(world, id, epoch, beat, age) {
  const behind = beatOf(world, id, beat)
  const isOver = (behind !== 0 || world.db.hosts[id]?.epoch !== epoch) && !world.replica
  return isOver ? '' : `${id}${epoch}:${behind}:${age}`
}
