// All orders of what a few hosts of a cluster can do with one message, by the step function that the plugin runs.
//
// A state is what the database has, what each host knows, and how far each has come with sending the message. Time is
// counted in units; clocks are kept relative to now, so that the number of states is finite. A host that does nothing
// while time passes is one that stands still or is cut off.
import { joined, mayAct, ownerName } from '../../plugins/cluster/dist/member/state.js'
import { step } from '../../plugins/cluster/dist/member/step.js'

/** Looks are never late here: they would only begin the observation again, and with it many more states. */
const DURATIONS = { lease: 2, margin: 1, beat: 1, look: 1_000 }
/** Ages beyond this make no difference. */
const OLD = 2
const PLACE = '*'
const at = (now) => ({ monotonic: now, wall: now })

/** Rules that can be taken away, to see that the explorer notices. */
export const RULES = {
  'beats count from their sending': 'countFromAnswer',
  'sessions of the dead are ended first': 'keepSessions',
  'a mark is a condition': 'markBlindly',
  'what was being sent is not sent again': 'sendAgain',
  'a new session proves its epoch': 'reopenBlindly',
  'a host past its lease sends nothing': 'sendLate',
}

const host = (id, epoch) => ({ member: joined(id, epoch), up: true, session: true, sent: null, pc: 'idle', starts: 0 })

/** Returns the first state: the first host owns the place, and all have just started. */
function initial(count) {
  const ids = Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index))
  return {
    db: {
      hosts: Object.fromEntries(ids.map((id) => [id, { epoch: 1, beat: 0, live: true }])),
      owner: ownerName('a', 1),
      row: 'intent',
      by: null,
    },
    hosts: Object.fromEntries(ids.map((id) => [id, host(id, 1)])),
    arrived: 0,
    crashes: 0,
  }
}

/** Copies a state, which the copy may change. The step function makes new states of members. */
const copy = (state) => ({
  ...state,
  db: { ...state.db, hosts: Object.fromEntries(Object.entries(state.db.hosts).map(([id, row]) => [id, { ...row }])) },
  hosts: Object.fromEntries(Object.entries(state.hosts).map(([id, one]) => [id, { ...one }])),
})

/** Gives a host an input at the time 0, and carries out what it decides. */
function give(state, id, input, without) {
  const one = state.hosts[id]
  const given = input.kind === 'beaten' && without === 'countFromAnswer' ? { ...input, sent: at(0) } : input
  const { state: member, effects } = step(one.member, given, at(0), DURATIONS)
  one.member = member
  for (const effect of effects) carryOut(state, id, effect, without)
}

function carryOut({ db, hosts }, id, effect, without) {
  const one = hosts[id]
  const own = ownerName(id, one.member.epoch)
  switch (effect.kind) {
    case 'start':
      one.starts = 1
      // What the last owner left.
      if (one.session && db.row === 'sending' && db.by !== own) {
        db.row = without === 'sendAgain' ? 'intent' : 'unknown'
        db.by = null
      }
      return
    case 'stop':
      one.starts = 0
      return
    case 'take': {
      const row = db.hosts[id]
      if (db.owner === null && row.live && row.epoch === one.member.epoch) db.owner = own
      return
    }
    case 'declare-dead': {
      const row = db.hosts[effect.host.id]
      if (!row.live || row.epoch !== effect.host.epoch || row.beat !== effect.host.beat) return
      if (without !== 'keepSessions') hosts[effect.host.id].session = false
      row.live = false
      if (db.owner === ownerName(effect.host.id, effect.host.epoch)) db.owner = null
      return
    }
    case 'exit':
      return restart({ db, hosts }, id)
  }
}

/** A new process joins: it ends the sessions of the old one, and its former place is its own. */
function restart({ db, hosts }, id) {
  const epoch = db.hosts[id].epoch + 1
  db.hosts[id] = { epoch, beat: 0, live: true }
  if (db.owner?.startsWith(`${id}:`)) db.owner = ownerName(id, epoch)
  hosts[id] = host(id, epoch)
}

