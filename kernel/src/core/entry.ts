// What a host is made of and what changing it answers.
import type { Clock } from '../base/clock.js'
import type { KernelError } from '../base/errors.js'
import type { LogRecord } from '../base/log.js'
import type { Service } from '../base/token.js'
import type { Origin } from './instance.js'
import type { AnyPlugin, Mistake } from './plugin.js'

/** A section as its plugin receives it, or the mistakes in it. */
export interface Checked {
  /** With defaults filled in, and frozen. */
  readonly section: unknown
  readonly mistakes: readonly Mistake[]
}

/** Checks sections; the host knows no schemas. */
export interface Checks {
  /** Loads what checking these plugins takes; undefined where there is nothing to wait for. */
  prepare(plugins: readonly AnyPlugin[]): Promise<void> | undefined
  check(plugin: AnyPlugin, written: unknown): Checked
}

/** One plugin with what the configuration says of it. */
export interface PluginEntry {
  readonly plugin: AnyPlugin
  /** The section, or the sections by path where the plugin claims several. */
  readonly config?: unknown
  /** What checking the section gave, where whoever made the entry has done so: it is not checked again. */
  readonly checked?: Checked
  /** Default true. */
  readonly enabled?: boolean
  /** Why the section could not be read at all; the plugin fails with it. */
  readonly refused?: KernelError
  /** Where the module comes from; failures outside any call are attributed by it. */
  readonly origin?: Origin
}

/** Rewrites lines of the log before anybody sees them. */
export interface Redaction {
  /** The line without secrets: for everybody. */
  secrets(record: LogRecord): LogRecord
  /** The same without paths of the machine: for what leaves the host. */
  paths(record: LogRecord): LogRecord
}

export interface HostOptions {
  readonly clock?: Clock
  /** Receives every line of the log; default none. */
  readonly log?: (record: LogRecord) => void
  readonly redact?: Redaction
  /** Services of whoever runs the host, such as its configuration file. */
  readonly services?: readonly (readonly [Service<unknown>, unknown])[]
}

/** A refused part of a configuration. */
export interface Refusal {
  readonly plugin: string
  readonly mistakes: readonly Mistake[]
}

/** What giving a plugin a new section did. */
export type Outcome = 'same' | 'updated' | 'restarted' | Refusal

/** What configuring a host did. */
export interface Report {
  /** False when something was invalid: then nothing was changed. */
  readonly accepted: boolean
  readonly refusals: readonly Refusal[]
  /** Plugins that took their configuration in place. */
  readonly updated: readonly string[]
  /** Plugins that started, stopped or started again. */
  readonly restarted: readonly string[]
}
