// The plugins of a host as a set: placed, judged against each other, brought up and down, one change after the other.
import { prepareChecks, resolveConfig, type Mistake } from '../config/check.js'
import { same } from '../config/diff.js'
import { reconcile, redecide, stop } from './activation.js'
import type { HostCore } from './core.js'
import type { PluginEntry, Refusal } from './entry.js'
import { KernelError, toError } from './errors.js'
import { Instance } from './instance.js'
import { assertPlugin, type AnyPlugin } from './plugin.js'

/** What giving a plugin a new section did. */
export type Outcome = 'same' | 'updated' | 'restarted' | Refusal

export class Roster {
  readonly #core: HostCore
  /** The change that is being made; another waits for it. */
  #change: Promise<void> | undefined

  constructor(core: HostCore) {
    this.#core = core
  }

  /** Settles when the change that is being made is done; none is being made where it is undefined. */
  get change(): Promise<void> | undefined {
    return this.#change
  }

  async add(entry: PluginEntry, position: number): Promise<Instance> {
    assertPlugin(entry.plugin, 'add')
    await prepareChecks([entry.plugin])
    const instance = this.place(entry, position)
    if (instance.enabled) await this.appeared(instance)
    return instance
  }

  async remove(name: string): Promise<void> {
    const instance = this.get(name)
    instance.enabled = false
    await stop(this.#core, instance)
    this.#core.instances.delete(name)
    this.#core.stateChanged(instance)
    await this.vanished(instance)
  }

  async enable(instance: Instance, enabled: boolean): Promise<void> {
    if (instance.enabled === enabled) return
    instance.enabled = enabled
    if (enabled) {
      instance.conflict = undefined
      instance.rested()
      this.#core.graph.add(instance)
      await this.appeared(instance)
    } else {
      await stop(this.#core, instance)
      await this.vanished(instance)
    }
  }

  /** The new section where it needs no restart: equal, invalid or taken in place. */
  updateNow(instance: Instance, written: unknown): Exclude<Outcome, 'restarted'> | undefined {
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
  async update(instance: Instance, written: unknown): Promise<() => Promise<Outcome>> {
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
      await this.judge()
    }
    const started = reconcile(this.#core, instance)
    return async () => {
      await started
      return wasUp ? this.exclusive(() => this.restore(instance, config, previous)) : 'restarted'
    }
  }

  /** Brings the previous section back where the plugin did not start with the new one. */
  async restore(instance: Instance, config: unknown, previous: unknown): Promise<Outcome> {
    const { error } = instance
    const isOurs = instance.config === config && this.#core.instances.get(instance.name) === instance
    if (!isOurs || !error || instance.refused || instance.state !== 'failed' || instance.retryAt !== undefined) return 'restarted'
    await stop(this.#core, instance)
    instance.config = previous
    void reconcile(this.#core, instance)
    return { plugin: instance.name, mistakes: [{ path: '', message: `${instance.name} did not start with this configuration, so the previous one is back: ${error.message}` }] }
  }

  place(entry: PluginEntry, position: number): Instance {
    const { plugin } = entry
    if (this.#core.instances.has(plugin.name)) throw duplicateName(plugin)
    const instance = new Instance(this.#core, plugin, entry.enabled ?? true, position, entry.origin)
    this.section(instance, entry)
    this.#core.instances.set(plugin.name, instance)
    instance.rested()
    if (instance.enabled) this.#core.graph.add(instance)
    return instance
  }

  /** Gives a plugin that does not run the section of its entry. */
  section(instance: Instance, entry: PluginEntry): void {
    const { config, mistakes } = resolveConfig(instance.definition, entry.config)
    instance.config = config
    instance.invalid = entry.refused ?? (mistakes.length ? invalid(instance.name, mistakes) : undefined)
  }

  async appeared(instance: Instance): Promise<void> {
    await this.judge()
    void reconcile(this.#core, instance)
    await this.redecide(instance)
  }

  async vanished(instance: Instance): Promise<void> {
    this.#core.graph.remove(instance)
    await this.judge()
    await this.redecide(instance)
  }

  async redecide({ definition: { provides } }: Instance): Promise<void> {
    if (provides?.length) await redecide(this.#core, provides.map(({ key }) => key))
  }

  /** Refuses what can never start beside the others, and lets start what was refused and may now. */
  async judge(): Promise<void> {
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
  async arrange(entries: readonly PluginEntry[]): Promise<void> {
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
    await this.judge()
  }

  nextPosition(): number {
    let next = 0
    for (const { position } of this.#core.instances.values()) next = Math.max(next, position + 1)
    return next
  }

  /** Changes of the set of plugins are made one after the other; none waits for a setup. */
  async exclusive<T>(change: () => Promise<T>): Promise<T> {
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

  get(name: string): Instance {
    const instance = this.#core.instances.get(name)
    if (!instance) throw new KernelError('host/unknown-plugin', `No plugin is called "${name}"`)
    return instance
  }
}

export const duplicateName = ({ name }: AnyPlugin): KernelError => new KernelError('plugin/duplicate-name', `Two plugins are called "${name}"`)

function invalid(plugin: string, mistakes: readonly Mistake[]): KernelError {
  const [first] = mistakes as readonly [Mistake]
  const more = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : ''
  return new KernelError('config/invalid', `${plugin}: ${first.path} ${first.message}${more}`, { place: { path: first.path } })
}
