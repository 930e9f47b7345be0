import { systemClock } from '../base/clock.js'
import { deepEqual } from '../base/equal.js'
import { KernelError } from '../base/errors.js'
import type { Owner } from '../base/guard.js'
import { draining, started } from '../base/host-hooks.js'
import type { Logger } from '../base/log.js'
import { toError } from '../base/to-error.js'
import type { Hook, Service } from '../base/token.js'
import { HostCore } from './core.js'
import { renewalOf, type Renewal } from './definition.js'
import { diffPlugins, type PluginDiff } from './diff-plugins.js'
import type { Checks, HostOptions, Outcome, PluginEntry, Report } from './entry.js'
import { HostControl } from './host-services.js'
import { inspectHost, residueOf, whyNot, type PluginView, type Residue } from './inspect.js'
import type { Instance } from './instance.js'
import { outcomeOf, refusalOf, reportOf, type SectionChange } from './outcomes.js'
import { assertPlugin } from './plugin.js'
import { duplicateName, invalidSection, PluginSet, type AffectedPlugins, type PlannedEntry } from './plugin-set.js'
import { reconcile, whenAllSettled } from './reconcile.js'

const SETTLE_TIMEOUT_MS = 10_000
/** Time that listeners of {@link draining} have. */
const DRAIN_TIMEOUT_MS = 30_000

type Phase = 'new' | 'starting' | 'running' | 'stopping' | 'stopped'

const STATUS: Readonly<Record<Phase, HostControl['status']>> = {
  new: 'starting',
  starting: 'starting',
  running: 'running',
  stopping: 'stopping',
  stopped: 'stopping',
}

/** An edit that was made, or refused. */
export interface Edit {
  readonly accepted: boolean
  /** Resolves when the affected plugins are settled. */
  report(): Promise<Report>
}

/** A set of plugins that start and stop as the configuration says. */
export class Host {
  readonly #core: HostCore
  readonly #checks: Checks
  readonly #entries: readonly PluginEntry[]
  readonly #plugins: PluginSet
  readonly #self: Owner
  #phase: Phase = 'new'
  #startedAt = 0
  #stopped: Promise<void> | undefined
  /** Edits are made in the order of their calls: one that loads something first holds up the next. */
  #loading: Promise<void> | undefined

