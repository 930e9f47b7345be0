// What is wrong with a configuration, as one list: what, where, what to do, and whom it stops.
import { KernelError, kernelErrors, type KernelCode, type SourceLocation } from '../base/errors.js'

/** One thing wrong with a configuration. */
export interface Problem {
  /** `fatal` ends the start, `plugin` stops one plugin, `warning` stops nothing. */
  readonly severity: 'fatal' | 'plugin' | 'warning'
  readonly code: KernelCode
  readonly message: string
  readonly hint: string
  readonly place?: SourceLocation
  /** The plugin concerned. */
  readonly plugin?: string
}

/** Builds a problem; the hint is the one of its code. */
export function problem(
  severity: Problem['severity'],
  code: KernelCode,
  message: string,
  place?: SourceLocation,
  plugin?: string,
): Problem {
  return {
    severity,
    code,
    message,
    hint: kernelErrors[code],
    ...(place ? { place } : {}),
    ...(plugin ? { plugin } : {}),
  }
}

/** A problem as the error that stops a plugin. */
export function problemError(found: Problem): KernelError {
  return new KernelError(found.code, `${where(found.place)}${found.message}`, { place: found.place ?? {} })
}

/** `file:line: `, as far as it is known. */
function where(place: SourceLocation | undefined): string {
  if (!place?.file) return ''
  return place.line === undefined ? `${place.file}: ` : `${place.file}:${place.line}: `
}

/** A problem as one line for people, its remedy on a second. */
export function describeProblem(found: Problem): string {
  return `${where(found.place)}${found.message}\n    ${found.hint} [${found.code}]`
}

/** Thrown where a configuration does not allow a host to start; lists everything that is wrong. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(describeProblem).join('\n'))
    this.problems = problems
  }
}
