// The faults, and what a host does between them: all actions that are possible in a state.
import { cutOff, loseDatabase, promote } from './connections.mjs'
import { beat, look, release, take, write } from './database.mjs'
import {
  canJoin,
  connect,
  declareNow,
  end,
  give,
  isReleasable,
  JOIN,
  lookFailed,
  lookNow,
  looked,
  pulse,
  releaseFailed,
  releaseNow,
  start,
  takeNow,
} from './member.mjs'
import { answered, hasSession, transact, unanswered, workOf } from './work.mjs'
import { mayPass, timeActions } from './time.mjs'
import { nowOf, reaches } from './world.mjs'

/**
 * Returns the actions of a state: a name, whether it is a fault, and the function that changes a copy of the state.
 */
export function actionsOf(world) {
  const actions = []
  const add = (name, run, isFault = false) => actions.push({ name, run, isFault })
  world.procs.forEach((proc, index) => {
    const act = (name, run, isFault) => add(`${proc.name}: ${name}`, (copy) => run(copy, copy.procs[index]), isFault)
    if (proc.run === 'up') upActions(world, proc, act)
    else if (proc.run === 'stopped') stoppedActions(world, proc, act)
    else if (proc.run === 'down' && proc.starts > 0) act('starts', (_copy, self) => start(self))
  })
  world.db.left.forEach((_statement, index) => lateAction(world, index, add))
  if (world.moves > 0) moveActions(world, add)
  databaseActions(world, add)
  if (mayPass(world)) timeActions(world, add)
  return actions
}

/** Adds a fault where the scenario has it, and one is left. */
function fault({ env, faults }, act, kind, name, run) {
  if (faults > 0 && env.kinds.has(kind)) act(name, run, true)
}

const standStill = (isAsleep) => (_copy, self) => void Object.assign(self, { run: 'stopped', isAsleep })

function upActions(world, proc, act) {
  fault(world, act, 'stop', 'is stopped', standStill(false))
  fault(world, act, 'sleep', 'sleeps', standStill(true))
  fault(world, act, 'crash', 'is killed', end)
  if (proc.cut) act('reaches the database again', (_copy, self) => void (self.cut = false))
  else fault(world, act, 'cut', 'is cut off', cutOff)
  if (proc.pending) return deliver(world, proc, act)
  if (proc.join && reaches(world, proc) && canJoin(world, proc))
    act(`joins, ${proc.join.at}`, (copy, self) => JOIN[proc.join.at](copy, self))
  if (!proc.member) return
  if (reaches(world, proc)) memberActions(world, proc, act)
  workActions(world, proc, act)
}

function memberActions(world, proc, act) {
  if (!proc.pulsed && isNext(world, proc)) pulseActions(world, act)
  if (proc.declare.length > 0) act(`declares ${proc.declare[0].id} dead`, declareNow)
  if (proc.take.length > 0) {
    act(`takes ${proc.take.join(' and ')}`, takeNow)
    fault(world, act, 'lost', 'takes, and the answer is lost', takeUnanswered)
    underWay(world, act, 'take', (_copy, self) => ({ kind: 'take', places: self.take }))
  }
  for (const place of proc.give.filter((given) => isReleasable(world, proc, given))) {
    act(`releases ${place}`, (copy, self) => releaseNow(copy, self, place))
    fault(world, act, 'lost', `releases ${place}, and the answer is lost`, (copy, self) => {
      release(copy, { ...self, place })
      releaseFailed(copy, self, place)
    })
    underWay(world, act, `release of ${place}`, () => ({ kind: 'release', place }))
  }
}

function pulseActions(world, act) {
  act('beats and looks', pulse)
  fault(world, act, 'lost', 'beats, and the answer is lost', beatUnanswered)
  fault(world, act, 'look', 'beats, and cannot look', beatOnly)
  fault(world, act, 'stop', 'looks, and is stopped', (copy, self) => {
    Object.assign(self, { run: 'stopped', pending: { kind: 'look', isDone: true, seen: look(copy, self) } })
  })
  underWay(world, act, 'beat', (copy, self) => ({ kind: 'beat', sent: nowOf(copy, self) }))
}

function takeUnanswered(world, proc) {
  if (!connect(world, proc)) return
  take(world, { ...proc, places: proc.take })
  Object.assign(proc, { take: [], control: false })
}

/** The answer of a beat is lost, and the look goes through another connection. */
function beatUnanswered(world, proc) {
  if (!connect(world, proc)) return
  beat(world, proc)
  proc.control = false
  lookNow(world, proc)
}