  constructor(entries: readonly PluginEntry[], options: HostOptions, checks: Checks) {
    this.#core = new HostCore(
      options.clock ?? systemClock,
      options.log ?? (() => {}),
      options.redact,
      reconcile,
      options.keptStore,
    )
    this.#checks = checks
    this.#plugins = new PluginSet(this.#core)
    this.#entries = entries
    this.#self = { name: 'host', position: -1, report: (error) => this.log.error(error.message) }
    for (const [token, value] of [[HostControl, this.#control()] as const, ...(options.services ?? [])]) {
      this.#core.services.builtin(token as Service<unknown>, value)
      this.#core.graph.builtin(token.key)
    }
  }

  #control(): HostControl {
    const host = this
    const core = this.#core
    return Object.freeze<HostControl>({
      get startedAt() {
        return host.#startedAt
      },
      get status() {
        return STATUS[host.#phase]
      },
      inspect: () => host.inspect(),
      why: (plugin) => host.why(plugin),
      earlier: () => core.hostLog.recent(),
      report: (plugin, error) => void host.report(plugin, error),
      loggerOf: (plugin) => core.instances.get(plugin)?.log ?? core.logger,
      redact: (text) => core.hostLog.redact(text),
    })
  }

  /** Writes lines in the name of the host. */
  get log(): Logger {
    return this.#core.logger
  }

  /** Starts the plugins. Resolves when all are settled, or after 10 s: start-up never waits longer for one plugin. */
  async start(): Promise<this> {
    if (this.#phase !== 'new') throw new KernelError('host/stopped', 'This host was started before')
    this.#phase = 'starting'
    this.#startedAt = this.#core.clock.now()
    await this.#edit(this.#entries, 'createHost', (planned) => {
      this.#plugins.edit((affected) => {
        for (const [position, entry] of planned.entries()) this.#plugins.add(entry, position, affected)
      })
    })
    await this.#waitAtMost(SETTLE_TIMEOUT_MS, this.#core.moving.wait())
    if (this.#phase === 'starting') {
      this.#phase = 'running'
      this.#core.hooks.emit(started.id, undefined)
    }
    return this
  }

  /**
   * Lets plugins finish their work ({@link draining}, at most 30 s), then stops them, consumers before providers. Never
   * rejects; a second call waits for the first.
   */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop())
  }

  async #stop(): Promise<void> {
    this.#phase = 'stopping'
    await this.#drain()
    this.#core.stopping = true
    for (const instance of Array.from(this.#core.instances.values()).reverse()) this.#core.reconcile(instance)
    await this.#core.moving.wait()
    this.#phase = 'stopped'
  }

  async #drain(): Promise<void> {
    if (!this.#core.hooks.has(draining.id)) return
    const timeout = new AbortController()
    const drained = this.#core.hooks.parallel(draining.id, { signal: timeout.signal })
    await this.#waitAtMost(DRAIN_TIMEOUT_MS, drained, () => {
      timeout.abort()
      this.log.warn(`drain timed out after ${DRAIN_TIMEOUT_MS / 1000} s; stopping anyway`)
    })
  }

  /** Resolves when no plugin is starting or stopping. */
  settled(): Promise<void> {
    return this.#core.moving.wait()
  }

  /** Adds a plugin after all others. Resolves when it is settled. */
  async add(entry: PluginEntry): Promise<void> {
    this.#assertRunning()
    await this.#editOne(
      (affected, [planned]) => this.#plugins.add(planned as PlannedEntry, this.#plugins.nextPosition(), affected),
      [entry],
    )
  }

  /** Stops a plugin and forgets it with all state that it kept. */
  async remove(name: string): Promise<void> {
    await this.#editOne((affected) => this.#plugins.remove(this.#plugins.get(name), affected))
  }

  /** Enables or disables a plugin. Resolves when it is settled. */
  async enable(name: string, enabled: boolean): Promise<void> {
    await this.#editOne((affected) => this.#plugins.enable(this.#plugins.get(name), enabled, affected))
  }

  /** Makes an edit of one plugin and waits for that plugin. */
  async #editOne(
    assign: (affected: AffectedPlugins, planned: readonly PlannedEntry[]) => Instance,
    entries: readonly PluginEntry[] = [],
  ): Promise<void> {
    const edited = await this.#edit(entries, 'add', (planned) => {
      let instance!: Instance
      this.#plugins.edit((affected) => {
        instance = assign(affected, planned)
      })
      return instance
    })
    await edited.whenSettled()
  }

  /**
   * Gives a plugin a new section. An equal one changes nothing, an invalid one is refused, any other is taken in place
   * or by a restart. A restart that fails rolls back to the previous section. Resolves when the plugin is settled.
   */
  async update(name: string, written: unknown): Promise<Outcome> {
    this.#plugins.get(name)
    while (this.#loading) await this.#loading
    const instance = this.#plugins.get(name)
    const checked = this.#checks.check(instance.definition, written)
    const { section, mistakes } = checked
    if (mistakes.length) return { plugin: name, mistakes }
    if (deepEqual(section, instance.section) && !instance.invalid) return 'same'
    const { scope } = instance
    if (instance.invalid) {
      const entry = { plugin: instance.definition, checked }
      this.#plugins.edit((affected) => this.#plugins.setSection(instance, entry, affected))
    } else {
      // Only this plugin changes: consumers are reconciled when it stops.
      instance.setSection(section)
      this.#core.reconcile(instance)
    }
    if (!instance.enabled) return 'updated'
    await instance.whenSettled()
    return outcomeOf(instance, section, scope)
  }

  /**
   * Replaces the code of a plugin: the entry has another definition of the same name. Refused, with nothing stopped,
   * when its section is invalid or it conflicts with another plugin. If the code does not start, the code before is
   * back. Resolves when the plugin is settled; waits at most 10 s for those that depend on it.
   *
   * @throws KernelError `host/unknown-plugin`
   */
  async renew(entry: PluginEntry): Promise<Renewal> {
    this.#assertRunning()
    const renewal = await this.#edit([entry], 'renew', ([planned]) => this.#renew(planned as PlannedEntry))
    return renewal()
  }

  #renew(entry: PlannedEntry): () => Promise<Renewal> {
    const { plugin: definition, origin, checked, refused } = entry
    const instance = this.#plugins.get(definition.name)
    const mistake = refused ?? (checked.mistakes.length ? invalidSection(instance.name, checked.mistakes) : undefined)
    let error: Error | undefined = mistake
    const affected = this.#plugins.edit((others) => {
      if (!error) error = this.#plugins.setDefinition(instance, entry, others)
    })
    if (error) {
      const refusal: Renewal = { state: 'refused', error }
      return () => Promise.resolve(refusal)
    }
    return async () => {
      await instance.whenSettled()
      await this.#waitAtMost(SETTLE_TIMEOUT_MS, whenAllSettled(Array.from(affected)))
      return renewalOf(instance, { definition, origin, section: checked.section })
    }
  }

  /**
   * Makes the host run exactly `entries`. Refused as a whole when a section is invalid; the running configuration then
   * stays. Resolves when the edited plugins are settled; waits at most 10 s for those that only depend on them.
   */
  async configure(entries: readonly PluginEntry[]): Promise<Report> {
    const { report } = await this.edit(entries)
    return report()
  }

  /** Like {@link configure}, in two steps: resolves when the edit is made. `report` then waits for the plugins. */
  async edit(entries: readonly PluginEntry[]): Promise<Edit> {
    this.#assertRunning()
    return this.#edit(entries, 'configure', (planned) => this.#configure(planned))
  }

  #configure(planned: readonly PlannedEntry[]): Edit {
    const refusals = planned.flatMap((entry) => refusalOf(entry, this.#plugins.find(entry.plugin.name)) ?? [])
    if (refusals.length) {
      const report: Report = { accepted: false, refusals, updated: [], restarted: [] }
      return { accepted: false, report: () => Promise.resolve(report) }
    }
    const diff = diffPlugins(this.#plugins.all(), planned)
    const changes = diff.changed
      .filter(({ entry }) => entry.enabled !== false)
      .map(({ instance, entry }) => ({ instance, section: entry.checked.section, scope: instance.scope }))
    const affected = this.#apply(diff, planned)
    return { accepted: true, report: () => this.#report(diff, changes, affected) }
  }

  /** Makes the changes in one edit. Returns the affected plugins. */
  #apply({ removed, added, changed }: PluginDiff, planned: readonly PlannedEntry[]): AffectedPlugins {
    return this.#plugins.edit((affected) => {
      for (const { instance, listed } of removed) {
        if (listed) this.#plugins.enable(instance, false, affected)
        else this.#plugins.remove(instance, affected)
      }
      for (const { entry, position, instance } of added) {
        if (!instance) {
          this.#plugins.add(entry, position, affected)
          continue
        }
        this.#plugins.setSection(instance, entry, affected)
        this.#plugins.enable(instance, true, affected)
      }
      for (const { instance, entry } of changed) this.#plugins.setSection(instance, entry, affected)
      this.#plugins.arrange(planned, affected)
    })
  }

  /** Waits for the plugins of an edit and returns the outcome of each. */
  async #report(
    { removed, added }: PluginDiff,
    changes: readonly SectionChange[],
    affected: AffectedPlugins,
  ): Promise<Report> {
    const edited = [...removed, ...changes].map(({ instance }) => instance)
    await Promise.all(edited.map((instance) => instance.whenSettled()))
    await this.#waitAtMost(SETTLE_TIMEOUT_MS, whenAllSettled(Array.from(affected)))
    return reportOf({ removed, added }, changes)
  }

  /** Checks `entries` once and makes the edit in one step, after all edits that were asked for before. */
  async #edit<T>(
    entries: readonly PluginEntry[],
    from: string,
    make: (planned: readonly PlannedEntry[]) => T,
  ): Promise<T> {
    while (this.#loading) await this.#loading
    const plugins = entries.map(({ plugin }) => plugin)
    for (const plugin of plugins) assertPlugin(plugin, from)
    const loading = this.#checks.prepare(plugins)
    if (loading) {
      const done = (): void => {
        this.#loading = undefined
      }
      this.#loading = loading.then(done, done)
      await loading
    }
    const names = new Set<string>()
    for (const plugin of plugins) {
      if (names.has(plugin.name)) throw duplicateName(plugin)
      names.add(plugin.name)
    }
    return make(
      entries.map((entry) => ({ ...entry, checked: entry.checked ?? this.#checks.check(entry.plugin, entry.config) })),
    )
  }

  /** Returns everything about every plugin, as copies. */
  inspect(): PluginView[] {
    return inspectHost(this.#core)
  }

  /** Returns why a plugin does not run, one reason a line. */
  why(name: string): string {
    return whyNot(this.#core, this.#plugins.get(name))
  }

  /** Returns counts of what the host holds, for tests that nothing is left behind. */
  residue(): Residue {
    return residueOf(this.#core)
  }

  /** Attributes a failure to a plugin, which then runs on as degraded. Returns false for an unknown plugin. */
  blame(name: string, error: unknown): boolean {
    const instance = this.#core.instances.get(name)
    instance?.failedLater(toError(error))
    return instance !== undefined
  }

  /** Records and logs a failure in the name of a plugin without degrading it. Returns false for an unknown plugin. */
  report(name: string, error: unknown): boolean {
    const instance = this.#core.instances.get(name)
    instance?.report(toError(error))
    return instance !== undefined
  }

  /** Notifies every listener of a hook. */
  emit<P>(hook: Hook<P>, payload: P): void {
    this.#core.hooks.emit(hook.id, payload)
  }

  /** Listens to a hook until the returned function is called. */
  on<P>(hook: Hook<P>, listener: (payload: P) => void | Promise<void>): () => void {
    return this.#core.hooks.add(hook.id, listener as (payload: never) => unknown, this.#self)
  }

  /** Returns the implementation that is provided for a service now. */
  get<T>(token: Service<T>): T | undefined {
    return this.#core.services.get(token.key)?.value as T | undefined
  }

  async #waitAtMost(ms: number, end: Promise<unknown>, onTimeout = (): void => {}): Promise<void> {
    let cancel = (): void => {}
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#core.clock.setTimeout(() => resolve(onTimeout()), ms)
    })
    await Promise.race([end, timeout])
    cancel()
  }

  #assertRunning(): void {
    if (this.#phase !== 'running' && this.#phase !== 'starting')
      throw new KernelError('host/stopped', 'This host is not running')
  }
}
