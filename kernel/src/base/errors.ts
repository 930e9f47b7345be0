// The one catalogue of what the kernel refuses, with a remedy for each.
import { toError } from './to-error.js'

/** Meaning and remedy of each kernel error code. `docs/errors.md` shows the same list. */
export const kernelErrors = {
  'config/unreadable': 'Check that the file exists and may be read, or name another with -c',
  'config/syntax': 'Mend the YAML at the place named',
  'config/shape': 'See the README for the shape of the configuration file',
  'config/missing-variable': 'Set the variable in the environment or in .env, or give a default: ${NAME:-default}',
  'config/invalid': 'Change the value at the path named',
  'config/unclaimed': 'Remove the section, or enable the plugin that reads it',
  'config/conflicting-claims': 'Disable one of the two plugins',
  'plugin/unknown': 'Install the package beside the configuration file, or mend the name',
  'plugin/unloadable': 'Mend the module at the place named; the rest of the host runs',
  'plugin/bad-definition': 'The default export must come from definePlugin',
  'plugin/duplicate-name': 'Keep one of the two entries',
  'plugin/setup-failed': 'Mend what the message names; the rest of the host runs',
  'plugin/setup-timeout': 'Setup may take 60 s; do long work after it, or raise setupTimeout',
  'plugin/failed-later': 'The cause follows; the plugin may be degraded',
  'need/cycle': 'Make one of these needs ref(…)',
  'need/duplicate-provider': 'Disable one of the two plugins',
  'service/undeclared': 'List the service in `provides`',
  'service/already-provided': 'A service is provided once; end the first before providing again',
  'contribution/duplicate': 'Rename one of the two, or disable its plugin',
  'scope/closed': 'The plugin has stopped; keep no reference to its context',
  'scope/dispose-failed': 'Mend the disposer named',
  'scope/dispose-late': 'A disposer has 5 s; do not wait in it for what may never come',
  'hook/listener-failed': 'The cause follows; other listeners ran',
  'host/unknown-plugin': 'See the list of plugins',
  'host/stopped': 'Create a new host',
  'host/loop-blocked': 'Split long work, await in between, or move it to a worker thread',
  'di/not-loaded': 'Import the decorators from @mynah/kernel/di',
  'di/missing-token': 'Put @inject(TOKEN) on every constructor parameter',
} as const satisfies Record<string, string>

export type KernelCode = keyof typeof kernelErrors

/** Where a mistake stands in the configuration. */
export interface SourceLocation {
  readonly file?: string
  readonly line?: number
  readonly path?: string
}

/** A cause is kept as an error that anybody may read. */
const causeOf = (cause: unknown): ErrorOptions | undefined =>
  cause === undefined ? undefined : { cause: toError(cause) }

/** A refusal of the kernel: what, where, and what to do. */
export class KernelError extends Error {
  override readonly name = 'KernelError'
  readonly code: KernelCode
  /** What to do about it. */
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
 * Thrown by `setup` when something outside is not there yet: the plugin is tried again, after `retryAfter` ms or with a
 * growing pause from 5 s to 10 min.
 */
export class NotReady extends Error {
  override readonly name = 'NotReady'
  readonly retryAfter?: number

  constructor(reason: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(reason, causeOf(options.cause))
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter
  }
}

/** Thrown by `setup` when the whole start makes no sense without it, such as a taken port: the command line exits with `exitCode`. */
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
