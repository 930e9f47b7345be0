// The plugins of a host as a set: assigned by edits in one step, judged against each other, then moved.
import { KernelError } from '../base/errors.js'
import type { HostCore } from './core.js'
import type { Checked, PluginEntry } from './entry.js'
import { Instance } from './instance.js'
import { reconcile } from './loop.js'
import type { AnyPlugin } from './plugin.js'
import { sameTarget, targetOf } from './target.js'

/** A plugin with its section checked: what an edit assigns. */
export interface Planned extends PluginEntry {
  readonly checked: Checked
}

/** The plugins that an edit concerns. */
export class Concerned extends Set<Instance> {
  /** Whether who may run beside whom is to be decided anew. */
  judged = false

  /** `instance` is declared otherwise: it came, went, or its section is valid now or no longer. */
  declared(instance: Instance): void {
    this.add(instance)
    this.judged ||= Boolean(instance.definition.provides?.length)
  }
}

export class Roster {
  readonly #core: HostCore

  constructor(core: HostCore) {
    this.#core = core
  }

  /** All plugins of the configuration. */
  all(): Instance[] {
    return Array.from(this.#core.instances.values()).filter(({ removed }) => !removed)
  }

  find(name: string): Instance | undefined {
    const instance = this.#core.instances.get(name)
    return instance?.removed ? undefined : instance
  }

  get(name: string): Instance {
    const instance = this.find(name)
    if (!instance) throw new KernelError('host/unknown-plugin', `No plugin is called "${name}"`)
    return instance
  }

  /**
   * Makes one edit: everything is assigned, judged once, and only then does anything move. Gives those concerned; what
   * they do from here on waits for nobody but those they depend on.
   */
  edit(assign: (concerned: Concerned) => void): Concerned {
    const concerned = new Concerned()
    assign(concerned)
    if (concerned.judged) this.#judge(concerned)
    const assigned = new Set(concerned)
    // A set grows while it is walked: those who use what those use who are concerned are concerned too.
    for (const { definition } of concerned) {
      for (const { key } of definition.provides ?? [])
        for (const consumer of this.#core.graph.consumersOf(key)) concerned.add(consumer)
    }
    // Who goes has left before anyone looks for what it provided: the last first, then providers before their consumers.
    const order = (a: Instance, b: Instance): number =>
      Number(a.enabled) - Number(b.enabled) ||
      (a.enabled ? a.rank - b.rank || a.position - b.position : b.position - a.position)
    for (const instance of Array.from(concerned).sort(order)) reconcile(this.#core, instance)
    // Whose setup goes on as it was begun is not concerned after all.
    for (const instance of concerned)
      if (!assigned.has(instance) && sameTarget(instance.pendingTarget, targetOf(this.#core, instance)))
        concerned.delete(instance)
    return concerned
  }

  place(entry: Planned, position: number, concerned: Concerned): Instance {
    const { instances, graph } = this.#core
    const { plugin, enabled = true, origin } = entry
    const before = instances.get(plugin.name)
    if (before && !before.removed) throw duplicateName(plugin)
    const instance = new Instance(this.#core, plugin, enabled, position, origin)
    if (before) [before.successor, instance.predecessor] = [instance, before]
    instances.delete(plugin.name)
    instances.set(plugin.name, instance)
    assignSection(instance, entry)
    instance.rested()
    if (enabled) graph.add(instance)
    concerned.declared(instance)
    return instance
  }

  remove(instance: Instance, concerned: Concerned): Instance {
    instance.removed = true
    concerned.add(instance)
    return this.enable(instance, false, concerned)
  }

  enable(instance: Instance, enabled: boolean, concerned: Concerned): Instance {
    if (instance.enabled === enabled) return instance
    instance.enabled = enabled
    if (enabled) this.#core.graph.add(instance)
    else {
      this.#core.graph.remove(instance)
      // A new beginning: what it ran with before says nothing of what it will be enabled with.
      instance.lastGood = undefined
      instance.conflict = undefined
    }
    concerned.declared(instance)
    return instance
  }

  /** Gives a plugin another section, which is valid. */
  section(instance: Instance, entry: Planned, concerned: Concerned): void {
    const wasInvalid = instance.invalid !== undefined
    assignSection(instance, entry)
    if (wasInvalid || instance.invalid) concerned.declared(instance)
    else concerned.add(instance)
  }

  /** Puts plugins in the order of `entries`. */
  arrange(entries: readonly PluginEntry[], concerned: Concerned): void {
    const { instances } = this.#core
    let moved = false
    for (const [position, { plugin }] of entries.entries()) {
      const instance = instances.get(plugin.name) as Instance
      moved ||= instance.position !== position
      instance.position = position
      instances.delete(plugin.name)
      instances.set(plugin.name, instance)
    }
    if (!moved) return
    this.#core.reorder()
    concerned.judged = true
  }

  nextPosition(): number {
    return this.all().reduce((next, { position }) => Math.max(next, position + 1), 0)
  }

  /** Refuses what can never start beside the others, and lets start what was refused and may now. */
  #judge(concerned: Concerned): void {
    const enabled = this.all()
      .filter((instance) => instance.enabled)
      .sort((a, b) => a.position - b.position)
    const conflicts = this.#core.graph.conflicts(enabled)
    for (const instance of enabled) {
      const conflict = conflicts.get(instance)
      if (conflict?.message === instance.conflict?.message) continue
      instance.conflict = conflict
      concerned.add(instance)
    }
  }
}

function assignSection(instance: Instance, { checked: { section, mistakes }, refused }: Planned): void {
  instance.section = section
  instance.invalid = refused ?? (mistakes.length ? invalid(instance.name, mistakes) : undefined)
}

export const duplicateName = ({ name }: AnyPlugin): KernelError =>
  new KernelError('plugin/duplicate-name', `Two plugins are called "${name}"`)

function invalid(plugin: string, mistakes: Checked['mistakes']): KernelError {
  const [{ path, message }] = mistakes as readonly [Checked['mistakes'][number]]
  const more = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : ''
  return new KernelError('config/invalid', `${plugin}: ${path} ${message}${more}`, { place: { path } })
}
