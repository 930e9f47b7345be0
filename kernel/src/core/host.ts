// The host: a set of plugins, brought up and down as the configuration says.
import { prepareChecks, resolveConfig, type Mistake } from '../config/check.js'
import { same } from '../config/diff.js'
import { reconcile, redecide, stop } from './activation.js'
import { systemClock, type Clock } from './clock.js'
import { HostCore } from './core.js'
import { KernelError, toError } from './errors.js'
import { inspectHost, residueOf, whyNot, type PluginView, type Residue } from './inspect.js'
import { Instance } from './instance.js'
import type { Logger, LogRecord } from './owner.js'
import { assertPlugin, type AnyPlugin, type Plugin } from './plugin.js'
import { service, type Hook, type Service } from './token.js'

/** One plugin with what the configuration says of it. */
export interface PluginEntry {
  readonly plugin: AnyPlugin | Plugin<never, never>
  /** The section, or the sections by path where the plugin claims several. */
  readonly config?: unknown
  /** Default true. */
  readonly enabled?: boolean
  /** Why the section could not be read at all; the plugin fails with it. */
  readonly refused?: KernelError
}

export interface HostOptions {
  readonly clock?: Clock
  /** Receives every line of the log; default none. */
  readonly log?: (record: LogRecord) => void
  /** Services of whoever runs the host, such as its configuration file. */
  readonly services?: readonly (readonly [Service<unknown>, unknown])[]
}

/** A refused part of a configuration. */
export interface Refusal { readonly plugin: string; readonly mistakes: readonly Mistake[] }

/** What {@link Host.configure} did. */
export interface Report {
  /** False when something was invalid: then nothing was changed. */
  readonly accepted: boolean
  readonly refusals: readonly Refusal[]
  /** Plugins that took their configuration in place. */
  readonly updated: readonly string[]
  /** Plugins that started, stopped or started again. */
  readonly restarted: readonly string[]
}

/** The host as plugins see it, always provided. */
export interface HostControl {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly status: 'starting' | 'running' | 'stopping'
  inspect(): PluginView[]
  why(plugin: string): string
  /** Records and logs a failure in the name of a plugin whose contribution was being used. */
  report(plugin: string, error: unknown): void
  /** Writes lines in the name of a plugin, for whoever runs its code: the server that calls its routes. */
  loggerOf(plugin: string): Logger
}
export const HostControl: Service<HostControl> = service<HostControl>('host')

const START_PATIENCE_MS = 10_000
type Phase = 'new' | 'starting' | 'running' | 'stopping' | 'stopped'

export class Host {
  readonly #core: HostCore
  #phase: Phase = 'new'
  #startedAt = 0
  #entries: readonly PluginEntry[]

  constructor(entries: readonly PluginEntry[], options: HostOptions) {
    this.#core = new HostCore(options.clock ?? systemClock, options.log ?? (() => {}))
    this.#entries = entries
    const control = this.#control()
    for (const [token, value] of [[HostControl, control] as const, ...(options.services ?? [])]) {
      this.#core.services.builtin(token as Service<unknown>, value)
      this.#core.graph.builtin(token.key)
    }
  }

