import { changed, draining, messageOf } from '@mynah/kernel'
import { backoff, DAY_MS, MINUTE_MS, SECOND_MS, pause } from '@mynah/kernel/util'
import { databaseChanged } from '@mynah/database-api'
import { sourcesOf } from '../prompt/sections.js'
import type { AgentContext, AgentRuntime } from '../runtime.js'
import { takeOffEnded } from '../turn/question-buttons.js'
import type { Turns } from '../turn/turns.js'
import { backgroundWork } from '../api.js'
import { TASK_SESSION } from '../job-session.js'
import { placeOf } from '../turn/turn-place.js'
import { emitHook } from './hooks.js'

/** Days that ended turns are kept. */
const KEEP_TURNS_DAYS = 30
/** Shortest and longest time until open turns are taken up again. */
const RETRY = { firstMs: 5 * SECOND_MS, maxMs: MINUTE_MS }
/** Max wait for other plugins' tools before recovering turns. */
const MAX_WAIT_MS = 10 * SECOND_MS

/** The fields that a task has in common with its turns. */
const TASK = { row: null, sessionKey: TASK_SESSION } as const

/** Recovers turns after a start or a failure of the store, suspends them before a stop, and removes old sessions. */
export function register(ctx: AgentContext, runtime: AgentRuntime, { turns }: { readonly turns: Turns }): void {
  const { clock, log, models, chat } = ctx
  const recovery = new Recovery(ctx, runtime, turns)
  models.onChange(() => recovery.startWhenReady())
  chat.onChange(() => recovery.startWhenReady())
  ctx.on(changed, ({ what }) => {
    if (what === 'state') recovery.startWhenReady()
  })
  ctx.on(databaseChanged, ({ available }) => {
    if (available) recovery.sweepAgain()
  })
  runtime.events.on('turnLeft', () => recovery.sweepAgain())
  const { cluster } = runtime
  if (cluster) {
    ctx.onDispose(
      'hosts',
      cluster.onChange(() => recovery.takenOver()),
    )
    const work = ctx.read(backgroundWork)
    const isBusy = (place: string): boolean =>
      runtime.activeTurns.all().some(({ journal }) => placeOf(journal) === place) ||
      work.all().some(({ value }) => value.running().some(({ origin }) => placeOf({ ...TASK, origin }) === place))
    ctx.onDispose('work', cluster.watchBusy(isBusy))
  }
  ctx.on(draining, async ({ signal }) => {
    const timedOut = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    await Promise.race([timedOut, recovery.close().then(() => runtime.activeTurns.idle())])
    await turns.suspendWaiting()
  })
  ctx.onDispose('recovery', () => recovery.close())
  ctx.onDispose('turns', () => turns.suspend())
  runtime.events.on('sessionCreated', () => {
    // Once a day, when there is a new session: no timer runs for it.
    if (recovery.finished && clock.now() - recovery.cleanedAt > DAY_MS)
      void recovery
        .removeOld()
        .catch((error: unknown) => log.warn(`failed to remove old sessions: ${messageOf(error)}`))
  })
}

class Recovery {
  readonly #ctx: AgentContext
  readonly #runtime: AgentRuntime
  readonly #turns: Turns
  readonly #cancelWait: () => void
  #isPatient = true
  #finished: Promise<void> | undefined
  #cleanedAt = -Infinity
  readonly #closing = new AbortController()
  #sweeping: Promise<void> | undefined
  #isWanted = false
  #sweptAt = -Infinity
  /** Sweeps that followed each other closely. */
  #repeats = 0

