import { point, service, type Service } from '@mynah/kernel'
import type { CodeReload, DevStatus, PackagePlan, PackageRun } from '@mynah/contract/types'

export { reasonRedactor } from './reason-redactor.js'

/** One value of a metric. */
export interface Sample {
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
  /** Suffix of the name, such as `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string
}

/** A metric of `GET {api_prefix}/metrics`, in the terms of Prometheus. */
export interface Metric {
  /** Letters, digits and `_`, with the unit: `greeter_greetings_total`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** Called at each scrape. */
  collect(): number | readonly Sample[] | Promise<number | readonly Sample[]>
}

/** All metrics of a host. */
export const metrics = point<Metric>({
  id: 'management.metrics',
  key: (metric) => metric.name,
  describe: (metric) => ({ name: metric.name, description: metric.help }),
})

/**
 * Divides the name of a package from its version, range or tag, such as `@acme/dice@^1.2.0`. Checks neither.
 */
export function splitPackageSpec(text: string): { readonly name: string; readonly range?: string } {
  const at = text.indexOf('@', 1)
  return at < 0 ? { name: text } : { name: text.slice(0, at), range: text.slice(at + 1) }
}

/** Packages to install, to replace or to remove. Exactly one of the three is given. */
export interface PackageRequest {
  /** Names, each with a version or range after `@`. */
  readonly add?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
  readonly update?: readonly string[] | undefined
}

/** How a plan is carried out. */
export interface PackageApply {
  /** Name of the token. */
  readonly by: string
  /** Install scripts that may run, each as `name@version`. */
  readonly scripts?: readonly string[] | undefined
  /** Whether the caller lists the plugins in the configuration afterwards. */
  readonly listing?: boolean | undefined
}

/**
 * Installs packages in the folder of the host. Nothing changes before a plan is applied. One run at a time changes the
 * packages, also of those that the command line starts.
 */
export interface Packages {
  /**
   * Returns what a request would change.
   *
   * @throws WireError `invalid_request`, `not_found`, `unsupported`, `upstream_unavailable`
   */
  plan(request: PackageRequest): Promise<PackagePlan>
  /**
   * Carries out a plan and returns at once.
   *
   * @throws WireError `not_found` for a plan that is unknown or too old, `forbidden` for one that is refused or has
   *   scripts that are not confirmed
   */
  apply(planId: string, options: PackageApply): string
  /** @throws WireError `not_found`, or `conflict` for a run that has begun to swap the packages or has ended */
  cancel(runId: string): void
  /**
   * Returns the plan that puts the packages of before the last run back.
   *
   * @throws WireError `conflict` where there are none
   */
  rollback(): Promise<PackagePlan>
  /** Returns runs, the newest first. */
  runs(limit: number, before?: number): { readonly runs: PackageRun[]; readonly rollback: boolean }
  /** Notes that the configuration lists the plugins of a run. */
  listed(runId: string): void
  /** Calls `listener` for each step of a run. Returns a function that removes it. */
  listen(listener: (run: PackageRun) => void): () => void
}
/** Provided where `mynah start` or `mynah dev` runs the host. */
export const Packages: Service<Packages> = service<Packages>('packages')

export type { CodeReload }

/** Loads changed code of plugins while the host runs. */
export interface PluginReloader {
  /** Loads the code of a plugin once more. The code before runs on if that cannot be loaded or does not start. */
  reload(plugin: string): Promise<CodeReload>
}
/** Provided where `mynah start` or `mynah dev` runs the host. */
export const PluginReloader: Service<PluginReloader> = service<PluginReloader>('plugin-reloader')

/** The state of the code that `mynah dev` watches. */
export interface AuthorLoop {
  status(): DevStatus
  /** Calls `listener` after each change. Returns a function that removes it. */
  listen(listener: (status: DevStatus) => void): () => void
}
/** Provided where `mynah dev` runs the host. */
export const AuthorLoop: Service<AuthorLoop> = service<AuthorLoop>('author-loop')
