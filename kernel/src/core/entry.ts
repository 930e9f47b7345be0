import type { Clock } from '../base/clock.js'
import type { KernelError } from '../base/errors.js'
import type { LogRecord } from '../base/log.js'
import type { Service } from '../base/token.js'
import type { KeptStore } from './kept.js'
import type { Origin } from './origin.js'
import type { AnyPlugin, Mistake } from './plugin.js'

/** The result of checking a section. */
export interface Checked {
  /** With defaults filled in, and frozen. */
  readonly section: unknown
  readonly mistakes: readonly Mistake[]
}

/** Checks sections against schemas, which the core does not know. */
export interface Checks {
  /** Loads the validator if these plugins need it; undefined when there is nothing to wait for. */
  prepare(plugins: readonly AnyPlugin[]): Promise<void> | undefined
  check(plugin: AnyPlugin, written: unknown): Checked
}

/** One plugin and its configuration. */
export interface PluginEntry {
  readonly plugin: AnyPlugin
  /** The section, or the sections by path where the plugin claims several. */
  readonly config?: unknown
  /** The result of checking the section, if it has been checked already. */
  readonly checked?: Checked
  /** Default true. */
  readonly enabled?: boolean
  /** Why the section could not be read at all. The plugin fails with this error. */
  readonly refused?: KernelError
  /** Where the module comes from. Failures outside any call are attributed to plugins by it. */
  readonly origin?: Origin
}

/** Rewrites log records before they are written. */
export interface Redaction {
  /** Masks secrets, for all readers. */
  secrets(record: LogRecord): LogRecord
  /** Shortens file paths, for readers outside the host. */
  paths(record: LogRecord): LogRecord
}

/** Options of a host that code creates. */
export interface HostOptions {
  readonly clock?: Clock
  /** Receives every log record; default none. */
  readonly log?: (record: LogRecord) => void
  readonly redact?: Redaction
  /** Services that the host provides itself, such as its configuration file. */
  readonly services?: readonly (readonly [Service<unknown>, unknown])[]
  /** Keeps durable state between two processes; default nowhere. */
  readonly keptStore?: KeptStore
}

/** A plugin whose section was refused. */
export interface Refusal {
  readonly plugin: string
  readonly mistakes: readonly Mistake[]
}

/** The result of giving a plugin a new section. */
export type Outcome = 'same' | 'updated' | 'restarted' | Refusal

/** The result of configuring a host. */
export interface Report {
  /** False when a section was invalid: then nothing was changed. */
  readonly accepted: boolean
  readonly refusals: readonly Refusal[]
  /** Plugins that took their section in place. */
  readonly updated: readonly string[]
  /** Plugins that started, stopped or restarted. */
  readonly restarted: readonly string[]
}
