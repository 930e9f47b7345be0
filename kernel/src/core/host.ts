// The host: a set of plugins, brought up and down as the configuration says.
import { prepareChecks, resolveConfig } from '../config/check.js'
import { same } from '../config/diff.js'
import { reconcile, stop } from './activation.js'
import { systemClock } from './clock.js'
import { HostCore } from './core.js'
import type { HostOptions, PluginEntry, Refusal, Report } from './entry.js'
import { KernelError, toError } from './errors.js'
import { HostControl } from './host-services.js'
import { inspectHost, residueOf, whyNot, type PluginView, type Residue } from './inspect.js'
import type { Logger } from './owner.js'
import { assertPlugin, type AnyPlugin } from './plugin.js'
import { duplicateName, Roster, type Outcome } from './roster.js'
import type { Hook, Service } from './token.js'

const START_PATIENCE_MS = 10_000
type Phase = 'new' | 'starting' | 'running' | 'stopping' | 'stopped'

/** What a change of the whole did, and what it still waits for. */
interface Change extends Omit<Report, 'restarted'> {
  readonly restarted: Set<string>
  readonly restarts: (readonly [string, () => Promise<Outcome>])[]
}

export class Host {
  readonly #core: HostCore
  #phase: Phase = 'new'
  #startedAt = 0
  #entries: readonly PluginEntry[]
  readonly #roster: Roster

