// Which log the journal uses: that of the host while there is one, memory otherwise.
import { changed, messageOf, type BaseContext, type HostControl, type PluginState, type Ref } from '@mynah/kernel'
import { EventLog } from '../api.js'
import type { Journal } from './journal.js'

/** Time that a log has to open before the stream goes on in memory. */
const OPEN_MS = 5_000
/** Pause before a log that failed is tried again. */
const RETRY_MS = 30_000
const EXPECTANT: ReadonlySet<PluginState> = new Set(['pending', 'starting', 'active', 'degraded'])

export class LogSource {
  readonly #ctx: BaseContext<unknown>
  readonly #host: HostControl
  readonly #ref: Ref<EventLog>
  readonly #journal: Journal
  #cancelTimer = (): void => {}
  #recovered = (): void => {}

  constructor(ctx: BaseContext<unknown>, host: HostControl, ref: Ref<EventLog>, journal: Journal) {
    this.#ctx = ctx
    this.#host = host
    this.#ref = ref
    this.#journal = journal
  }

  start(): void {
    this.#ref.onChange((log) => this.#use(log))
    if (this.#ref.current || !this.#expected()) {
      this.#use(this.#ref.current)
      return
    }
    // A log is on its way: clients that come back with an id of it are better served by waiting than by starting anew.
    const stopWatching = this.#ctx.on(changed, ({ what }) => {
      if (what !== 'state') return
      if (this.#journal.epoch === undefined && !this.#ref.current && !this.#expected()) this.#giveUpWaiting()
      if (this.#journal.epoch !== undefined) stopWatching()
    })
    this.#wait(OPEN_MS, () => this.#giveUpWaiting())
  }

  /** The log refused an append or a read: memory serves until it answers again. */
  failed(error: unknown): void {
    if (this.#host.status === 'stopping') {
      this.#cancelTimer()
      this.#ctx.log.warn(`the last events are in no log: ${messageOf(error)}`)
      return
    }
    this.#ctx.log.error(`the event log failed, events are held in memory: ${messageOf(error)}`)
    this.#recovered()
    this.#recovered = this.#ctx.degrade('the event log failed; events are held in memory')
    this.#wait(RETRY_MS, () => this.#use(this.#ref.current))
  }

  #use(log: EventLog | undefined): void {
    if (log) {
      this.#wait(OPEN_MS, () => this.#journal.abandon())
      this.#journal.useLog(log, () => {
        this.#cancelTimer()
        this.#recovered()
      })
      return
    }
    this.#recovered()
    // While the host stops, the log going is no news to tell clients: they come back to the same log, which takes events until it closes.
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

  /** Whether a plugin is enabled that will provide the log, or has just started and is about to. */
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
