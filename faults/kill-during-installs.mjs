// Kills the command line, or a host with its supervisor, while packages are installed, removed or rolled back: most
// times at a named step of the swap, the journal, the start or the listing, else at any time. The next start has no
// registry and is killed as well now and then. The host then runs with the old or the new packages, never a mixture;
// each run has an end that fits, and the configuration lists a new plugin at most once.
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { isEnded } from '../plugins/mynah/dist/cli/packages/runs.js'
import { rowOf, runIfMain } from './lib/lives.mjs'
import { EXTRA, NAMES, PackageLives, WHOLE } from './lib/package-lives.mjs'

/** So that the moments of a run are spread over its time. */
const TARBALL_MS = 15
const MAX_RECOVERY_MS = 1_000
/** Kills at a named step, of all that are aimed. */
const NAMED_SHARE = 0.85
/** Starts after a kill that are killed themselves. */
const RECOVERY_SHARE = 0.2
const GRACE_MS = 5_000
const SIDES = ['before', 'after', 'half']

/** The part of an installation that a step belongs to, where it is one that is aimed at. */
function kindOf(step) {
  if (/mynah\.config/.test(step)) return 'listing'
  if (/runs\.jsonl/.test(step)) return 'record of the run'
  if (/journal\S* starting$/.test(step)) return 'starting'
  if (/journal/.test(step)) return 'journal'
  // A stage is written asynchronously.
  return /^\w+Sync .*(?:node_modules|package|replaced|previous)/.test(step) ? 'swap' : undefined
}

