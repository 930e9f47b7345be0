import { toError } from './to-error.js'

/** The codes of kernel errors, each with its remedy. `docs/errors.md` shows the same list. */
export const kernelErrors = {
  'config/unreadable': 'Check that the file exists, may be read and is saved as UTF-8, or name another with -c',
  'config/syntax': 'Fix the YAML at the reported line',
  'config/shape': 'See the README for the shape of the configuration file',
  'config/missing-variable': 'Set the variable in the environment or in .env, or give a default: ${NAME:-default}',
  'config/invalid': 'Change the value at the reported path',
  'config/doubtful': 'Read what may not be meant; the host starts anyway',
  'config/unclaimed': 'Remove the section, or enable the plugin that reads it',
  'config/conflicting-claims': 'Disable one of the two plugins',
  'config/unmet-need': 'Add a plugin that provides it to plugins',
  'plugin/changed-code': 'Restart the host to load it',
  'plugin/unknown': 'Install the package in the folder of the configuration file, or fix the name',
  'plugin/unloadable': 'Fix the module at the reported place; the rest of the host runs',
  'plugin/bad-definition': 'The default export must come from definePlugin',
  'plugin/duplicate-name': 'Keep one of the two entries',
  'plugin/setup-failed': 'Fix what the message names; the rest of the host runs',
  'plugin/setup-timeout': 'Setup may take 60 s; do long work after it, or raise setupTimeout',
  'plugin/failed-later': 'The cause follows; the plugin may be degraded',
  'need/cycle': 'Make one of these needs ref(…)',
  'need/duplicate-provider': 'Disable one of the two plugins',
  'service/undeclared': 'List the service in `provides`',
  'service/already-provided': 'A service is provided once; withdraw the first before providing again',
  'contribution/duplicate': 'Rename one of the two, or disable its plugin',
  'scope/closed': 'The plugin has stopped; keep no reference to its context',
  'scope/dispose-failed': 'Fix the disposer that the message names',
  'scope/dispose-late': 'A disposer has 5 s; do not wait in it for an event that may never happen',
  'hook/listener-failed': 'The cause follows; other listeners ran',
  'host/unknown-plugin': 'See the list of plugins',
  'host/stopped': 'Create a new host',
  'host/loop-blocked': 'Split long work, await in between, or move it to a worker thread',
  'di/not-loaded': 'Import the decorators from @mynah/kernel/di',
  'di/missing-token': 'Put @inject(TOKEN) on every constructor parameter',
} as const satisfies Record<string, string>

/** The code of an error of the kernel. */
export type KernelCode = keyof typeof kernelErrors

/** The causes of kernel errors, by code, for the reference. A message of an error names plugin and place. */
export const kernelCauses: Readonly<Record<KernelCode, string>> = {
  'config/unreadable': 'The configuration file, or a file that it names, cannot be read',
  'config/syntax': 'The configuration file is no valid YAML',
  'config/shape': 'The configuration file has another form than a host reads, such as no list of plugins',
  'config/missing-variable': 'The configuration names a variable that is not set and has no default',
  'config/invalid': 'A value does not fit the schema of its option',
  'config/doubtful': 'A plugin accepts this value, and it is probably not what was meant',
  'config/unclaimed': 'No enabled plugin reads this section of the configuration',
  'config/conflicting-claims': 'Two enabled plugins read the same section of the configuration',
  'config/unmet-need': 'An enabled plugin needs a service that no enabled plugin provides, so it waits',
  'plugin/changed-code': 'The files of a plugin have changed since the host loaded it',
  'plugin/unknown': 'No installed package and no file has this name',
  'plugin/unloadable': 'The module of the plugin, or one that it imports, throws or has a mistake',
  'plugin/bad-definition': 'The module exports something that is no definition of a plugin',
  'plugin/duplicate-name': 'Two entries of the configuration are plugins of one name',
  'plugin/setup-failed': 'The setup of the plugin has thrown',
  'plugin/setup-timeout': 'The setup of the plugin has not ended in time',
  'plugin/failed-later': 'Something that the plugin started has thrown after its setup',
  'need/cycle': 'Plugins need services of each other, so that none can start first',
  'need/duplicate-provider': 'Two enabled plugins provide the same service',
  'service/undeclared': 'A plugin provides a service that its definition does not name',
  'service/already-provided': 'A plugin provides a service a second time',
  'contribution/duplicate': 'A point has a contribution with this key already',
  'scope/closed': 'A plugin uses its context after it has stopped',
  'scope/dispose-failed': 'A function that undoes an effect of a plugin has thrown',
  'scope/dispose-late': 'A function that undoes an effect of a plugin has not ended in time',
  'hook/listener-failed': 'A listener of a hook has thrown',
  'host/unknown-plugin': 'The host has no plugin of this name',
  'host/stopped': 'The host has stopped, and cannot be used any more',
  'host/loop-blocked': 'Code has kept the process from doing anything else for too long',
  'di/not-loaded': 'A class uses decorators that were never imported',
  'di/missing-token': 'A parameter of a constructor does not say what it needs',
}

/** The location of a mistake in the configuration. */
export interface SourceLocation {
  readonly file?: string
  readonly line?: number
  readonly path?: string
}

/** Causes become safe errors, since any reader may look at them. */
const causeOf = (cause: unknown): ErrorOptions | undefined =>
  cause === undefined ? undefined : { cause: toError(cause) }

/** An error of the kernel: a code, a message, its location and a remedy. */
export class KernelError extends Error {
  override readonly name = 'KernelError'
  readonly code: KernelCode
  /** The remedy. */
  readonly hint: string
  readonly place?: SourceLocation

  constructor(code: KernelCode, message: string, extra: { cause?: unknown; place?: SourceLocation } = {}) {
    super(message, causeOf(extra.cause))
    this.code = code
    this.hint = kernelErrors[code]
    if (extra.place) this.place = extra.place
  }
}

/**
 * Thrown by `setup` when something outside is not ready yet. The plugin starts again after `retryAfter` milliseconds,
 * or with exponential backoff from 5 s to 10 min.
 */
export class NotReady extends Error {
  override readonly name = 'NotReady'
  readonly retryAfter?: number

  constructor(reason: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(reason, causeOf(options.cause))
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter
  }
}

/**
 * Thrown by `setup` when the host is useless without the plugin, for example when its port is taken. The command line
 * exits with `exitCode`.
 */
export class FatalError extends Error {
  override readonly name = 'FatalError'
  readonly exitCode: number
  readonly hint: string

  constructor(message: string, options: { exitCode: number; hint: string; cause?: unknown }) {
    super(message, causeOf(options.cause))
    this.exitCode = options.exitCode
    this.hint = options.hint
  }
}