  #control(): HostControl {
    const host = this
    return Object.freeze({
      get startedAt() { return host.#startedAt },
      get status() { return host.#phase === 'running' ? 'running' as const : host.#phase === 'stopping' || host.#phase === 'stopped' ? 'stopping' as const : 'starting' as const },
      inspect: () => host.inspect(),
      why: (plugin: string) => host.why(plugin),
      report: (plugin: string, error: unknown) => host.#core.instances.get(plugin)?.report(toError(error)),
      loggerOf: (plugin: string) => host.#core.instances.get(plugin)?.log ?? host.#core.logger,
    })
  }

  /** Starts what can start. Resolves when all plugins have come to rest, or after 10 s: start-up never waits for one plugin. */
  async start(): Promise<this> {
    if (this.#phase !== 'new') throw new KernelError('host/stopped', 'This host was started before')
    this.#phase = 'starting'
    this.#startedAt = this.#core.clock.now()
    await prepareChecks(this.#entries.map((entry) => entry.plugin as AnyPlugin))
    for (const entry of this.#entries) this.#place(entry)
    this.#judge()
    for (const instance of this.#core.instances.values()) void reconcile(this.#core, instance)
    let cancel = (): void => {}
    const patience = new Promise<void>((resolve) => { cancel = this.#core.clock.setTimeout(resolve, START_PATIENCE_MS) })
    await Promise.race([this.#core.settled(), patience])
    cancel()
    if (this.#phase === 'starting') this.#phase = 'running'
    return this
  }

  /** Stops all plugins, consumers before providers. Never rejects. */
  async stop(): Promise<void> {
    if (this.#phase === 'stopped') return
    this.#phase = 'stopping'
    this.#core.stopping = true
    const instances = Array.from(this.#core.instances.values()).reverse()
    await Promise.all(instances.map((instance) => stop(this.#core, instance, instance.enabled ? 'pending' : 'disabled')))
    this.#phase = 'stopped'
  }

  /** Resolves when no plugin is starting or stopping. */
  settled(): Promise<void> {
    return this.#core.settled()
  }

  /** Adds a plugin to the running host. */
  async add(entry: PluginEntry): Promise<void> {
    this.#assertRunning()
    await prepareChecks([entry.plugin as AnyPlugin])
    const instance = this.#place(entry)
    if (!instance.enabled) return
    this.#judgeOne(instance)
    await reconcile(this.#core, instance)
    const provided = instance.definition.provides
    if (provided?.length) await redecide(this.#core, provided.map(({ key }) => key))
  }

  /** Stops a plugin and forgets it with all that it kept. */
  async remove(name: string): Promise<void> {
    const instance = this.#get(name)
    await stop(this.#core, instance, 'disabled')
    this.#core.graph.remove(instance)
    this.#core.instances.delete(name)
    await this.#after(instance)
  }

  /** Enables or disables a plugin. */
  async enable(name: string, enabled: boolean): Promise<void> {
    const instance = this.#get(name)
    if (instance.enabled === enabled) return
    if (enabled) {
      instance.enabled = true
      instance.set('pending')
      this.#core.graph.add(instance)
      this.#judgeOne(instance)
      await reconcile(this.#core, instance)
    } else {
      instance.enabled = false
      await stop(this.#core, instance, 'disabled')
      this.#core.graph.remove(instance)
    }
    await this.#after(instance)
  }

  /**
   * Gives a plugin a new section: equal does nothing, invalid is refused and leaves the plugin as it is, changed is taken
   * in place or by a restart. A restart that fails brings the previous configuration back.
   */
  update(name: string, written: unknown): Promise<'same' | 'updated' | 'restarted' | Refusal> {
    const instance = this.#get(name)
    const { config, mistakes } = resolveConfig(instance.definition, written)
    if (mistakes.length) return Promise.resolve({ plugin: name, mistakes })
    if (same(config, instance.config) && !instance.refused) return Promise.resolve('same')
    return this.#apply(instance, config)
  }

  async #apply(instance: Instance, config: unknown): Promise<'updated' | 'restarted' | Refusal> {
    const previous = instance.config
    const wasUp = instance.isUp
    if (wasUp && instance.isIdle && instance.running?.update?.(config as never, previous as never) === true) {
      instance.config = config
      return 'updated'
    }
    const refused = instance.refused
    await stop(this.#core, instance, 'pending')
    instance.config = config
    instance.error = undefined
    if (refused?.code === 'config/invalid') instance.refused = undefined
    if (instance.enabled) this.#judgeOne(instance)
    await reconcile(this.#core, instance)
    if (wasUp && instance.state === 'failed' && instance.retryAt === undefined) {
      const message = (instance.error as Error | undefined)?.message ?? 'failed'
      await stop(this.#core, instance, 'pending')
      instance.config = previous
      await reconcile(this.#core, instance)
      return { plugin: instance.name, mistakes: [{ path: '', message: `${instance.name} did not start with this configuration, so the previous one is back: ${message}` }] }
    }
    if (!instance.enabled) instance.set('disabled')
    return 'restarted'
  }

  /** Makes the host run exactly `entries`. Refused whole where a section is invalid; the running configuration then stays. */
  async configure(entries: readonly PluginEntry[]): Promise<Report> {
    this.#assertRunning()
    const plugins = entries.map(({ plugin }) => plugin as AnyPlugin)
    for (const plugin of plugins) assertPlugin(plugin, 'configure')
    await prepareChecks(plugins)
    const refusals: Refusal[] = []
    for (const entry of entries) {
      const { mistakes } = resolveConfig(entry.plugin as AnyPlugin, entry.config)
      const all = entry.refused ? [{ path: entry.refused.place?.path ?? '', message: entry.refused.message }, ...mistakes] : mistakes
      if (all.length && entry.enabled !== false) refusals.push({ plugin: entry.plugin.name, mistakes: all })
    }
    if (refusals.length) return { accepted: false, refusals, updated: [], restarted: [] }

    const updated: string[] = []
    const restarted: string[] = []
    const wanted = new Map(entries.map((entry) => [entry.plugin.name, entry]))
    for (const instance of Array.from(this.#core.instances.values()).reverse()) {
      const entry = wanted.get(instance.name)
      if (entry && entry.plugin === instance.definition) continue
      await this.remove(instance.name)
      restarted.push(instance.name)
    }
    for (const [position, entry] of entries.entries()) {
      const { name } = entry.plugin
      const instance = this.#core.instances.get(name)
      if (!instance) {
        await this.add(entry)
        if (!restarted.includes(name)) restarted.push(name)
        continue
      }
      instance.position = position
      if ((entry.enabled ?? true) !== instance.enabled) {
        if (entry.enabled === false) await this.enable(name, false)
        instance.config = resolveConfig(instance.definition, entry.config).config
        if (entry.enabled !== false) await this.enable(name, true)
        restarted.push(name)
        continue
      }
      const outcome = await this.update(name, entry.config)
      if (outcome === 'updated') updated.push(name)
      else if (outcome === 'restarted') restarted.push(name)
      else if (outcome !== 'same') refusals.push(outcome)
    }
    this.#reorder(entries)
    return { accepted: true, refusals, updated, restarted }
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

  /** Tells every listener of a hook. */
  emit<P>(hook: Hook<P>, payload: P): void {
    this.#core.hooks.emit(hook.id, payload)
  }

  /** The implementation behind a service, where one is provided now. */
  get<T>(token: Service<T>): T | undefined {
    return this.#core.services.get(token.key)?.value as T | undefined
  }

  #place(entry: PluginEntry): Instance {
    const plugin = entry.plugin as AnyPlugin
    assertPlugin(plugin, 'createHost')
    if (this.#core.instances.has(plugin.name)) throw new KernelError('plugin/duplicate-name', `Two plugins are called "${plugin.name}"`)
    const { config, mistakes } = resolveConfig(plugin, entry.config)
    const instance = new Instance(this.#core, plugin, config, entry.enabled ?? true, this.#core.instances.size)
    instance.refused = entry.refused ?? (mistakes.length ? invalid(plugin.name, mistakes) : undefined)
    this.#core.instances.set(plugin.name, instance)
    if (instance.enabled) this.#core.graph.add(instance)
    return instance
  }

  /** Refuses what can never start: done once for all, before anything runs. */
  #judge(): void {
    for (const instance of this.#core.instances.values()) if (instance.enabled) this.#judgeOne(instance)
  }

  #judgeOne(instance: Instance): void {
    if (instance.refused?.code !== 'config/invalid' && !instance.refused?.place) instance.refused = this.#core.graph.refusal(instance)
    if (!instance.refused) return
    instance.error = instance.refused
    instance.report(instance.refused)
    instance.set('failed')
  }

  /** The graph has changed around `instance`: those it refused, and those whose decisions it changed, are looked at again. */
  async #after(instance: Instance): Promise<void> {
    for (const other of this.#core.instances.values()) {
      if (!other.enabled || (other.refused?.code !== 'need/cycle' && other.refused?.code !== 'need/duplicate-provider')) continue
      other.refused = this.#core.graph.refusal(other)
      if (other.refused) continue
      other.error = undefined
      other.set('pending')
      await reconcile(this.#core, other)
    }
    const provided = instance.definition.provides
    if (provided?.length) await redecide(this.#core, provided.map(({ key }) => key))
  }

  #reorder(entries: readonly PluginEntry[]): void {
    const { instances } = this.#core
    for (const { plugin } of entries) {
      const instance = instances.get(plugin.name) as Instance
      instances.delete(plugin.name)
      instances.set(plugin.name, instance)
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


