// The host: a set of plugins, brought up and down as the configuration says.
import { systemClock } from '../base/clock.js'
import { deepEqual } from '../base/equal.js'
import { KernelError } from '../base/errors.js'
import { toError } from '../base/to-error.js'
import type { Logger } from '../base/log.js'
import { draining } from '../base/host-hooks.js'
import type { Owner } from '../base/guard.js'
import type { Hook, Service } from '../base/token.js'
import { HostCore } from './core.js'
import type { Checks, HostOptions, Outcome, PluginEntry, Refusal, Report } from './entry.js'
import { HostControl } from './host-services.js'
import { inspectHost, residueOf, whyNot, type PluginView, type Residue } from './inspect.js'
import type { Instance } from './instance.js'
import { reconcile, whenSettled, whenAllSettled } from './loop.js'
import { assertPlugin } from './plugin.js'
import { duplicateName, Roster, type Concerned, type Planned } from './roster.js'
import type { Scope } from './scope.js'

const START_PATIENCE_MS = 10_000
/** Time that {@link draining} has, ms. */
const DRAIN_PATIENCE_MS = 30_000
type Phase = 'new' | 'starting' | 'running' | 'stopping' | 'stopped'

/** An edit that was made, or refused. */
export interface Edit {
  readonly accepted: boolean
  report(): Promise<Report>
}

export class Host {
  readonly #core: HostCore
  readonly #checks: Checks
  readonly #entries: readonly PluginEntry[]
  readonly #roster: Roster
  readonly #self: Owner
  #phase: Phase = 'new'
  #startedAt = 0
  #stopped: Promise<void> | undefined
  /** Edits are made in the order asked for: one that has to load something first holds up the next. */
  #loading: Promise<void> | undefined

