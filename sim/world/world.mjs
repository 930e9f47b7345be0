// Everything outside of the host, and the lives of the host in it.
import { dropStorages } from '../core/process-globals.mjs'
import { Scheduler } from '../core/scheduler.mjs'
import { forgetIds } from '../../kernel/dist/util/new-id.js'
import { Boundaries } from './boundaries.mjs'
import { Recorder } from './recorder.mjs'
import { image } from './store/image.mjs'
import { SqlFile } from './store/sql-file.mjs'

/** Ends a history at once: to go on would run for ever. */
export class Stopped extends Error {}

/** The time of day at which each history begins. */
const EPOCH = Date.UTC(2026, 0, 5, 9)

export class World {
  plan
  scheduler
  boundaries
  recorder
  file
  /** Number of milliseconds by which the wall clock is set forward. */
  leap = 0
  epoch = EPOCH
  /** Times at which the host died, in milliseconds since the start. */
  crashes = []
  /** Parts that learn of each start and crash: `started(host)`, `crashed()`. */
  parts = []
  /** The running host. */
  host
  /** The finding that ends the history. */
  #stop
  #awayUntil = -1
  #heldUntil = -1
  #isStopping = false
  #crash
  #startHost
  #watchers = []

  /** @param startHost starts the host of one life */
  constructor(plan, startHost) {
    this.plan = plan
    this.recorder = new Recorder(this)
    this.scheduler = new Scheduler({
      onEvent: (label, count) => this.#onEvent(label, count),
      afterEvent: (count) => this.#afterEvent(count),
      swapAt: plan.swapAt,
    })
    this.boundaries = new Boundaries(plan)
    this.file = SqlFile.of(image.bytes)
    this.#startHost = startHost
  }

  /** Milliseconds since the epoch, as the machine of the host sees them. */
  wall = () => Math.floor(EPOCH + this.scheduler.now + this.leap)

  get storeIsAway() {
    return this.scheduler.now < this.#awayUntil
  }

  /** Milliseconds for which another process still holds the file. */
  get storeIsHeldFor() {
    return Math.max(0, this.#heldUntil - this.scheduler.now)
  }

  /** The clock of the current life. */
  clock() {
    const { scheduler } = this
    const { life } = scheduler
    const isAlive = () => life === scheduler.life
    return {
      now: this.wall,
      setTimeout: (run, ms) => (isAlive() ? scheduler.add('timer', ms, run, life) : () => {}),
      setInterval(run, ms) {
        let cancel = () => {}
        const arm = () => {
          cancel = scheduler.add(
            'tick',
            ms,
            () => {
              arm()
              run()
            },
            life,
          )
        }
        if (isAlive()) arm()
        return () => cancel()
      },
    }
  }

  /** Starts the host, unless it runs. */
  start() {
    if (this.host) return
    forgetIds()
    this.recorder.line(`the host starts, life ${this.scheduler.life}`)
    this.host = this.#startHost(this)
    for (const part of this.parts) part.started?.(this.host)
  }

  /** Kills the host: nothing of it runs on. */
  crash(why) {
    if (!this.host) return
    this.recorder.line(`CRASH ${why}`)
    this.crashes.push(this.scheduler.now)
    this.host = undefined
    this.#isStopping = false
    this.#crash = undefined
    this.scheduler.crash()
    dropStorages()
    this.file.crash()
    for (const part of this.parts) part.crashed?.()
    this.scheduler.add('restart', this.plan.restartAfter, () => this.start(), 0)
  }

  /** Stops the host as an operator does, and starts it again. */
  shutDown() {
    const { host, scheduler } = this
    if (!host || this.#isStopping) return
    this.recorder.line('the host stops')
    this.#isStopping = true
    const { life } = scheduler
    host.stop().then(() => {
      if (life === scheduler.life) scheduler.add('stopped', 0, () => this.crash('after a stop'))
    })
  }

  /** Kills the host as soon as the event that is running has ended. */
  crashSoon(why) {
    this.#crash = why
  }

  /** Lets the store refuse everything for a time. */
  takeStoreAway(ms) {
    this.recorder.line(`the store is unavailable for ${ms} ms`)
    this.#awayUntil = this.scheduler.now + ms
  }

  /** Lets another process hold the file for a time: it can be read. */
  holdStore(ms) {
    this.recorder.line(`another process holds the store for ${ms} ms`)
    this.#heldUntil = this.scheduler.now + ms
  }

  /** From now on nothing goes wrong. */
  quiet() {
    this.recorder.line('quiet')
    this.boundaries.quiet()
    this.#awayUntil = -1
    this.#heldUntil = -1
    for (const part of this.parts) part.quiet?.()
    this.start()
  }

  /** Ends the history with a finding as soon as the event that is running has ended. */
  stop(finding) {
    this.#stop ??= finding
  }

  /** Calls `watcher` after each statement that ran. */
  watch(watcher) {
    this.#watchers.push(watcher)
  }

  executed(statement, side, sql, parameters) {
    if (side === 'reader') return
    for (const watcher of this.#watchers) watcher(statement, sql, parameters)
  }

  #onEvent(label, count) {
    this.recorder.event(label, count)
  }

  #afterEvent(count) {
    if (this.#stop) throw Object.assign(new Stopped(), { finding: this.#stop })
    if (this.#crash !== undefined) this.crash(this.#crash)
    else if (count === this.plan.crashAt) this.crash(`at event ${count}`)
  }

  close() {
    this.file.close()
  }
}
