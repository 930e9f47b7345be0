// The time when nothing fails any more: all messages reach an end, and all places are run.
import { actionsOf } from './actions.mjs'
import { keyOf } from './key.mjs'
import { check } from './work.mjs'
import { copyOf, owns, partsOf } from './world.mjs'

const MOST_TICKS = 60
const MOST_STEPS = 200
const OPEN = new Set(['received', 'handling', 'intent', 'sending', 'running'])

/** States that end well, so that each is followed once. */
export class Quiet {
  #ends = { all: new Set(), alone: new Set() }

  /** Returns why something waits for ever after a state, with the history from there. */
  waits(world) {
    return this.#follow(world, 'all') ?? (world.procs.some(isWell) ? this.#follow(world, 'alone') : undefined)
  }

  /** @param who `all`: stopped and dead processes go on; `alone`: only those that are well */
  #follow(from, who) {
    const good = this.#ends[who]
    const path = []
    const history = [
      who === 'all' ? 'no more faults, and all hosts come back' : 'no more faults, and no host comes back',
    ]
    const world = copyOf(from)
    Object.assign(world, { faults: 0, drifts: 0, moves: 0 })
    world.env = from.env
    if (who === 'alone') vanish(world)
    for (let tick = 0; tick < MOST_TICKS; tick++) {
      const key = keyOf(world, false)
      if (good.has(key)) return remember(good, path)
      path.push(key)
      for (let step = 0; ; step++) {
        const action = actionsOf(world).find(({ name }) => isWanted(name))
        if (!action || step === MOST_STEPS) break
        action.run(world)
        check(world)
        history.push(action.name)
        if (world.broken) return { sentence: world.broken, history }
      }
      if (isDone(world)) return remember(good, path)
      const time = actionsOf(world).find(({ name }) => name === 'time passes')
      if (!time) return { sentence: 'time goes on', history }
      time.run(world)
      history.push(time.name)
    }
    return { sentence: `nothing waits for ever: ${waiting(world)}`, history: history.slice(0, 12) }
  }
}

const isWell = ({ run, cut, member }) => run === 'up' && !cut && member !== undefined

const isWanted = (name) => !/^time passes|^the standby server/.test(name)

const remember = (good, path) => {
  for (const key of path) good.add(key)
}

/** Takes the hosts away that are not well. Their rows and sessions stay. */
function vanish(world) {
  world.db.up = true
  for (const proc of world.procs) if (!isWell(proc)) proc.run = 'gone'
}

const isDone = (world) => waiting(world) === undefined

function waiting(world) {
  const { db, env, procs } = world
  for (const place of env.placeNames) {
    const owner = procs.find((proc) => proc.run === 'up' && owns(world, proc, place) && proc.works[place] === 'on')
    if (!owner) return `place ${place}`
    if (owner.jobs[place]) return `a job of ${place}`
  }
  const open = Object.keys(db.rows).find((row) => OPEN.has(db.rows[row]))
  if (open) return `row ${open} is ${db.rows[open]}`
  const unanswered = env.messages.find(
    ({ id }) => db.rows[partsOf(id).incoming] !== 'interrupted' && !db.rows[partsOf(id).outgoing],
  )
  return unanswered && `message ${unanswered.id} has no answer`
}
