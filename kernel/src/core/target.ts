import type { Owner } from '../base/guard.js'
import type { AnyPlugin } from './plugin.js'
import type { Provided } from './provided.js'

/** The code and the section that a plugin should run with, and the service behind each required need, in order. */
export interface Target {
  readonly definition: AnyPlugin
  readonly section: unknown
  /** Undefined for an `ifEnabled` need whose service no enabled plugin declares. */
  readonly resolvedNeeds: readonly (Provided | undefined)[]
}

/** Returns whether two targets of the same code have the same services behind their needs. */
export const sameNeeds = (a: Target, b: Target): boolean =>
  a.resolvedNeeds.every((provided, index) => provided === b.resolvedNeeds[index])

export const sameTarget = (a: Target | undefined, b: Target | undefined): boolean =>
  a !== undefined && b !== undefined && a.definition === b.definition && a.section === b.section && sameNeeds(a, b)

/** Marks a plugin as a holder of the services in its target. Their providers wait for it when they stop. */
export function holdNeeds(plugin: Owner, { resolvedNeeds }: Target): void {
  for (const provided of resolvedNeeds) provided?.hold(plugin)
}

export function releaseNeeds(plugin: Owner, { resolvedNeeds }: Target): void {
  for (const provided of resolvedNeeds) provided?.release(plugin)
}
