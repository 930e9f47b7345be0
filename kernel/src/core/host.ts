// The host: a set of plugins, brought up and down as the configuration says.
import { prepareChecks, resolveConfig, type Mistake } from '../config/check.js'
import { same } from '../config/diff.js'
import { reconcile, redecide, stop } from './activation.js'
import { systemClock } from './clock.js'
import { HostCore } from './core.js'
import type { HostOptions, PluginEntry, Refusal, Report } from './entry.js'
import { KernelError, toError } from './errors.js'
import { HostControl } from './host-services.js'
import { inspectHost, residueOf, whyNot, type PluginView, type Residue } from './inspect.js'
import { Instance } from './instance.js'
import type { Logger } from './owner.js'
import { assertPlugin, type AnyPlugin } from './plugin.js'
import type { Hook, Service } from './token.js'

const START_PATIENCE_MS = 10_000
type Phase = 'new' | 'starting' | 'running' | 'stopping' | 'stopped'
/** What a change of the whole did, and what it still waits for. */
interface Change extends Omit<Report, 'restarted'> {
  readonly restarted: Set<string>
  readonly restarts: (readonly [string, () => Promise<Outcome>])[]
}
type Outcome = 'same' | 'updated' | 'restarted' | Refusal

export class Host {
  readonly #core: HostCore
  #phase: Phase = 'new'
  #startedAt = 0
  #entries: readonly PluginEntry[]
  /** The change that is being made; another waits for it. */
  #change: Promise<void> | undefined

