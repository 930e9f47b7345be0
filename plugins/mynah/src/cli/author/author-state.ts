import type { DevCheck, DevFailure, DevStatus } from '@mynah/contract'

/** Failures of a status. The rest is counted. */
const MOST_LISTED = 50

/** The checks that run with the host. */
export type CheckedPart = 'types' | 'page'

interface Part {
  check: DevCheck
  failures: readonly DevFailure[]
}

/** The failures that are not fixed in the code that `mynah dev` watches. */
export class AuthorState {
  /** By plugin, in the order in which they failed. */
  readonly #code = new Map<string, DevFailure>()
  readonly #parts: Readonly<Record<CheckedPart, Part>> = {
    types: { check: 'off', failures: [] },
    page: { check: 'off', failures: [] },
  }
  readonly #changed: () => void

  constructor(changed: () => void) {
    this.#changed = changed
  }

  get status(): DevStatus {
    const { types, page } = this.#parts
    const all = [...Array.from(this.#code.values()).reverse(), ...page.failures, ...types.failures]
    return { failures: all.slice(0, MOST_LISTED), total: all.length, types: types.check, page: page.check }
  }

  checkOf(part: CheckedPart): DevCheck {
    return this.#parts[part].check
  }

  /** Replaces all failures of plugins, after a start of the host. */
  startedWith(failures: readonly DevFailure[]): void {
    this.#code.clear()
    for (const failure of failures) this.#code.set(failure.plugin ?? '', failure)
    this.#changed()
  }

  /** Notes how the code of a plugin was loaded: with a failure, or without one. */
  loaded(plugin: string, failure: DevFailure | undefined): void {
    const hadFailure = this.#code.delete(plugin)
    if (failure) this.#code.set(plugin, failure)
    if (failure || hadFailure) this.#changed()
  }

  /** Notes that a check runs. The former result stays until it has ended. */
  running(part: CheckedPart): void {
    this.#parts[part].check = 'running'
    this.#changed()
  }

  /** Notes the result of a check. */
  checked(part: CheckedPart, failures: readonly DevFailure[]): void {
    this.#parts[part].check = failures.length ? 'failed' : 'passed'
    this.#parts[part].failures = failures
    this.#changed()
  }

  /** Notes that there is nothing to check. */
  off(part: CheckedPart): void {
    this.#parts[part].check = 'off'
    this.#parts[part].failures = []
    this.#changed()
  }
}

/** Returns a failure in one line, with its place first. */
export function failureLine({ plugin, message, location }: DevFailure): string {
  const place = location && [location.file, location.line, location.column].filter(Boolean).join(':')
  const named = plugin === undefined ? message : `${plugin}: ${message}`
  return place === undefined || message.includes(place) ? named : `${place}: ${named}`
}