  constructor(ctx: AgentContext, runtime: AgentRuntime, turns: Turns) {
    this.#ctx = ctx
    this.#runtime = runtime
    this.#turns = turns
    this.#cancelWait = ctx.clock.setTimeout(() => {
      this.#isPatient = false
      this.startWhenReady()
    }, MAX_WAIT_MS)
  }

  /** Resolves when turns have been recovered; `undefined` before that begins. Never rejects. */
  get finished(): Promise<void> | undefined {
    return this.#finished
  }

  /** When old sessions were last removed, in milliseconds since the epoch. */
  get cleanedAt(): number {
    return this.#cleanedAt
  }

  /** Recovers turns, once, when models and chat are there and no plugin is about to contribute its tools. */
  startWhenReady(): void {
    const { models, chat, log } = this.#ctx
    if (this.#finished || !models.current || (chat.declared && !chat.current) || this.#toolsAreComing()) return
    this.#cancelWait()
    this.#finished = this.#recover().catch((error: unknown) => log.warn(`failed to start: ${messageOf(error)}`))
  }

  /** Returns whether a plugin is starting: an open tool call needs its own tool. */
  #toolsAreComing(): boolean {
    if (!this.#isPatient) return false
    return this.#ctx.host
      .inspect()
      .some(({ state, waitingFor }) => state === 'starting' || (state === 'pending' && waitingFor.length === 0))
  }

  async #recover(): Promise<void> {
    const { tools, sections, host } = this.#runtime
    emitHook(this.#ctx, 'agent:bootstrap', {
      tools: tools.all().map(({ value }) => value.name),
      ...(await sourcesOf(sections, host)),
    })
    // Those that the sweep ends are left to it.
    void takeOffEnded(this.#runtime, this.#closing.signal)
    await this.#sweep(0)
    if (!this.#closing.signal.aborted) await this.removeOld()
  }

  /** Takes up turns that a failure of the store has left open. The pause before grows while that is repeated. */
  sweepAgain(): void {
    this.#isWanted = true
    if (!this.#finished || this.#sweeping) return
    void this.#sweep(this.#pauseMs())
  }

  /** Takes up the turns of hosts that work no more, at once: they wait for that. */
  takenOver(): void {
    this.#isWanted = true
    if (!this.#finished || this.#sweeping) return
    void this.#sweep(0)
  }

  /** Takes up no further turn. Resolves when nothing of that is in progress. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#turns.stopRecovery()
    await this.#finished
    await this.#sweeping
  }

  /** Takes up the open turns that no work is in progress on, until it was decided about all of them. Never rejects. */
  #sweep(pauseMs: number): Promise<void> {
    this.#sweeping ??= this.#sweepAll(pauseMs).finally(() => {
      this.#sweeping = undefined
    })
    return this.#sweeping
  }

  async #sweepAll(firstPauseMs: number): Promise<void> {
    const { signal } = this.#closing
    this.#isWanted = true
    for (let pauseMs = firstPauseMs; this.#isWanted; pauseMs = this.#pauseMs()) {
      if (pauseMs > 0) await pause(pauseMs, this.#runtime.clock, signal)
      if (signal.aborted) return
      this.#isWanted = false
      this.#sweptAt = this.#runtime.clock.now()
      try {
        await this.#turns.recover(async (row) => this.#runtime.chat?.message(row))
      } catch (error) {
        this.#ctx.log.warn(`failed to recover turns, trying again: ${messageOf(error)}`)
        this.#isWanted = true
      }
    }
  }

  #pauseMs(): number {
    const isRepeated = this.#runtime.clock.now() - this.#sweptAt <= 2 * RETRY.maxMs
    this.#repeats = isRepeated ? this.#repeats + 1 : 0
    return backoff(Math.max(0, this.#repeats - 1), RETRY)
  }

  /** Archives idle sessions, and deletes old archived ones and old turns. */
  async removeOld(): Promise<void> {
    const { clock, store, config } = this.#runtime
    this.#cleanedAt = clock.now()
    await this.#turns.sessions.archiveIdle()
    const { keepArchivedDays } = config['ai.sessions']
    await store.prune(clock.now() - keepArchivedDays * DAY_MS, clock.now() - KEEP_TURNS_DAYS * DAY_MS)
  }
}