  constructor(entries: readonly PluginEntry[], options: HostOptions) {
    this.#core = new HostCore(options.clock ?? systemClock, options.log ?? (() => {}), options.redact)
    this.#roster = new Roster(this.#core)
    this.#entries = entries
    for (const [token, value] of [[HostControl, this.#control()] as const, ...(options.services ?? [])]) {
      this.#core.services.builtin(token as Service<unknown>, value)
      this.#core.graph.builtin(token.key)
    }
  }

  #control(): HostControl {
    const host = this
    const core = this.#core
    return Object.freeze<HostControl>({
      get startedAt() { return host.#startedAt },
      get status() { return host.#phase === 'running' ? 'running' : host.#phase === 'stopping' || host.#phase === 'stopped' ? 'stopping' : 'starting' },
      inspect: () => host.inspect(),
      why: (plugin) => host.why(plugin),
      report: (plugin, error) => void host.report(plugin, toError(error)),
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
    await this.#roster.exclusive(async () => {
      for (const { plugin } of this.#entries) assertPlugin(plugin, 'createHost')
      await prepareChecks(this.#entries.map((entry) => entry.plugin))
      for (const [position, entry] of this.#entries.entries()) this.#roster.place(entry, position)
      await this.#roster.judge()
    })
    for (const instance of this.#core.instances.values()) void reconcile(this.#core, instance)
    await this.#patiently()
    if (this.#phase === 'starting') this.#phase = 'running'
    return this
  }

  /** Stops all plugins, consumers before providers. Never rejects. */
  async stop(): Promise<void> {
    if (this.#phase === 'stopped') return
    this.#phase = 'stopping'
    this.#core.stopping = true
    const instances = Array.from(this.#core.instances.values()).reverse()
    await Promise.all(instances.map((instance) => stop(this.#core, instance)))
    this.#phase = 'stopped'
  }

  /** Resolves when no plugin is starting or stopping. */
  settled(): Promise<void> {
    return this.#core.settled()
  }

  /** Adds a plugin to the running host, after all others. */
  async add(entry: PluginEntry): Promise<void> {
    this.#assertRunning()
    const instance = await this.#roster.exclusive(() => this.#roster.add(entry, this.#roster.nextPosition()))
    await instance.idle()
  }

  /** Stops a plugin and forgets it with all that it kept. */
  async remove(name: string): Promise<void> {
    return this.#roster.exclusive(() => this.#roster.remove(name))
  }

  /** Enables or disables a plugin. */
  async enable(name: string, enabled: boolean): Promise<void> {
    const instance = this.#roster.get(name)
    await this.#roster.exclusive(() => this.#roster.enable(this.#roster.get(name), enabled))
    await instance.idle()
  }

  /**
   * Gives a plugin a new section: equal does nothing, invalid is refused and leaves the plugin as it is, changed is taken
   * in place or by a restart. A restart that fails brings the previous configuration back.
   */
  async update(name: string, written: unknown): Promise<Outcome> {
    this.#roster.get(name)
    while (this.#roster.change) await this.#roster.change
    // Most updates end here; only what restarts has to exclude other changes.
    const now = this.#roster.updateNow(this.#roster.get(name), written)
    if (now) return now
    const restarted = await this.#roster.exclusive(() => this.#roster.update(this.#roster.get(name), written))
    return restarted()
  }

  /** Makes the host run exactly `entries`. Refused whole where a section is invalid; the running configuration then stays. */
  async configure(entries: readonly PluginEntry[]): Promise<Report> {
    this.#assertRunning()
    const plan = await this.#roster.exclusive(() => this.#configure(entries))
    const refusals = Array.from(plan.refusals)
    for (const [name, outcome] of await Promise.all(plan.restarts.map(async ([name, restarted]) => [name, await restarted()] as const))) {
      if (typeof outcome === 'object') refusals.push(outcome)
      else plan.restarted.add(name)
    }
    await this.#patiently()
    return { accepted: plan.accepted, refusals, updated: plan.updated, restarted: Array.from(plan.restarted) }
  }

  async #configure(entries: readonly PluginEntry[]): Promise<Change> {
    const plugins = entries.map(({ plugin }) => plugin)
    for (const plugin of plugins) assertPlugin(plugin, 'configure')
    const wanted = new Map(entries.map((entry) => [entry.plugin.name, entry]))
    if (wanted.size < entries.length) throw duplicateName(plugins.find(({ name }, index) => plugins.findIndex((other) => other.name === name) < index) as AnyPlugin)
    await prepareChecks(plugins)
    const refusals: Refusal[] = []
    for (const entry of entries) {
      if (entry.enabled === false) continue
      const { mistakes } = resolveConfig(entry.plugin, entry.config)
      const all = entry.refused ? [{ path: entry.refused.place?.path ?? '', message: entry.refused.message }, ...mistakes] : mistakes
      if (all.length && !this.#failsAlready(entry)) refusals.push({ plugin: entry.plugin.name, mistakes: all })
    }
    const updated: string[] = []
    const restarted = new Set<string>()
    const restarts: Change['restarts'] = []
    if (refusals.length) return { accepted: false, refusals, updated, restarted, restarts }

    for (const instance of Array.from(this.#core.instances.values()).reverse()) {
      const entry = wanted.get(instance.name)
      if (entry && entry.plugin === instance.definition) {
        if (entry.enabled !== false || !instance.enabled) continue
        await this.#roster.enable(instance, false)
      } else {
        await this.#roster.remove(instance.name)
      }
      restarted.add(instance.name)
    }
    await this.#roster.arrange(entries)
    for (const [position, entry] of entries.entries()) {
      const { name } = entry.plugin
      const instance = this.#core.instances.get(name)
      if (!instance) {
        await this.#roster.add(entry, position)
        restarted.add(name)
      } else if (!instance.enabled) {
        this.#roster.section(instance, entry)
        if (entry.enabled === false) continue
        await this.#roster.enable(instance, true)
        restarted.add(name)
      } else if (!this.#failsAlready(entry)) {
        const outcome = this.#roster.updateNow(instance, entry.config)
        if (outcome === undefined) restarts.push([name, await this.#roster.update(instance, entry.config)])
        else if (outcome === 'updated') updated.push(name)
      }
    }
    await this.#roster.arrange(entries)
    return { accepted: true, refusals, updated, restarted, restarts }
  }

  /** Whether the plugin fails now with the very section that it would be given: no reason to refuse changes elsewhere. */
  #failsAlready({ plugin, config, refused }: PluginEntry): boolean {
    const instance = this.#core.instances.get(plugin.name)
    return instance?.enabled === true && instance.invalid?.code === (refused?.code ?? 'config/invalid') && same(resolveConfig(plugin, config).config, instance.config)
  }

  /** Everything about every plugin. */
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
    instance?.failedLater(error)
    return instance !== undefined
  }

  /** Records and logs a failure in the name of a plugin, which is as sound as before; false where it is unknown. */
  report(name: string, error: Error): boolean {
    const instance = this.#core.instances.get(name)
    instance?.report(error)
    return instance !== undefined
  }

  /** Tells every listener of a hook. */
  emit<P>(hook: Hook<P>, payload: P): void {
    this.#core.hooks.emit(hook.id, payload)
  }

  /** The implementation behind a service, where one is provided now. */
  get<T>(token: Service<T>): T | undefined {
    return this.#core.services.get(token.key)?.value as T | undefined
  }

  /** Waits until all plugins have come to rest, or long enough. */
  async #patiently(): Promise<void> {
    let cancel = (): void => {}
    const patience = new Promise<void>((resolve) => { cancel = this.#core.clock.setTimeout(resolve, START_PATIENCE_MS) })
    await Promise.race([this.#core.settled(), patience])
    cancel()
  }

  #assertRunning(): void {
    if (this.#phase !== 'running' && this.#phase !== 'starting') throw new KernelError('host/stopped', 'This host is not running')
  }
}

/**
 * Creates a host; `start()` brings it up.
 *
 * @example
 * const host = await createHost([{ plugin: hello }]).start()
 * await host.stop()
 */
export function createHost(entries: readonly PluginEntry[] = [], options: HostOptions = {}): Host {
  return new Host(entries, options)
}

export { HostControl } from './host-services.js'
export type { HostOptions, PluginEntry, Refusal, Report } from './entry.js'
