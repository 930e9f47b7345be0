import { KernelError, kernelErrors, type KernelCode, type SourceLocation } from '../base/errors.js'
import { omitUndefined } from '../util/omit-undefined.js'

/** A problem of a configuration. */
export interface Problem {
  /**
   * `fatal` prevents the start, `plugin` prevents that of one plugin, `item` disables one item of a list, such as an
   * account, and `warning` prevents nothing.
   */
  readonly severity: 'fatal' | 'plugin' | 'item' | 'warning'
  readonly code: KernelCode
  readonly message: string
  readonly hint: string
  readonly place?: SourceLocation
  /** The plugin that has the problem. */
  readonly plugin?: string
}

/** Creates a problem. The hint is that of its code. */
export function problem(
  severity: Problem['severity'],
  code: KernelCode,
  message: string,
  place?: SourceLocation,
  plugin?: string,
): Problem {
  return omitUndefined({ severity, code, message, hint: kernelErrors[code], place, plugin: plugin || undefined })
}

/** Returns the error with which a plugin fails because of a problem. */
export function problemError(found: Problem): KernelError {
  return new KernelError(found.code, `${locationPrefix(found.place)}${found.message}`, { place: found.place ?? {} })
}

/** Returns `file:line: `, as far as it is known. */
function locationPrefix(place: SourceLocation | undefined): string {
  if (!place?.file) return ''
  return place.line === undefined ? `${place.file}: ` : `${place.file}:${place.line}: `
}

/** Describes a problem for people: one line, and its remedy on a second. */
export function describeProblem(found: Problem): string {
  return `${locationPrefix(found.place)}${found.message}\n    ${found.hint} [${found.code}]`
}

/** Thrown when a configuration prevents the start of a host. Lists all problems. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(describeProblem).join('\n'))
    this.problems = problems
  }
}