/** Whether no other host beats and looks first, where the scenario has an order. */
const isNext = (world, proc) =>
  !world.env.ordered ||
  world.procs
    .slice(0, world.procs.indexOf(proc))
    .every((other) => other.pulsed || !other.member || !reaches(world, other))

function beatOnly(world, proc) {
  if (!connect(world, proc)) return
  const sent = nowOf(world, proc)
  give(world, proc, { kind: 'beaten', sent, found: beat(world, proc) })
  if (proc.run === 'up') lookFailed(world, proc)
}

/** The faults while a statement is on its way: the process is stopped or killed, or its connection breaks. */
function underWay(world, act, name, pendingOf) {
  const during = (change) => (copy, self) => {
    self.pending = pendingOf(copy, self)
    change(copy, self)
  }
  fault(world, act, 'stop', `is stopped, a ${name} under way`, during(standStill(false)))
  // A beat that comes late only delays the others.
  if (name === 'beat') return
  fault(world, act, 'crash', `is killed, a ${name} under way`, during(end))
  fault(world, act, 'cut', `is cut off, a ${name} under way`, during(cutOff))
}

function workActions(world, proc, act) {
  for (const work of workOf(world, proc)) {
    if (!work.changes) {
      act(work.name, work.run)
      continue
    }
    const { name, place, changes } = work
    act(name, (copy, self) => transact(copy, self, work))
    fault(world, act, 'lost', `${name}, and the answer is lost`, (copy, self) => {
      if (!hasSession(copy, self)) return
      write(copy, { ...self, changes })
      unanswered(self, place)
    })
    if (proc.session) underWay(world, act, `write (${name})`, () => ({ kind: 'write', place, changes }))
  }
}

/** A process that is stopped: its statement is run, or it goes on. */
function stoppedActions(world, proc, act) {
  if (world.db.up && proc.pending && !proc.pending.isDone) act(`the ${proc.pending.kind} is run`, runPending)
  act('goes on', (_copy, self) => void Object.assign(self, { run: 'up', isAsleep: false }))
}

const RUN = {
  beat: (world, proc) => ({ found: beat(world, proc) }),
  take: (world, proc) => take(world, { ...proc, places: proc.pending.places, isUnderWay: true }),
  release: (world, proc) => release(world, { ...proc, place: proc.pending.place }),
  write: (world, proc) => ({ isChanged: write(world, { ...proc, changes: proc.pending.changes }) }),
}

function runPending(world, proc) {
  proc.pending = { ...proc.pending, isDone: true, ...RUN[proc.pending.kind](world, proc) }
}

/** A statement that was under way when the process was stopped is answered. */
function deliver(world, proc, act) {
  if (!proc.pending.isDone) {
    if (world.db.up) act(`the ${proc.pending.kind} is run`, runPending)
    return
  }
  act(`gets the answer of the ${proc.pending.kind}`, (copy, self) => {
    const { kind, place, hasFailed, ...answer } = self.pending
    self.pending = undefined
    if (kind === 'beat') give(copy, self, { kind: 'beaten', sent: answer.sent, found: answer.found })
    else if (kind === 'look') looked(copy, self, answer.seen)
    else if (kind === 'take') self.take = []
    else if (kind === 'release') self.give = self.give.filter((other) => other !== place)
    else if (hasFailed) unanswered(self, place)
    else answered(copy, self, place, answer.isChanged)
  })
}

/** A statement whose process has ended, or whose connection broke, is run now. */
function lateAction(world, index, add) {
  const { kind, id } = world.db.left[index]
  const without = (copy) => copy.db.left.splice(index, 1)[0]
  add(`a ${kind} that ${id} has left is run`, (copy) => {
    const statement = without(copy)
    if (kind === 'write') write(copy, statement)
    else if (kind === 'take') take(copy, { ...statement, isUnderWay: true })
    else release(copy, statement)
  })
}

function moveActions({ env, db }, add) {
  for (const place of env.placeNames)
    for (const id of env.hosts)
      if (db.places[place].wanted !== id)
        add(`${place} is moved to ${id}`, (copy) => {
          copy.moves--
          copy.db.places[place] = { ...copy.db.places[place], wanted: id }
        })
}

function databaseActions(world, add) {
  const { kinds } = world.env
  if (!world.db.up) add('the database is back', (copy) => void (copy.db.up = true))
  else if (world.faults > 0 && kinds.has('away')) add('the database is unavailable', loseDatabase, true)
  if (!kinds.has('failover')) return
  if (!world.replica && !world.seen.forgot)
    add('the standby server follows so far', (copy) => void (copy.replica = { ...copy.db, left: [] }))
  if (world.replica && world.faults > 0) add('the standby server is promoted', promote, true)
}
