import { changed, draining, messageOf } from '@mynah/kernel'
import { DAY_MS, SECOND_MS } from '@mynah/kernel/util'
import { sourcesOf } from '../prompt/sections.js'
import type { AgentContext, AgentRuntime } from '../runtime.js'
import type { Turns } from '../turn/turns.js'
import { pause } from '../turn/until-stored.js'
import { emitHook } from './hooks.js'

/** Days that ended turns are kept. */
const KEEP_TURNS_DAYS = 30
/** Time until turns that could not be recovered are tried again. */
const RETRY_MS = 5 * SECOND_MS
/** Max wait for other plugins' tools before recovering turns. */
const MAX_WAIT_MS = 10 * SECOND_MS

/** Recovers turns after a start, suspends them before a stop, and removes old sessions. */
export function register(ctx: AgentContext, runtime: AgentRuntime, { turns }: { readonly turns: Turns }): void {
  const { clock, log, models, chat } = ctx
  const recovery = new Recovery(ctx, runtime, turns)
  models.onChange(() => recovery.startWhenReady())
  chat.onChange(() => recovery.startWhenReady())
  ctx.on(changed, () => recovery.startWhenReady())
  ctx.on(draining, () => runtime.activeTurns.idle())
  ctx.onDispose('recovery', () => recovery.finished)
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
    while (!(await this.#recoverTurns())) {
      await pause(RETRY_MS, this.#runtime.clock, this.#ctx.signal)
      if (this.#ctx.signal.aborted) return
    }
    await this.removeOld()
  }

  /** Returns whether it was decided about all turns of earlier starts. */
  async #recoverTurns(): Promise<boolean> {
    try {
      await this.#turns.recover(async (row) => this.#runtime.chat?.message(row))
      return true
    } catch (error) {
      this.#ctx.log.warn(`failed to recover turns of an earlier start, trying again: ${messageOf(error)}`)
      return false
    }
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
