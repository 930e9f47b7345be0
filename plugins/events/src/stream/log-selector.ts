import { changed, hook, messageOf, type BaseContext, type HostControl, type PluginState, type Ref } from '@mynah/kernel'
import { EventLog } from '../api.js'
import type { Journal } from './journal.js'

/** Time for a log to open before the stream continues in memory. */
const OPEN_MS = 5_000
/** Delay before a failed log is tried again. */
const RETRY_MS = 30_000
/** Emitted by the plugin database, which a host may lack: the log may work again. */
const databaseChanged = hook<{ readonly available: boolean }>('database.changed')
const EXPECTANT: ReadonlySet<PluginState> = new Set(['pending', 'starting', 'active', 'degraded'])

export class LogSelector {
  readonly #ctx: BaseContext<unknown>
  readonly #host: HostControl
  readonly #ref: Ref<EventLog>
  readonly #journal: Journal
  #cancelTimer = (): void => {}
  #recovered = (): void => {}
  #hasFailed = false

  constructor(ctx: BaseContext<unknown>, host: HostControl, ref: Ref<EventLog>, journal: Journal) {
    this.#ctx = ctx
    this.#host = host
    this.#ref = ref
    this.#journal = journal
  }

  start(): void {
    this.#ref.onChange((log) => this.#use(log))
    this.#ctx.on(databaseChanged, ({ available }) => {
      if (available && this.#hasFailed) this.#use(this.#ref.current)
    })
    if (this.#ref.current || !this.#expected()) {
      this.#use(this.#ref.current)
      return
    }
    // A log will be provided soon. Clients with an id of it wait, instead of starting again.
    const stopWatching = this.#ctx.on(changed, ({ what }) => {
      if (what !== 'state') return
      if (this.#journal.epoch === undefined && !this.#ref.current && !this.#expected()) this.#giveUpWaiting()
      if (this.#journal.epoch !== undefined) stopWatching()
    })
    this.#wait(OPEN_MS, () => this.#giveUpWaiting())
  }

  /** Handles a failure of the log. Memory is used until the log works again. */
  failed(error: unknown): void {
    if (this.#host.status === 'stopping') {
      this.#cancelTimer()
      this.#ctx.log.warn(`failed to store the last events: ${messageOf(error)}`)
      return
    }
    this.#ctx.log.error(`the event log failed, keeping events in memory: ${messageOf(error)}`)
    this.#recovered()
    this.#recovered = this.#ctx.degrade('the event log failed; events are kept in memory')
    this.#hasFailed = true
    this.#wait(RETRY_MS, () => this.#use(this.#ref.current))
  }

  #use(log: EventLog | undefined): void {
    this.#hasFailed = false
    if (log) {
      this.#wait(OPEN_MS, () => this.#journal.abandon())
      this.#journal.useLog(log, () => {
        this.#cancelTimer()
        this.#recovered()
      })
      return
    }
    this.#recovered()
    // While the host stops, clients need no new epoch: they resume with the same log, which accepts events until it
    // closes.
    if (this.#host.status === 'stopping') {
      this.#cancelTimer()
      this.#journal.leave()
      return
    }
    this.#wait(OPEN_MS, () => this.#journal.abandon())
    this.#journal.useMemory()
  }

  #giveUpWaiting(): void {
    if (this.#journal.epoch !== undefined || this.#ref.current) return
    this.#cancelTimer()
    this.#journal.useMemory()
  }

  /** Returns whether an enabled plugin is about to provide the log. */
  #expected(): boolean {
    return (
      this.#ref.declared &&
      this.#host.inspect().some(({ provides, state }) => provides.includes(EventLog.id) && EXPECTANT.has(state))
    )
  }

  #wait(ms: number, callback: () => void): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#ctx.clock.setTimeout(callback, ms)
  }
}
