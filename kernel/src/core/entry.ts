// What a host is made of and what changing it answers.
import type { Mistake } from '../config/check.js'
import type { Clock } from './clock.js'
import type { KernelError } from './errors.js'
import type { Origin } from './instance.js'
import type { LogRecord } from './owner.js'
import type { AnyPlugin } from './plugin.js'
import type { Service } from './token.js'

/** One plugin with what the configuration says of it. */
export interface PluginEntry {
  readonly plugin: AnyPlugin
  /** The section, or the sections by path where the plugin claims several. */
  readonly config?: unknown
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
export interface Refusal { readonly plugin: string; readonly mistakes: readonly Mistake[] }

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