/** Returns what can happen next, each with its name and the state after it. */
function next(state, { without, crashes }) {
  const found = []
  const go = (name, change) => {
    const after = copy(state)
    change(after, after.hosts, after.db)
    found.push([name, after])
  }
  for (const id of Object.keys(state.hosts)) {
    const { up, member, session, sent, pc, starts } = state.hosts[id]
    if (!up) {
      go(`restart ${id}`, (after) => restart(after, id))
      continue
    }
    const own = ownerName(id, member.epoch)
    const row = state.db.hosts[id]
    if (sent === null) go(`${id} sends a beat`, (_, hosts) => (hosts[id].sent = 0))
    else
      go(`${id} has beaten`, (after, hosts, db) => {
        const isOwn = row.live && row.epoch === member.epoch
        if (isOwn) db.hosts[id].beat++
        hosts[id].sent = null
        give(after, id, { kind: 'beaten', sent: at(sent), found: isOwn }, without)
      })
    go(`${id} looks`, (after, _, db) =>
      give(
        after,
        id,
        {
          kind: 'looked',
          others: Object.entries(db.hosts)
            .filter(([other, { live }]) => other !== id && live)
            .map(([other, { epoch, beat }]) => ({ id: other, epoch, beat })),
          places: [{ id: PLACE, owner: db.owner, mayBeTaken: true }],
        },
        without,
      ),
    )
    go(`${id} ticks`, (after) => give(after, id, { kind: 'tick' }, without))
    // A session that was ended is opened again, and must prove that its host lives.
    if (!session && (without === 'reopenBlindly' || (row.live && row.epoch === member.epoch)))
      go(`${id} reconnects`, (_, hosts) => (hosts[id].session = true))
    else if (!session) go(`${id} finds itself dead`, (after) => restart(after, id))
    if (starts && session && pc === 'idle' && state.db.row === 'intent')
      go(`${id} reads`, (_, hosts) => (hosts[id].pc = 'read'))
    if (pc === 'read' && session)
      go(`${id} marks`, (_, hosts, db) => {
        const isMine = without === 'markBlindly' || db.row === 'intent'
        if (isMine) [db.row, db.by] = ['sending', own]
        hosts[id].pc = isMine ? 'marked' : 'idle'
      })
    if (pc === 'marked')
      go(`${id} checks`, (_, hosts) => {
        hosts[id].pc = without === 'sendLate' || mayAct(member, at(0)) ? 'checked' : 'idle'
      })
    if (pc === 'checked')
      go(`${id} sends`, (after, hosts) => {
        after.arrived++
        hosts[id].pc = 'written'
      })
    if (pc === 'written' && session)
      go(`${id} notes`, (_, hosts, db) => {
        if (db.row === 'sending' && db.by === own) db.row = 'sent'
        hosts[id].pc = 'idle'
      })
    if (state.crashes < crashes)
      go(`${id} dies`, (after, hosts) => {
        after.crashes++
        hosts[id] = { ...host(id, member.epoch), up: false, session: false }
      })
  }
  go('time', (after, hosts) => {
    for (const one of Object.values(hosts)) {
      one.member = older(one.member)
      if (one.sent !== null) one.sent = Math.max(one.sent - 1, -OLD)
    }
  })
  return found
}

/** Moves all moments that a host knows into the past by one unit. */
function older(member) {
  const back = (moment) => Math.max(moment - 1, -OLD)
  const { until, lookedAt, sightings } = member
  return {
    ...member,
    until: { monotonic: back(until.monotonic), wall: back(until.wall) },
    lookedAt: lookedAt === undefined ? undefined : back(lookedAt),
    sightings: new Map([...sightings].map(([id, seen]) => [id, { ...seen, since: back(seen.since) }])),
  }
}

/** Returns what is wrong with a state. */
function wrong({ db, hosts, arrived }) {
  if (arrived > 1) return 'the message was sent twice'
  if (db.row === 'sent' && arrived === 0) return 'the message is noted as sent and was not'
  if (db.row === 'intent' && arrived > 0) return 'the message was sent and waits to be sent'
  const acting = Object.values(hosts).filter(({ up, starts, member }) => up && starts && mayAct(member, at(0)))
  if (acting.length > 1) return 'two hosts act at the same time'
  return undefined
}

/** Equal states have equal keys. Epochs and beats only matter as equal or not to the newest ones of their host. */
function keyOf({ db, hosts, arrived, crashes }) {
  const epochs = (id, epoch) => db.hosts[id].epoch - epoch
  const owner = (name) => name && [name[0], epochs(name[0], Number(name.slice(2)))].join('')
  return JSON.stringify([
    db.row,
    owner(db.by),
    owner(db.owner),
    arrived,
    crashes,
    Object.values(db.hosts).map(({ live }) => live),
    Object.entries(hosts).map(([id, { member, up, session, sent, pc, starts }]) => [
      up,
      session,
      sent,
      pc,
      starts,
      epochs(id, member.epoch),
      Math.max(member.until.monotonic, 0),
      member.isActing,
      [...member.places],
      [...member.sightings].map(([other, { epoch, beat, since }]) => [
        other,
        epochs(other, epoch),
        beat === db.hosts[other].beat,
        Math.max(since, -DURATIONS.lease),
      ]),
    ]),
  ])
}

/**
 * Visits all states.
 *
 * @param options.hosts how many there are
 * @param options.crashes how many processes die
 * @param options.without a value of {@link RULES} to take away
 * @returns how many states there are, and the shortest history to a wrong one
 */
export function explore({ hosts = 2, crashes = 1, without, most = Infinity } = {}) {
  const first = initial(hosts)
  const seen = new Map([[keyOf(first), undefined]])
  let layer = [first]
  while (layer.length > 0 && seen.size < most) {
    const following = []
    for (const state of layer) {
      const key = keyOf(state)
      for (const [name, after] of next(state, { without, crashes })) {
        const nextKey = keyOf(after)
        if (seen.has(nextKey)) continue
        seen.set(nextKey, [key, name])
        const fault = wrong(after)
        if (fault) return { states: seen.size, fault, history: historyOf(seen, nextKey) }
        following.push(after)
      }
    }
    layer = following
  }
  return { states: seen.size, fault: undefined, history: [] }
}

function historyOf(seen, key) {
  const names = []
  for (let link = seen.get(key); link; link = seen.get(link[0])) names.unshift(link[1])
  return names
}
