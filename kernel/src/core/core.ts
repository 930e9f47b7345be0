// What the parts of one host share: time, log, hooks, registry, services, graph, and the plugins by name.
import type { Clock } from '../base/clock.js'
import type { KernelError } from '../base/errors.js'
import { messageOf } from '../base/to-error.js'
import { logged, logger, type LogRecord } from '../base/log.js'
import { changed } from '../base/host-hooks.js'
import type { Owner } from '../base/guard.js'
import type { Redaction } from './entry.js'
import { Graph } from './graph.js'
import { Hooks } from './hooks.js'
import type { Instance } from './instance.js'
import { Registry } from './registry.js'
import { Services } from './services.js'

/** Lines that are kept for who listens later. */
const RECENT = 200

export class HostCore {
  readonly clock: Clock
  readonly hooks: Hooks
  readonly registry = new Registry()
  readonly graph = new Graph()
  readonly services: Services
  readonly instances = new Map<string, Instance>()
  readonly logger = logger(
    'host',
    () => this.clock.now(),
    (record) => this.log(record),
  )
  readonly #sink: (record: LogRecord) => void
  readonly #redact: Redaction | undefined
  /** The last lines as listeners of the log would have got them. */
  readonly recent: LogRecord[] = []
  #logging = false
  #moving = 0
  #settled: (() => void)[] = []
  stopping = false

  /** @param poke Moves a plugin to where it should be. */
  constructor(
    clock: Clock,
    sink: (record: LogRecord) => void,
    redact: Redaction | undefined,
    poke: (core: HostCore, instance: Instance) => void,
  ) {
    this.clock = clock
    this.#sink = sink
    this.#redact = redact
    this.hooks = new Hooks((owner, id, error) => this.#listenerFailed(owner, id, error))
    this.services = new Services((key) => {
      for (const concerned of [...this.graph.providersOf(key), ...this.graph.consumersOf(key)]) poke(this, concerned)
    })
  }

  /** Hands a line to the sink and to whoever listens. Never throws: a log that fails must not break what it reports. */
  log(written: LogRecord): void {
    const record = this.#redacted(written)
    try {
      this.#sink(record)
    } catch (error) {
      process.emitWarning(`The log failed: ${messageOf(error)}`)
    }
    // Listeners hand the log on to whoever asks: what tells about the machine stays with whoever sits at it.
    const shown = this.#redact?.paths(record) ?? record
    this.recent.push(shown)
    if (this.recent.length > RECENT) this.recent.shift()
    if (this.#logging || !this.hooks.has(logged.id)) return
    this.#logging = true
    try {
      this.hooks.emit(logged.id, shown)
    } finally {
      this.#logging = false
    }
  }

  /** A text as a line of the log would show it to whoever asks. */
  redact(text: string): string {
    if (!this.#redact) return text
    return this.#redact.paths(this.#redact.secrets({ time: 0, level: 'info', name: 'host', message: text })).message
  }

  /** Without secrets; fields that cannot be read are left out, since nobody knows what is in them. */
  #redacted(written: LogRecord): LogRecord {
    if (!this.#redact) return written
    try {
      return this.#redact.secrets(written)
    } catch (error) {
      process.emitWarning(`The log failed: ${messageOf(error)}`)
      const { fields: _fields, ...bare } = written
      return this.#redact.secrets(bare)
    }
  }

  /** What a listener of the log fails with goes to the sink alone, or it would fail on its own failure for ever. */
  #listenerFailed(owner: Owner, id: string, error: KernelError): void {
    const before = this.#logging
    this.#logging ||= id === logged.id
    try {
      owner.report(error)
    } finally {
      this.#logging = before
    }
  }

  /** A plugin begins to move; {@link settled} waits for it. */
  began(): void {
    this.#moving++
  }

  ended(): void {
    if (--this.#moving > 0) return
    const waiting = this.#settled
    this.#settled = []
    for (const resolve of waiting) resolve()
  }

  /** Resolves when every plugin rests. */
  async settled(): Promise<void> {
    while (this.#moving > 0) await new Promise<void>((resolve) => this.#settled.push(resolve))
  }

  stateChanged(instance: Instance): void {
    if (this.hooks.has(changed.id)) this.hooks.emit(changed.id, { plugin: instance.name, what: 'state' })
  }

  contributionsChanged(instance: Instance): void {
    if (this.hooks.has(changed.id)) this.hooks.emit(changed.id, { plugin: instance.name, what: 'contributions' })
  }

  /** The places of plugins in the configuration have changed, and with them the order of what they added. */
  reorder(): void {
    this.hooks.reorder()
    this.registry.reorder()
  }
}