  constructor(entries: readonly PluginEntry[], options: HostOptions) {
    this.#core = new HostCore(options.clock ?? systemClock, options.log ?? (() => {}))
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
    await this.#exclusive(async () => {
      for (const { plugin } of this.#entries) assertPlugin(plugin, 'createHost')
      await prepareChecks(this.#entries.map((entry) => entry.plugin))
      for (const [position, entry] of this.#entries.entries()) this.#place(entry, position)
      await this.#judge()
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
    const instance = await this.#exclusive(() => this.#add(entry, this.#nextPosition()))
    await instance.idle()
  }

  /** Stops a plugin and forgets it with all that it kept. */
  async remove(name: string): Promise<void> {
    return this.#exclusive(() => this.#remove(name))
  }

  /** Enables or disables a plugin. */
  async enable(name: string, enabled: boolean): Promise<void> {
    const instance = this.#get(name)
    await this.#exclusive(() => this.#enable(this.#get(name), enabled))
    await instance.idle()
  }

  /**
   * Gives a plugin a new section: equal does nothing, invalid is refused and leaves the plugin as it is, changed is taken
   * in place or by a restart. A restart that fails brings the previous configuration back.
   */
  async update(name: string, written: unknown): Promise<Outcome> {
    this.#get(name)
    while (this.#change) await this.#change
    // Most updates end here; only what restarts has to exclude other changes.
    const now = this.#updateNow(this.#get(name), written)
    if (now) return now
    const restarted = await this.#exclusive(() => this.#update(this.#get(name), written))
    return restarted()
  }

  /** Makes the host run exactly `entries`. Refused whole where a section is invalid; the running configuration then stays. */
  async configure(entries: readonly PluginEntry[]): Promise<Report> {
    this.#assertRunning()
    const plan = await this.#exclusive(() => this.#configure(entries))
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
        await this.#enable(instance, false)
      } else {
        await this.#remove(instance.name)
      }
      restarted.add(instance.name)
    }
    await this.#arrange(entries)
    for (const [position, entry] of entries.entries()) {
      const { name } = entry.plugin
      const instance = this.#core.instances.get(name)
      if (!instance) {
        await this.#add(entry, position)
        restarted.add(name)
      } else if (!instance.enabled) {
        this.#section(instance, entry)
        if (entry.enabled === false) continue
        await this.#enable(instance, true)
        restarted.add(name)
      } else if (!this.#failsAlready(entry)) {
        const outcome = this.#updateNow(instance, entry.config)
        if (outcome === undefined) restarts.push([name, await this.#update(instance, entry.config)])
        else if (outcome === 'updated') updated.push(name)
      }
    }
    await this.#arrange(entries)
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
    return whyNot(this.#core, this.#get(name))
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

  async #add(entry: PluginEntry, position: number): Promise<Instance> {
    assertPlugin(entry.plugin, 'add')
    await prepareChecks([entry.plugin])
    const instance = this.#place(entry, position)
    if (instance.enabled) await this.#appeared(instance)
    return instance
  }

  async #remove(name: string): Promise<void> {
    const instance = this.#get(name)
    instance.enabled = false
    await stop(this.#core, instance)
    this.#core.instances.delete(name)
    this.#core.stateChanged(instance)
    await this.#vanished(instance)
  }

  async #enable(instance: Instance, enabled: boolean): Promise<void> {
    if (instance.enabled === enabled) return
    instance.enabled = enabled
    if (enabled) {
      instance.conflict = undefined
      instance.rested()
      this.#core.graph.add(instance)
      await this.#appeared(instance)
    } else {
      await stop(this.#core, instance)
      await this.#vanished(instance)
    }
  }

  /** The new section where it needs no restart: equal, invalid or taken in place. */
  #updateNow(instance: Instance, written: unknown): Exclude<Outcome, 'restarted'> | undefined {
    const { config, mistakes } = resolveConfig(instance.definition, written)
    if (mistakes.length) return { plugin: instance.name, mistakes }
    if (same(config, instance.config) && !instance.invalid) return 'same'
    if (!instance.isUp || !instance.isIdle || !instance.running?.update) return undefined
    try {
      if (instance.running.update(config as never, instance.config as never) !== true) return undefined
    } catch (error) {
      instance.report(toError(error))
      return undefined
    }
    instance.config = config
    return 'updated'
  }

  /** Restarts with a new section. The answer waits for the start, which other changes need not. */
  async #update(instance: Instance, written: unknown): Promise<() => Promise<Outcome>> {
    const { config, mistakes } = resolveConfig(instance.definition, written)
    if (mistakes.length) return async () => ({ plugin: instance.name, mistakes })
    const previous = instance.config
    const { isUp: wasUp, invalid } = instance
    if (instance.enabled) await stop(this.#core, instance)
    instance.config = config
    instance.invalid = undefined
    if (!instance.enabled) return async () => 'updated'
    if (invalid) {
      instance.rested()
      await this.#judge()
    }
    const started = reconcile(this.#core, instance)
    return async () => {
      await started
      return wasUp ? this.#exclusive(() => this.#restore(instance, config, previous)) : 'restarted'
    }
  }

  /** Brings the previous section back where the plugin did not start with the new one. */
  async #restore(instance: Instance, config: unknown, previous: unknown): Promise<Outcome> {
    const { error } = instance
    const isOurs = instance.config === config && this.#core.instances.get(instance.name) === instance
    if (!isOurs || !error || instance.refused || instance.state !== 'failed' || instance.retryAt !== undefined) return 'restarted'
    await stop(this.#core, instance)
    instance.config = previous
    void reconcile(this.#core, instance)
    return { plugin: instance.name, mistakes: [{ path: '', message: `${instance.name} did not start with this configuration, so the previous one is back: ${error.message}` }] }
  }

  #place(entry: PluginEntry, position: number): Instance {
    const { plugin } = entry
    if (this.#core.instances.has(plugin.name)) throw duplicateName(plugin)
    const instance = new Instance(this.#core, plugin, entry.enabled ?? true, position, entry.origin)
    this.#section(instance, entry)
    this.#core.instances.set(plugin.name, instance)
    instance.rested()
    if (instance.enabled) this.#core.graph.add(instance)
    return instance
  }

  /** Gives a plugin that does not run the section of its entry. */
  #section(instance: Instance, entry: PluginEntry): void {
    const { config, mistakes } = resolveConfig(instance.definition, entry.config)
    instance.config = config
    instance.invalid = entry.refused ?? (mistakes.length ? invalid(instance.name, mistakes) : undefined)
  }

  async #appeared(instance: Instance): Promise<void> {
    await this.#judge()
    void reconcile(this.#core, instance)
    await this.#redecide(instance)
  }

  async #vanished(instance: Instance): Promise<void> {
    this.#core.graph.remove(instance)
    await this.#judge()
    await this.#redecide(instance)
  }

  async #redecide({ definition: { provides } }: Instance): Promise<void> {
    if (provides?.length) await redecide(this.#core, provides.map(({ key }) => key))
  }

  /** Refuses what can never start beside the others, and lets start what was refused and may now. */
  async #judge(): Promise<void> {
    const enabled = Array.from(this.#core.instances.values()).filter((instance) => instance.enabled).sort((a, b) => a.position - b.position)
    const conflicts = this.#core.graph.conflicts(enabled)
    const stopped: Promise<void>[] = []
    const lifted: Instance[] = []
    for (const instance of enabled) {
      const conflict = conflicts.get(instance)
      if (conflict?.message === instance.conflict?.message) continue
      instance.conflict = conflict
      if (instance.scope) stopped.push(stop(this.#core, instance))
      else instance.rested()
      if (!conflict) lifted.push(instance)
    }
    // Only then is there room for those who were refused because of them.
    await Promise.all(stopped)
    for (const instance of lifted) void reconcile(this.#core, instance)
  }

  /** Puts the plugins that are there in the order of `entries`. */
  async #arrange(entries: readonly PluginEntry[]): Promise<void> {
    const { instances } = this.#core
    let moved = false
    for (const [position, { plugin }] of entries.entries()) {
      const instance = instances.get(plugin.name)
      if (!instance) continue
      moved ||= instance.position !== position
      instance.position = position
      instances.delete(plugin.name)
      instances.set(plugin.name, instance)
    }
    if (!moved) return
    this.#core.reorder()
    await this.#judge()
  }

  #nextPosition(): number {
    let next = 0
    for (const { position } of this.#core.instances.values()) next = Math.max(next, position + 1)
    return next
  }

  /** Waits until all plugins have come to rest, or long enough. */
  async #patiently(): Promise<void> {
    let cancel = (): void => {}
    const patience = new Promise<void>((resolve) => { cancel = this.#core.clock.setTimeout(resolve, START_PATIENCE_MS) })
    await Promise.race([this.#core.settled(), patience])
    cancel()
  }

  /** Changes of the set of plugins are made one after the other; none waits for a setup. */
  async #exclusive<T>(change: () => Promise<T>): Promise<T> {
    while (this.#change) await this.#change
    let done = (): void => {}
    this.#change = new Promise((resolve) => { done = resolve })
    try {
      return await change()
    } finally {
      this.#change = undefined
      done()
    }
  }

  #get(name: string): Instance {
    const instance = this.#core.instances.get(name)
    if (!instance) throw new KernelError('host/unknown-plugin', `No plugin is called "${name}"`)
    return instance
  }

  #assertRunning(): void {
    if (this.#phase !== 'running' && this.#phase !== 'starting') throw new KernelError('host/stopped', 'This host is not running')
  }
}

const duplicateName = ({ name }: AnyPlugin): KernelError => new KernelError('plugin/duplicate-name', `Two plugins are called "${name}"`)

function invalid(plugin: string, mistakes: readonly Mistake[]): KernelError {
  const [first] = mistakes as readonly [Mistake]
  const more = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : ''
  return new KernelError('config/invalid', `${plugin}: ${first.path} ${first.message}${more}`, { place: { path: first.path } })
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