  constructor(entries: readonly PluginEntry[], options: HostOptions, checks: Checks) {
    this.#core = new HostCore(options.clock ?? systemClock, options.log ?? (() => {}), options.redact, reconcile)
    this.#checks = checks
    this.#roster = new Roster(this.#core)
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
        return host.#phase === 'running'
          ? 'running'
          : host.#phase === 'stopping' || host.#phase === 'stopped'
            ? 'stopping'
            : 'starting'
      },
      inspect: () => host.inspect(),
      why: (plugin) => host.why(plugin),
      earlier: () => [...core.recent],
      report: (plugin, error) => void host.report(plugin, error),
      loggerOf: (plugin) => core.instances.get(plugin)?.log ?? core.logger,
      redact: (text) => core.redact(text),
    })
  }

  /** Writes lines in the name of the host. */
  get log(): Logger {
    return this.#core.logger
  }

  /** Starts what can start. Resolves when all plugins have come to rest, or after 10 s: start-up never waits for one plugin. */
  async start(): Promise<this> {
    if (this.#phase !== 'new') throw new KernelError('host/stopped', 'This host was started before')
    this.#phase = 'starting'
    this.#startedAt = this.#core.clock.now()
    await this.#edit(this.#entries, 'createHost', (planned) => {
      this.#roster.edit((concerned) => {
        for (const [position, entry] of planned.entries()) this.#roster.place(entry, position, concerned)
      })
    })
    await this.#patiently(this.#core.settled())
    if (this.#phase === 'starting') this.#phase = 'running'
    return this
  }

  /**
   * Lets plugins end what they have begun ({@link draining}, at most 30 s), then stops them, consumers before providers.
   * Never rejects; a second call waits for the first.
   */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop())
  }

  async #stop(): Promise<void> {
    this.#phase = 'stopping'
    await this.#drain()
    this.#core.stopping = true
    for (const instance of Array.from(this.#core.instances.values()).reverse()) reconcile(this.#core, instance)
    await this.#core.settled()
    this.#phase = 'stopped'
  }

  async #drain(): Promise<void> {
    if (!this.#core.hooks.has(draining.id)) return
    const late = new AbortController()
    await this.#patiently(this.#core.hooks.parallel(draining.id, { signal: late.signal }), DRAIN_PATIENCE_MS, () => {
      late.abort()
      this.log.warn(`not all that had begun has ended within ${DRAIN_PATIENCE_MS / 1000} s; stopping all the same`)
    })
  }

  /** Resolves when no plugin is starting or stopping. */
  settled(): Promise<void> {
    return this.#core.settled()
  }

  /** Adds a plugin to the running host, after all others. Resolves when it rests. */
  async add(entry: PluginEntry): Promise<void> {
    this.#assertRunning()
    await this.#change(
      (edit, [planned]) => this.#roster.place(planned as Planned, this.#roster.nextPosition(), edit),
      [entry],
    )
  }

  /** Stops a plugin and forgets it with all that it kept. */
  async remove(name: string): Promise<void> {
    await this.#change((edit) => this.#roster.remove(this.#roster.get(name), edit))
  }

  /** Enables or disables a plugin. Resolves when it rests. */
  async enable(name: string, enabled: boolean): Promise<void> {
    await this.#change((edit) => this.#roster.enable(this.#roster.get(name), enabled, edit))
  }

  /** Makes an edit that is about one plugin, and waits for that one. */
  async #change(
    make: (edit: Concerned, planned: readonly Planned[]) => Instance,
    entries: readonly PluginEntry[] = [],
  ): Promise<void> {
    await whenSettled(
      await this.#edit(entries, 'add', (planned) => {
        let instance!: Instance
        this.#roster.edit((edit) => {
          instance = make(edit, planned)
        })
        return instance
      }),
    )
  }

  /**
   * Gives a plugin a new section: equal does nothing, invalid is refused and leaves the plugin as it is, changed is taken
   * in place or by a restart. A restart that fails brings the previous configuration back. Resolves when the plugin rests.
   */
  async update(name: string, written: unknown): Promise<Outcome> {
    this.#roster.get(name)
    while (this.#loading) await this.#loading
    const instance = this.#roster.get(name)
    const checked = this.#checks.check(instance.definition, written)
    const { section, mistakes } = checked
    if (mistakes.length) return { plugin: name, mistakes }
    if (deepEqual(section, instance.section) && !instance.invalid) return 'same'
    const { scope } = instance
    if (instance.invalid)
      this.#roster.edit((concerned) =>
        this.#roster.section(instance, { plugin: instance.definition, checked }, concerned),
      )
    else {
      // Nothing is declared otherwise: whoever else this concerns hears of it from the plugin as it goes.
      instance.section = section
      reconcile(this.#core, instance)
    }
    if (!instance.enabled) return 'updated'
    await whenSettled(instance)
    return this.#outcome(instance, section, scope)
  }

  /** What became of a section that was assigned while the plugin ran in `scope`. */
  #outcome(instance: Instance, section: unknown, scope: Scope | undefined): Outcome {
    const { rolledBack: putBack } = instance
    if (putBack && putBack.section === section) {
      return {
        plugin: instance.name,
        mistakes: [
          {
            path: '',
            message: `${instance.name} did not start with this configuration, so the previous one is back: ${putBack.error.message}`,
          },
        ],
      }
    }
    return instance.current?.section === section && instance.scope === scope ? 'updated' : 'restarted'
  }

  /**
   * Makes the host run exactly `entries`. Refused whole where a section is invalid; the running configuration then stays.
   * Resolves when those concerned rest; for those who only depend on what changed it waits for 10 s at most.
   */
  async configure(entries: readonly PluginEntry[]): Promise<Report> {
    const { report } = await this.edit(entries)
    return report()
  }

  /** As {@link configure}, in two: resolves when all is assigned; `report` then waits for those concerned. */
  async edit(entries: readonly PluginEntry[]): Promise<Edit> {
    this.#assertRunning()
    return this.#edit(entries, 'configure', (planned) => this.#configure(planned))
  }

  #configure(planned: readonly Planned[]): Edit {
    const refusals: Refusal[] = []
    for (const entry of planned) {
      if (entry.enabled === false || this.#failsAlready(entry)) continue
      const unread = entry.refused ? [{ path: entry.refused.place?.path ?? '', message: entry.refused.message }] : []
      const mistakes = [...unread, ...entry.checked.mistakes]
      if (mistakes.length) refusals.push({ plugin: entry.plugin.name, mistakes })
    }
    if (refusals.length)
      return {
        accepted: false,
        report: () => Promise.resolve({ accepted: false, refusals, updated: [], restarted: [] }),
      }

    const came: string[] = []
    const went: Instance[] = []
    const changed: { readonly instance: Instance; readonly section: unknown; readonly scope: Scope | undefined }[] = []
    const concerned = this.#roster.edit((edit) => {
      const wanted = new Map(planned.map((entry) => [entry.plugin.name, entry]))
      for (const instance of this.#roster.all().reverse()) {
        const entry = wanted.get(instance.name)
        const stays = entry !== undefined && entry.plugin === instance.definition
        if (stays && (entry.enabled !== false || !instance.enabled)) continue
        if (stays) this.#roster.enable(instance, false, edit)
        else this.#roster.remove(instance, edit)
        went.push(instance)
      }
      for (const [position, entry] of planned.entries()) {
        const instance = this.#roster.find(entry.plugin.name)
        if (!instance) this.#roster.place(entry, position, edit)
        else if (!instance.enabled) {
          this.#roster.section(instance, entry, edit)
          if (entry.enabled === false) continue
          this.#roster.enable(instance, true, edit)
        } else {
          if (!this.#failsAlready(entry) && (instance.invalid || !deepEqual(entry.checked.section, instance.section))) {
            changed.push({ instance, section: entry.checked.section, scope: instance.scope })
            this.#roster.section(instance, entry, edit)
          }
          continue
        }
        came.push(entry.plugin.name)
      }
      this.#roster.arrange(planned, edit)
    })
    const report = async (): Promise<Report> => {
      const updated: string[] = []
      const restarted = [...went.map(({ name }) => name), ...came]
      await Promise.all([...went, ...changed.map(({ instance }) => instance)].map(whenSettled))
      await this.#patiently(whenAllSettled(Array.from(concerned)))
      for (const { instance, section, scope } of changed) {
        const outcome = this.#outcome(instance, section, scope)
        if (typeof outcome === 'object') refusals.push(outcome)
        else (outcome === 'updated' ? updated : restarted).push(instance.name)
      }
      return { accepted: true, refusals, updated, restarted: Array.from(new Set(restarted)) }
    }
    return { accepted: true, report }
  }

  /** Whether the plugin fails now with the very section that it would be given: no reason to refuse changes elsewhere. */
  #failsAlready({ plugin, checked, refused }: Planned): boolean {
    const instance = this.#roster.find(plugin.name)
    return (
      instance?.enabled === true &&
      instance.invalid?.code === (refused?.code ?? 'config/invalid') &&
      deepEqual(checked.section, instance.section)
    )
  }

  /** Checks what `entries` say, once, and makes the edit in the order asked for and in one step. */
  async #edit<T>(entries: readonly PluginEntry[], from: string, make: (planned: readonly Planned[]) => T): Promise<T> {
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

  /** Everything about every plugin, as copies. */
  inspect(): PluginView[] {
    return inspectHost(this.#core)
  }

  /** Why a plugin does not run, as text of one line a reason. */
  why(name: string): string {
    return whyNot(this.#core, this.#roster.get(name))
  }

  /** What is held at this moment, for tests that nothing is left behind. */
  residue(): Residue {
    return residueOf(this.#core)
  }

  /** Blames a failure on a plugin, which then runs on as degraded; false where it is unknown. */
  blame(name: string, error: unknown): boolean {
    const instance = this.#core.instances.get(name)
    instance?.failedLater(toError(error))
    return instance !== undefined
  }

  /** Records and logs a failure in the name of a plugin, which is as sound as before; false where it is unknown. */
  report(name: string, error: unknown): boolean {
    const instance = this.#core.instances.get(name)
    instance?.report(toError(error))
    return instance !== undefined
  }

  /** Tells every listener of a hook. */
  emit<P>(hook: Hook<P>, payload: P): void {
    this.#core.hooks.emit(hook.id, payload)
  }

  /** Listens to a hook, for whoever runs the host, until the returned function is called. */
  on<P>(hook: Hook<P>, listener: (payload: P) => void | Promise<void>): () => void {
    return this.#core.hooks.add(hook.id, listener as (payload: never) => unknown, this.#self)
  }

  /** The implementation behind a service, where one is provided now. */
  get<T>(token: Service<T>): T | undefined {
    return this.#core.services.get(token.key)?.value as T | undefined
  }

  /** Waits for `end`, or until it is `late`. */
  async #patiently(end: Promise<unknown>, patience = START_PATIENCE_MS, late = (): void => {}): Promise<void> {
    let cancel = (): void => {}
    const over = new Promise<void>((resolve) => {
      cancel = this.#core.clock.setTimeout(() => resolve(late()), patience)
    })
    await Promise.race([end, over])
    cancel()
  }

  #assertRunning(): void {
    if (this.#phase !== 'running' && this.#phase !== 'starting')
      throw new KernelError('host/stopped', 'This host is not running')
  }
}