/** Returns numbers from 0 to 1 that a seed determines. */
function randomOf(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

class Rounds {
  #lives
  #random
  /** Steps that lives of a kind have gone through, with the times that they come. */
  #known = new Map()
  #duration = { command: 4_000, host: 4_000 }
  #version = 0
  kills = new Map()
  wrong = []
  outcomes = { old: 0, new: 0 }
  slowest = 0

  constructor(lives, random) {
    this.#lives = lives
    this.#random = random
  }

  get count() {
    return Array.from(this.kills.values()).reduce((sum, count) => sum + count, 0)
  }

  #pick(list) {
    return list[Math.floor(this.#random() * list.length)]
  }

  #killed(kind) {
    this.kills.set(kind, (this.kills.get(kind) ?? 0) + 1)
  }

  /** Remembers the steps of a life of this kind, such as `remove by host`. */
  #learn(life, notes) {
    const counts = new Map()
    const known = this.#known.get(life) ?? new Map()
    this.#known.set(life, known)
    for (const { program, step } of notes) {
      const kind = step && kindOf(step)
      if (!kind) continue
      const key = `${program} ${step}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      known.set(key, { program, step, kind, times: Math.max(counts.get(key), known.get(key)?.times ?? 0) })
    }
  }

  /** Returns a step of such a life. Each kind of step is as probable as another. */
  #step(life) {
    const known = Array.from(this.#known.get(life)?.values() ?? [])
    const kind = this.#pick(Array.from(new Set(known.map((step) => step.kind))).sort())
    const chosen = this.#pick(known.filter((step) => step.kind === kind))
    return chosen && { ...chosen, nth: 1 + Math.floor(this.#random() * chosen.times), side: this.#pick(SIDES) }
  }

  /** Returns a request, and the packages that are there after it. */
  #request(before) {
    const version = `1.0.${++this.#version}`
    const previous = this.#lives.previous()
    const whole = Object.fromEntries(NAMES.filter((name) => name !== EXTRA).map((name) => [name, version]))
    const choices = [
      { action: 'add', names: [`${WHOLE}@${version}`], after: { ...before, ...whole } },
      before[EXTRA] === undefined
        ? { action: 'add', names: [`${EXTRA}@${version}`], after: { ...before, [EXTRA]: version } }
        : { action: 'remove', names: [EXTRA], after: { ...before, [EXTRA]: undefined } },
      ...(previous ? [{ action: 'rollback', names: [], after: previous }] : []),
    ]
    this.#lives.publish(version)
    return this.#pick(choices)
  }

  /** Lets the command line or the host carry out a request. Resolves at its end, or with the end of the process. */
  async #carryOut(by, { action, names }) {
    const lives = this.#lives
    const { host } = lives
    if (by === 'command') return lives.command(action, ...names)
    const before = lives.runs().length
    const work = async () => {
      const plan = await (action === 'rollback'
        ? lives.rpc('packages:rollback')
        : lives.rpc('packages:plan', { [action]: names }))
      await lives.rpc('packages:apply', { planId: plan.planId })
      const isOver = () => {
        const [newest, ...older] = lives.runs()
        return older.length >= before && isEnded(newest) && newest.listing !== true
      }
      while (!isOver() && host.child.signalCode === null) await wait(10)
    }
    const over = work().catch(async (error) => {
      // The connection of a host that is killed ends before the process does.
      await Promise.race([host.ended, wait(GRACE_MS)])
      if (host.child.signalCode === null)
        this.wrong.push(`${action} ${names.join(' ')}: ${error.message}; ${host.out.slice(-1_000)}`)
    })
    return { ended: Promise.race([over, host.ended]), child: host.child, isHost: true }
  }

  /** Carries out a request and kills in the midst of it. */
  async #cutOff(by, request) {
    const lives = this.#lives
    const isNamed = this.#random() < NAMED_SHARE
    const life = `${request.action} ${request.names[0]?.startsWith(WHOLE) ? 'over a restart' : ''} by ${by}`
    const aim = isNamed ? this.#step(life) : undefined
    if (aim) await lives.arm(aim)
    const began = performance.now()
    const running = await this.#carryOut(by, request)
    const time = this.#random() * this.#duration[by] * 1.1
    // The first life of a kind goes to its end, so that all its steps are known.
    const timer = aim || !this.#known.has(life) ? undefined : setTimeout(() => void lives.kill(running), time)
    await running.ended
    const wasKilled = running.child.signalCode === 'SIGKILL'
    if (!wasKilled) this.#duration[by] = performance.now() - began
    clearTimeout(timer)
    await lives.disarm()
    await lives.kill(lives.host)
    const notes = await lives.takeNotes()
    this.#learn(life, notes)
    const hit = notes.find(({ killed }) => killed)
    if (hit) this.#killed(aim.kind)
    else this.#killed(wasKilled ? 'at any time' : 'after the end')
    return `${request.action} ${request.names.join(' ')} by ${by}, ${hit ? `${aim.side} ${aim.step}` : 'at no step'}`
  }

  /** Starts the host without a registry. The start may be killed once. */
  async #start() {
    const lives = this.#lives
    lives.project.registry.isDown = true
    let second = ''
    const aim = this.#random() < RECOVERY_SHARE ? this.#step('start') : undefined
    if (aim) {
      await lives.arm(aim)
      if (!(await lives.startHost())) {
        this.#killed('recovery')
        second = `, then ${aim.side} ${aim.step} of ${aim.program}`
      } else await lives.kill(lives.host)
      await lives.disarm()
      await lives.takeNotes()
    }
    if (!(await lives.startHost())) throw new Error(`the host does not start${second}: ${lives.host.err}`)
    return second
  }

  #check(what, before, after, open) {
    const lives = this.#lives
    const report = (fault) => this.wrong.push(`${what}: ${fault}`)
    const { locked, wrong } = lives.state()
    for (const fault of wrong) report(fault)
    const text = JSON.stringify(locked)
    const isNew = text === JSON.stringify(after)
    if (!isNew && text !== JSON.stringify(before)) report(`a third set: ${text}`)
    this.outcomes[isNew ? 'new' : 'old']++
    const runs = /whole runs ([\d. ]+)/.exec(lives.host.out)?.[1]
    const [expected] = new Set([locked[WHOLE]])
    if (!runs || runs.split(' ').some((version) => version !== expected)) report(`the host runs ${runs}`)
    if (/interrupted installation|failed to/.test(lives.host.out + lives.host.err))
      report(/.*(?:interrupted installation|failed to).*/.exec(lives.host.out + lives.host.err)[0])
    for (const run of open) report(`the run ${run.action} is ${run.state}${run.listing ? ', not listed' : ''}`)
    const [newest] = lives.runs()
    if (newest && text !== JSON.stringify(before) && newest.state !== 'done')
      report(`new packages, yet ${newest.state}`)
    if (lives.listed() > 1) report('the plugin is listed twice')
  }

  /** One request that is cut off, and the start after it. */
  async round() {
    const lives = this.#lives
    const { locked: before } = lives.state()
    const request = this.#request(before)
    const by = this.#pick(['command', 'host'])
    const cut = await this.#cutOff(by, request)
    const what = `${this.#version}: ${cut}${await this.#start()}`
    const open = await lives.openRuns()
    const notes = await lives.takeNotes()
    this.#learn('start', notes)
    const first = notes.find(({ program, step }) => program === 'supervisor' && step === 'mkdir data/packages')
    const forked = notes.find(({ step }) => step === 'the host process is started')
    if (first && forked) this.slowest = Math.max(this.slowest, forked.at - first.at)
    this.#check(what, before, request.after, open)
    lives.project.registry.isDown = false
    if (process.env['VERBOSE']) console.log(what, this.wrong.length)
  }
}

/** Runs until there were so many kills, and prints one row. Returns the row. */
export async function run({ rounds = 30, seed = 29 } = {}) {
  const lives = await PackageLives.create()
  try {
    lives.project.registry.beforeTarball = () => wait(TARBALL_MS)
    const all = new Rounds(lives, randomOf(seed))
    await lives.startHost()
    while (all.count < rounds) await all.round()
    const { wrong, outcomes, slowest, kills } = all
    if (slowest > MAX_RECOVERY_MS) wrong.push(`a recovery took ${Math.round(slowest)} ms`)
    const aimed = Array.from(kills, ([kind, count]) => `${count} ${kind}`).join(', ')
    const sets = `${outcomes.old} times the old set, ${outcomes.new} times the new one`
    const fine = `seed ${seed}: ${aimed}; ${sets}; recovered within ${Math.ceil(slowest)} ms`
    if (wrong.length) console.log(fine)
    return rowOf('kill -9 while installing', all.count, wrong, fine)
  } finally {
    await lives.remove()
  }
}

await runIfMain(import.meta.url, run)
