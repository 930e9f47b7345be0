// The work of a place, one thing at a time: messages are handled, a turn runs a tool, replies are sent.
import { openSession, recoveryOf, write } from './database.mjs'
import { end } from './member.mjs'
import { breaks, holds, owns, partsOf, reaches } from './world.mjs'

/** States of a row that can be written. */
const NEW = ['none']

/**
 * The steps of a job. One with `changes` is a transaction; `next` is the step after it, or a function of the answer.
 * `again`: a transaction whose answer was lost is repeated. Without it the place recovers again.
 */
const STEPS = {
  accept: { changes: ({ incoming }) => [[incoming, NEW, 'received']], again: true, next: 'confirm' },
  confirm: {
    run({ seen }, message) {
      seen.confirmed[message.id] = 1
    },
  },
  begin: { changes: ({ incoming }) => [[incoming, ['received'], 'handling']], next: 'handle' },
  handle: {
    run({ seen }, message) {
      seen.handled[message.id] = (seen.handled[message.id] ?? 0) + 1
    },
    next: ({ turn }) => (turn ? 'turn' : 'reply'),
  },
  reply: {
    changes: ({ incoming, outgoing }) => [
      [outgoing, NEW, 'intent'],
      [incoming, ['received', 'handling'], 'handled'],
    ],
    again: true,
  },
  turn: {
    changes: ({ incoming }) => [
      ['turn', NEW, 'running'],
      [incoming, ['received', 'handling'], 'handled'],
    ],
    again: true,
    next: 'launch',
  },
  launch: { changes: () => [['tool', NEW, 'launched']], next: 'check tool', refused: 'answer' },
  'check tool': { asks: true, next: 'run tool' },
  'run tool': {
    run({ seen }) {
      seen.tool++
    },
    next: 'answer',
  },
  answer: {
    changes: ({ outgoing }) => [
      ['turn', ['running'], 'done'],
      [outgoing, NEW, 'intent'],
    ],
    again: true,
  },
  mark: { changes: ({ outgoing }) => [[outgoing, ['intent'], 'sending']], next: 'check send' },
  'check send': { asks: true, next: 'send', late: 'return' },
  send: {
    run({ seen }, message) {
      seen.sent[message.id] = (seen.sent[message.id] ?? 0) + 1
    },
    next: 'outcome',
  },
  outcome: { changes: ({ outgoing }) => [[outgoing, ['sending'], 'sent']], again: true },
  return: { changes: ({ outgoing }) => [[outgoing, ['sending'], 'intent']], again: true },
}

/** Begins the next job of a place, from what the database has. */
function nextJob({ db, env, seen }, place) {
  for (const message of env.messages) {
    if ((message.place ?? env.placeNames[0]) !== place) continue
    const { incoming, outgoing } = partsOf(message.id)
    if (db.rows[incoming] === 'received') return { message, at: 'begin' }
    if (message.turn && db.rows.turn === 'running') return { message, at: db.rows.tool ? 'answer' : 'launch' }
    if (db.rows[outgoing] === 'intent') return { message, at: 'mark' }
    // The platform offers it again until it is confirmed.
    if (message.state === 'offered' && !seen.confirmed[message.id]) return { message, at: 'accept' }
  }
  return undefined
}

/** Returns the transaction that a place waits for: that of its job, or its recovery. */
function transactionOf(world, proc, place) {
  if (proc.works[place] === 'recover') return owns(world, proc, place) ? recoveryOf(world, place) : undefined
  const job = proc.jobs[place]
  return job && STEPS[job.at].changes?.(partsOf(job.message.id))
}

/** Returns what a process can do in its places: a list of names, of what it does, and whether it is a transaction. */
export function workOf(world, proc) {
  return Object.keys(proc.works).flatMap((place) => {
    const job = proc.jobs[place]
    const changes = reaches(world, proc) ? transactionOf(world, proc, place) : undefined
    if (changes) return [{ place, name: job ? `${job.at} ${job.message.id}` : `recover ${place}`, changes }]
    if (job) return STEPS[job.at].changes ? [] : [localStep(job, place)]
    if (proc.works[place] !== 'on' || !reaches(world, proc) || !owns(world, proc, place)) return []
    const next = nextJob(world, place)
    if (!next) return []
    return [{ place, name: `pick ${next.at} ${next.message.id}`, run: (_world, self) => (self.jobs[place] = next) }]
  })
}

const localStep = ({ at, message }, place) => ({
  place,
  name: `${at} ${message.id}`,
  run(world, proc) {
    const { asks, run, next, late } = STEPS[at]
    run?.(world, message)
    if (asks && !holds(world, proc)) {
      if (late) go(proc, place, late)
      else drop(proc, place)
      return
    }
    if (next) go(proc, place, typeof next === 'function' ? next(message) : next)
    else finish(proc, place)
  },
})

function go(proc, place, at) {
  proc.jobs[place] = { ...proc.jobs[place], at }
}

function finish(proc, place) {
  delete proc.jobs[place]
  if (proc.works[place] === 'drain') proc.works[place] = 'off'
  if (proc.works[place] === 'restart') proc.works[place] = 'recover'
}

/** Ends a job whose row is not known to be its own. A recovery decides about it. */
function drop(proc, place) {
  finish(proc, place)
  if (proc.works[place] === 'on') proc.works[place] = 'recover'
}

/** Opens a session where there is none. Returns whether there is one. */
export function hasSession(world, proc) {
  if (proc.session) return true
  if (openSession(world, proc) === 'fenced') {
    end(world, proc)
    return false
  }
  return (proc.session = true)
}

/** Runs a transaction and answers it. */
export function transact(world, proc, { place, changes }) {
  if (hasSession(world, proc)) answered(world, proc, place, write(world, { ...proc, changes }))
}

/** The answer of a transaction has arrived. */
export function answered(world, proc, place, isChanged) {
  const job = proc.jobs[place]
  if (!job) {
    if (proc.works[place] === 'recover') proc.works[place] = 'on'
    return
  }
  const { next, refused, again } = STEPS[job.at]
  if (!isChanged && refused) go(proc, place, refused)
  else if (!isChanged && !again) drop(proc, place)
  else if (next) go(proc, place, next)
  else finish(proc, place)
}

/** The answer of a transaction is lost, and whether it was run is not known. */
export function unanswered(proc, place) {
  proc.session = false
  const job = proc.jobs[place]
  if (job && !STEPS[job.at].again) drop(proc, place)
}

/** Checks what must hold in each state. */
export function check(world) {
  const { env, procs, seen, db } = world
  for (const place of env.placeNames) {
    const acting = procs.filter(
      (proc) => proc.run === 'up' && holds(world, proc) && (owns(world, proc, place) || proc.jobs[place]),
    )
    if (acting.length > 1) breaks(world, 'no two hosts act in a place at the same time')
  }
  if (seen.forgot) return
  if (seen.tool > 1) breaks(world, 'a tool with effect "once" runs once')
  for (const { id } of env.messages) {
    if (seen.handled[id] > 1) breaks(world, 'no message is handled twice')
    if (seen.sent[id] > 1) breaks(world, 'no message is sent twice')
    const state = db.rows[partsOf(id).outgoing]
    if (state === 'sent' && !seen.sent[id]) breaks(world, 'a message that is sent has arrived')
    if ((state === 'intent' || state === undefined) && seen.sent[id]) breaks(world, 'a message that arrived is marked')
  }
}
