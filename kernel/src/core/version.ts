import type { Origin } from './origin.js'
import type { AnyPlugin } from './plugin.js'

/** The code of a plugin, with the section that it runs with. */
export interface Version {
  readonly definition: AnyPlugin
  readonly origin: Origin | undefined
  readonly section: unknown
}
