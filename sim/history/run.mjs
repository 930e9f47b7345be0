// Plays one history and asks the oracle about it.
import { createHost } from '@mynah/kernel'
import { Endless } from '../core/scheduler.mjs'
import { takeGlobals } from '../core/process-globals.mjs'
import { changesIn, noteChanges } from '../coverage.mjs'
import { factsOf } from '../oracle/facts.mjs'
import { findingsOf } from '../oracle/index.mjs'
import { PlannedJobs } from '../world/jobs.mjs'
import { Ledger } from '../world/ledger.mjs'
import { People } from '../world/people.mjs'
import { Platform } from '../world/platform.mjs'
import { StreamClient } from '../world/stream-client.mjs'
import { watchForRings } from '../world/ring-watch.mjs'
import { Stopped, World } from '../world/world.mjs'
import { entriesOf } from './host.mjs'
import { perform } from './steps.mjs'

/** Time after the last step until faults end, ms. */
const UNREST_MS = 20_000
/** Time for an answer when all is over, ms. */
const AGAIN_MS = 120_000

function startHost(world) {
  const host = createHost(entriesOf(world), {
    clock: world.clock(),
    log: ({ level, name, message }) => {
      if (level !== 'debug') world.recorder.line(`log ${level} ${name}: ${message}`)
    },
  })
  host.start().catch((error) => world.recorder.line(`the host failed to start: ${error.message}`))
  return host
}

function createWorld(plan) {
  const world = new World(plan, startHost)
  world.ledger = new Ledger(world)
  world.platforms = plan.platforms.map(({ name, ...options }) => new Platform(world, name, options))
  world.jobs = new PlannedJobs(world)
  world.people = new People(world)
  world.client = new StreamClient(world)
  world.parts.push(world.ledger, ...world.platforms, world.client)
  watchForRings(world)
  noteChanges(world)
  return world
}

/**
 * Plays a history.
 *
 * @returns what the oracle found and on which facts, the digest, the faults that happened, and the lines of the history
 */
export async function runHistory(plan) {
  const world = createWorld(plan)
  const restore = takeGlobals(plan.seed, world.scheduler, world.wall)
  const problems = []
  const unhandled = (error) => problems.push(`a rejection was not handled: ${error?.stack ?? error}`)
  process.on('unhandledRejection', unhandled)
  try {
    world.start()
    for (const step of plan.steps) world.scheduler.add(step.do, step.at, () => perform(world, step), 0)
    const end = Math.max(0, ...plan.steps.map(({ at }) => at)) + UNREST_MS
    await world.scheduler.runUntil(end)
    world.quietAt = world.scheduler.count
    world.quiet()
    // Timers of the wall clock are late where the clock was set back.
    const setBack = plan.steps.reduce((sum, { do: what, ms }) => (what === 'leap' ? sum + Math.max(0, -ms) : sum), 0)
    await world.scheduler.runUntil(end + setBack + plan.quietFor)
    if (plan.after) await sayAgain(world, plan.after, end + setBack + plan.quietFor)
    world.recorder.line('end')
    const facts = factsOf(world)
    return { ...resultOf(world), facts, findings: findingsOf(facts, problems) }
  } catch (error) {
    if (error instanceof Stopped) return { ...resultOf(world), findings: [error.finding] }
    if (!(error instanceof Endless)) throw error
    return { ...resultOf(world), findings: [{ sentence: 'nothing waits for ever', text: error.message }] }
  } finally {
    process.off('unhandledRejection', unhandled)
    restore()
    world.close()
  }
}

/** Lets people write, one after the other, when all is over. */
async function sayAgain(world, steps, from) {
  for (const [index, step] of steps.entries()) {
    world.scheduler.add(step.do, 0, () => perform(world, step), 0)
    await world.scheduler.runUntil(from + (index + 1) * AGAIN_MS)
  }
}

const resultOf = (world) => ({
  digest: world.recorder.digest,
  events: world.scheduler.count,
  changes: changesIn(world),
  quietAt: world.quietAt,
  faults: world.boundaries.used,
  lines: world.recorder.lines,
})
