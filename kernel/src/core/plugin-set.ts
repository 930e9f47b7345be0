import { KernelError } from '../base/errors.js'
import { configuredPlugins, findConflicts } from './conflicts.js'
import type { HostCore } from './core.js'
import { assignDefinition } from './definition.js'
import type { Checked, PluginEntry } from './entry.js'
import { Instance } from './instance.js'
import type { AnyPlugin } from './plugin.js'
import { targetOf } from './resolve-target.js'

/** An entry whose section has been checked. */
export interface PlannedEntry extends PluginEntry {
  readonly checked: Checked
}

/** The plugins that an edit affects. */
export class AffectedPlugins extends Set<Instance> {
  /** Whether conflicts between plugins have to be computed again. */
  mayConflict = false

  /** Adds a plugin that came, left, or whose section became valid or invalid. */
  addRedeclared(instance: Instance): void {
    this.add(instance)
    this.mayConflict ||= Boolean(instance.definition.provides?.length)
  }
}

/** The plugins of a host as the configuration lists them, changed by edits. */
export class PluginSet {
  readonly #core: HostCore

  constructor(core: HostCore) {
    this.#core = core
  }

  all(): Instance[] {
    return configuredPlugins(this.#core)
  }

  find(name: string): Instance | undefined {
    const instance = this.#core.instances.get(name)
    return instance?.removed ? undefined : instance
  }

  /** @throws KernelError `host/unknown-plugin` */
  get(name: string): Instance {
    const instance = this.find(name)
    if (!instance) throw new KernelError('host/unknown-plugin', `No plugin is called "${name}"`)
    return instance
  }

  /**
   * Makes one edit: `assign` changes the set, then conflicts are computed once, and only then plugins begin to move.
   * Returns the affected plugins. They wait for the plugins that they depend on and for no others.
   */
  edit(assign: (affected: AffectedPlugins) => void): AffectedPlugins {
    const affected = new AffectedPlugins()
    assign(affected)
    if (affected.mayConflict) for (const instance of findConflicts(this.#core)) affected.add(instance)
    const assigned = new Set(affected)
    // The set grows while it is walked, until it holds all direct and indirect consumers.
    for (const { definition } of affected)
      for (const { key } of definition.provides ?? [])
        for (const consumer of this.#core.graph.consumersOf(key)) affected.add(consumer)
    for (const instance of Array.from(affected).sort(inMoveOrder)) this.#core.reconcile(instance)
    // A consumer whose running setup still fits is not affected after all.
    for (const instance of affected)
      if (!assigned.has(instance) && instance.isStartingWith(targetOf(this.#core, instance))) affected.delete(instance)
    return affected
  }

  /** Adds a plugin at a position. A removed plugin of the same name has to stop before it starts. */
  add(entry: PlannedEntry, position: number, affected: AffectedPlugins): Instance {
    const { instances, graph } = this.#core
    const { plugin, enabled = true, origin } = entry
    const predecessor = instances.get(plugin.name)
    if (predecessor && !predecessor.removed) throw duplicateName(plugin)
    const instance = new Instance(this.#core, plugin, enabled, position, origin)
    if (predecessor) instance.replace(predecessor)
    instances.delete(plugin.name)
    instances.set(plugin.name, instance)
    assignSection(instance, entry)
    instance.rest()
    if (enabled) graph.add(instance)
    affected.addRedeclared(instance)
    return instance
  }

  remove(instance: Instance, affected: AffectedPlugins): Instance {
    instance.markRemoved()
    affected.add(instance)
    return this.enable(instance, false, affected)
  }

  enable(instance: Instance, enabled: boolean, affected: AffectedPlugins): Instance {
    if (instance.enabled === enabled) return instance
    instance.setEnabled(enabled)
    if (enabled) this.#core.graph.add(instance)
    else this.#core.graph.remove(instance)
    affected.addRedeclared(instance)
    return instance
  }

  setSection(instance: Instance, entry: PlannedEntry, affected: AffectedPlugins): void {
    const wasInvalid = instance.invalid !== undefined
    assignSection(instance, entry)
    if (wasInvalid || instance.invalid) affected.addRedeclared(instance)
    else affected.add(instance)
  }

  /**
   * Gives a plugin other code and its section, unless it then conflicts with another plugin: that conflict is returned.
   */
  setDefinition(instance: Instance, entry: PlannedEntry, affected: AffectedPlugins): KernelError | undefined {
    const { definition, origin, section, invalid } = instance
    const refused = new Set(this.all().filter(({ conflict }) => conflict))
    const declared = [...(definition.provides ?? []), ...(entry.plugin.provides ?? [])]
    assignDefinition(this.#core, instance, entry.plugin, entry.origin)
    assignSection(instance, entry)
    affected.add(instance)
    const changed = declared.length || entry.plugin.needs || definition.needs ? findConflicts(this.#core) : []
    // It may be another plugin whose place in the configuration is later.
    const found = changed.find((other) => other.conflict && !refused.has(other))?.conflict
    if (found) {
      assignDefinition(this.#core, instance, definition, origin)
      instance.kept.restore()
      instance.setSection(section, invalid)
      findConflicts(this.#core)
      return found
    }
    for (const other of changed) affected.add(other)
    for (const { key } of declared) for (const consumer of this.#core.graph.consumersOf(key)) affected.add(consumer)
    return undefined
  }

  /** Puts the plugins into the order of `entries`, which lists all of them. */
  arrange(entries: readonly PluginEntry[], affected: AffectedPlugins): void {
    const { instances } = this.#core
    let hasMoved = false
    for (const [position, { plugin }] of entries.entries()) {
      const instance = instances.get(plugin.name) as Instance
      hasMoved ||= instance.position !== position
      instance.setPosition(position)
      instances.delete(plugin.name)
      instances.set(plugin.name, instance)
    }
    if (!hasMoved) return
    this.#core.reorder()
    affected.mayConflict = true
  }

  nextPosition(): number {
    return this.all().reduce((next, { position }) => Math.max(next, position + 1), 0)
  }
}

/** Removed and disabled plugins first, from the last to the first. Then providers before their consumers. */
function inMoveOrder(a: Instance, b: Instance): number {
  if (a.enabled !== b.enabled) return a.enabled ? 1 : -1
  return a.enabled ? a.rank - b.rank || a.position - b.position : b.position - a.position
}

function assignSection(instance: Instance, { checked: { section, mistakes }, refused }: PlannedEntry): void {
  instance.setSection(section, refused ?? (mistakes.length ? invalidSection(instance.name, mistakes) : undefined))
}

export const duplicateName = ({ name }: AnyPlugin): KernelError =>
  new KernelError('plugin/duplicate-name', `Two plugins are called "${name}"`)

/** Returns the error of a section with mistakes. */
export function invalidSection(plugin: string, mistakes: Checked['mistakes']): KernelError {
  const [{ path, message }] = mistakes as readonly [Checked['mistakes'][number]]
  const more = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : ''
  return new KernelError('config/invalid', `${plugin}: ${path} ${message}${more}`, { place: { path } })
}
