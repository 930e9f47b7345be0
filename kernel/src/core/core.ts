import type { Clock } from '../base/clock.js'
import { changed } from '../base/host-hooks.js'
import { logger, type LogRecord } from '../base/log.js'
import type { Redaction } from './entry.js'
import { Graph } from './graph.js'
import { Hooks } from './hooks.js'
import { HostLog } from './host-log.js'
import type { Instance, InstanceHost } from './instance.js'
import type { KeptStore } from './kept.js'
import { Registry } from './registry.js'
import { Services } from './services.js'
import { WaitGroup } from './wait-group.js'

/** The state that the parts of one host share. */
export class HostCore implements InstanceHost {
  readonly clock: Clock
  readonly hooks: Hooks
  readonly hostLog: HostLog
  readonly registry = new Registry()
  readonly graph = new Graph()
  readonly services: Services
  readonly instances = new Map<string, Instance>()
  readonly logger = logger(
    'host',
    () => this.clock.now(),
    (record) => this.log(record),
  )
  /** The plugins that start or stop. */
  readonly moving = new WaitGroup()
  /** Where plugins keep state between two processes, if the host has such a place. */
  readonly keptStore: KeptStore | undefined
  stopping = false

  readonly #reconcile: (core: HostCore, instance: Instance) => void

  /** @param reconcile moves a plugin towards its target */
  constructor(
    clock: Clock,
    sink: (record: LogRecord) => void,
    redaction: Redaction | undefined,
    reconcile: (core: HostCore, instance: Instance) => void,
    keptStore?: KeptStore,
  ) {
    this.clock = clock
    this.keptStore = keptStore
    this.#reconcile = reconcile
    this.hooks = new Hooks((owner, id, error) => this.hostLog.listenerFailed(owner, id, error))
    this.hostLog = new HostLog(sink, redaction, this.hooks)
    this.services = new Services((key) => {
      for (const affected of [...this.graph.providersOf(key), ...this.graph.consumersOf(key)]) this.reconcile(affected)
    })
  }

  log(record: LogRecord): void {
    this.hostLog.write(record)
  }

  /** Moves a plugin towards its target. Returns at once. */
  reconcile(instance: Instance): void {
    this.#reconcile(this, instance)
  }

  stateChanged(instance: Instance): void {
    if (this.hooks.has(changed.id)) this.hooks.emit(changed.id, { plugin: instance.name, what: 'state' })
  }

  contributionsChanged(instance: Instance): void {
    if (this.hooks.has(changed.id)) this.hooks.emit(changed.id, { plugin: instance.name, what: 'contributions' })
  }

  /** Sorts listeners and contributions again after plugins changed places in the configuration. */
  reorder(): void {
    this.hooks.reorder()
    this.registry.reorder()
  }
}
