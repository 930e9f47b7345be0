import { WireError } from '@mynah/contract'
import type { PackagePlan, PackageRun } from '@mynah/contract/types'
import { messageOf, type ConfigurationWriter, type Logger, type Ref } from '@mynah/kernel'
import { splitPackageSpec, type PackageRequest, type Packages } from '@mynah/plugin-management/api'
import { isPlugin, withEntries, withoutEntries } from './entries.js'
import { refusalsOf, type InstallPolicy } from './policy.js'

/** Runs that are looked at when the host starts. */
const MAX_RUNS = 20
/** Runs whose packages are in place when the host starts, since a swap is finished before. */
const ENTERED: readonly PackageRun['state'][] = ['swapping', 'starting', 'done']
const ENDED: readonly PackageRun['state'][] = ['done', 'refused', 'cancelled', 'failed', 'rolled-back']

interface Parts {
  readonly packages: Ref<Packages>
  readonly writer: Ref<ConfigurationWriter>
  readonly policy: InstallPolicy
  readonly log: Logger
}

/** Installs packages as far as the configuration allows it, and lists their plugins. */
export class Installer {
  readonly #parts: Parts
  /** Why the configuration refuses plans, by their ids. */
  readonly #refused = new Map<string, readonly string[]>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Whether packages can be installed here. */
  get isOn(): boolean {
    return this.#parts.packages.current !== undefined && this.#parts.policy.install !== 'off'
  }

  /** @throws WireError `unsupported` where nothing installs packages */
  get service(): Packages {
    const found = this.#parts.packages.current
    if (found) return found
    throw new WireError('unsupported', 'Packages are installed where `mynah start` or `mynah dev` runs the host')
  }

  /** @throws WireError `forbidden` where the configuration says so, and as {@link Packages.plan} */
  async plan(request: PackageRequest): Promise<PackagePlan> {
    const plan = await this.#changing.plan(request)
    const refusals = [...plan.refusals, ...refusalsOf(plan, this.#parts.policy)]
    if (refusals.length > 0) this.#refused.set(plan.planId, refusals)
    return { ...plan, refusals }
  }

  rollback(): Promise<PackagePlan> {
    return Promise.resolve(this.#changing.rollback())
  }

  cancel(runId: string): void {
    this.#changing.cancel(runId)
  }

  /**
   * Carries out a plan, and lists new plugins in the configuration, off.
   *
   * @param by name of a token, or of the owner who has approved it
   * @returns the id of the run, at once
   * @throws WireError `forbidden` for a plan that is refused, and as {@link Packages.apply}
   */
  apply(planId: string, by: string, scripts?: readonly string[]): string {
    const why = this.#refused.get(planId)
    if (why) throw new WireError('forbidden', why.join('; '))
    const runId = this.#changing.apply(planId, { by, scripts, listing: true })
    void this.#untilOver(runId, ({ state }) => state === 'starting').then((run) =>
      this.#enter(run).catch((error: unknown) => this.#parts.log.error(`failed to list plugins: ${messageOf(error)}`)),
    )
    return runId
  }

  /** Resolves with the end of a run. One that takes effect at a restart ends with this process. */
  ended(runId: string): Promise<PackageRun> {
    return this.#untilOver(runId, () => false)
  }

  /** Lists the plugins of runs after which the host was killed before it could. */
  async enterRest(): Promise<void> {
    const { runs = [] } = this.#parts.packages.current?.runs(MAX_RUNS) ?? {}
    // The oldest first: a plugin that was added and removed is gone.
    for (const run of runs.filter((one) => one.listing === true && ENTERED.includes(one.state)).reverse())
      await this.#enter({ ...run, state: 'done' })
  }

  get #changing(): Packages {
    const found = this.service
    if (this.#parts.policy.install === 'off')
      throw new WireError('forbidden', 'Installing is off: marketplace.install is "off"')
    return found
  }

  #untilOver(runId: string, isOver: (run: PackageRun) => boolean): Promise<PackageRun> {
    const packages = this.service
    return new Promise((resolve) => {
      const look = (run: PackageRun | undefined): void => {
        if (run?.runId !== runId || !(ENDED.includes(run.state) || isOver(run))) return
        stop()
        resolve(run)
      }
      const stop = packages.listen(look)
      look(packages.runs(MAX_RUNS).runs.find((run) => run.runId === runId))
    })
  }

  /** Lists new plugins in the configuration, off, and removes those that are gone. */
  async #enter({ runId, state, action, packages }: PackageRun): Promise<void> {
    const { writer, packages: service } = this.#parts
    if (state !== 'done' || !writer.current || !service.current) return
    const names = packages.map((text) => splitPackageSpec(text).name).filter(isPlugin)
    if (names.length > 0 && (action === 'add' || action === 'remove')) {
      const change = action === 'add' ? withEntries : withoutEntries
      await writer.current.changePlugins((items) => change(items, names))
    }
    service.current.listed(runId)
  }
}
