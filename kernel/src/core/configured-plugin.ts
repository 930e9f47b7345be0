import type { KernelError } from '../base/errors.js'
import type { Origin } from './origin.js'
import type { AnyPlugin } from './plugin.js'
import { requiredNeeds, type RequiredNeed } from './required-needs.js'

/** One plugin as the configuration has it. An edit assigns all of it before any plugin moves. */
export class ConfiguredPlugin {
  #definition: AnyPlugin
  #origin: Origin | undefined
  #needs: readonly RequiredNeed[]
  #enabled: boolean
  #position: number
  #section: unknown
  #invalid: KernelError | undefined
  #conflict: KernelError | undefined
  #removed = false
  #rank = Infinity

  constructor(definition: AnyPlugin, enabled: boolean, position: number, origin: Origin | undefined) {
    this.#definition = definition
    this.#origin = origin
    this.#needs = requiredNeeds(definition)
    this.#enabled = enabled
    this.#position = position
  }

  /** Its code. While it stops, it still runs the code before. */
  get definition(): AnyPlugin {
    return this.#definition
  }

  /** Where its code comes from. */
  get origin(): Origin | undefined {
    return this.#origin
  }

  /** The needs of its code that it waits for. */
  get needs(): readonly RequiredNeed[] {
    return this.#needs
  }

  setDefinition(definition: AnyPlugin, origin: Origin | undefined): void {
    this.#definition = definition
    this.#origin = origin
    this.#needs = requiredNeeds(definition)
  }

  get enabled(): boolean {
    return this.#enabled
  }

  setEnabled(enabled: boolean): void {
    this.#enabled = enabled
    if (!enabled) this.#conflict = undefined
  }

  /** Its place in the configuration. */
  get position(): number {
    return this.#position
  }

  setPosition(position: number): void {
    this.#position = position
  }

  /** Its section, resolved and frozen. */
  get section(): unknown {
    return this.#section
  }

  /** Why its section was refused, by its schema or when it was read. */
  get invalid(): KernelError | undefined {
    return this.#invalid
  }

  setSection(section: unknown, invalid?: KernelError): void {
    this.#section = section
    this.#invalid = invalid
  }

  /** Why it can never start together with the other plugins: a cycle of needs, or a second provider. */
  get conflict(): KernelError | undefined {
    return this.#conflict
  }

  setConflict(conflict: KernelError | undefined): void {
    this.#conflict = conflict
  }

  /** Why it can never start with the configuration as it is. */
  get refused(): KernelError | undefined {
    return this.#invalid ?? this.#conflict
  }

  /** Providers have a lower rank than their consumers; `Infinity` for a plugin that provides no service. */
  get rank(): number {
    return this.#rank
  }

  setRank(rank: number): void {
    this.#rank = rank
  }

  /** It has left the configuration, and is forgotten when it has stopped. */
  get removed(): boolean {
    return this.#removed
  }

  markRemoved(): void {
    this.#removed = true
  }
}
