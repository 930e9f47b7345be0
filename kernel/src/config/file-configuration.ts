import type { TSchema } from 'typebox'
import type { PluginEntry } from '../core/entry.js'
import type { Host } from '../core/host.js'
import { KernelError } from '../base/errors.js'
import { toError } from '../base/to-error.js'
import { claimsOf, type AnyPlugin } from '../core/plugin.js'
import { SerialQueue } from '../util/serial-queue.js'
import { exchanged, wrote, type Applied, type Configuration, type Renewed } from './configuration.js'
import type { Section } from './document.js'
import { readTextFile } from './encoding.js'
import { inAllLanguages } from './option-descriptions.js'
import { LoadTimeout, type RenewedModule } from './modules.js'
import type { Plan, Planner } from './plan.js'
import { problem, problemError, type Problem } from './problem.js'
import type { InstalledPlugin } from './resolve.js'
import type { Claim, ListedName } from './sections.js'

const refusedFor = (problems: readonly Problem[]): Applied => ({
  accepted: false,
  refusals: [],
  updated: [],
  restarted: [],
  problems,
})

const described = (plugin: AnyPlugin): { path: string; schema: TSchema }[] =>
  claimsOf(plugin).map(({ path, schema }) => ({ path, schema: inAllLanguages(plugin, path, schema) }))

/** The configuration file that the loader read. */
export class FileConfiguration implements Configuration {
  readonly file: string
  readonly root: string
  readonly #planner: Planner
  readonly #learn: (entries: readonly PluginEntry[]) => void
  #plan: Plan
  #host: Host | undefined
  readonly #edits = new SerialQueue()

  /** @param learn called with each configuration before plugins receive it */
  constructor(
    file: string,
    root: string,
    planner: Planner,
    plan: Plan,
    learn: (entries: readonly PluginEntry[]) => void,
  ) {
    this.file = file
    this.root = root
    this.#planner = planner
    this.#plan = plan
    this.#learn = learn
    learn(plan.entries)
  }

  attach(host: Host): void {
    this.#host = host
  }

  text(): string {
    return this.#plan.document?.text ?? ''
  }

  source(): Section {
    return this.#plan.document?.source ?? {}
  }

  claims(): readonly Claim[] {
    return this.#plan.claims
  }

  listed(): readonly ListedName[] {
    return this.#plan.listed
  }

  installed(): readonly InstalledPlugin[] {
    return this.#planner.installed()
  }

  async describe(plugin: string): Promise<readonly { path: string; schema: TSchema }[]> {
    return described(await this.#planner.load(plugin))
  }

  schemas(): Record<string, { path: string; schema: TSchema }[]> {
    return Object.fromEntries(this.#plan.entries.map(({ plugin }) => [plugin.name, described(plugin as AnyPlugin)]))
  }

  fill(value: Section, schema: object): Promise<Section> {
    return this.#planner.fill(value, schema)
  }

  check(text: string): Promise<readonly Problem[]> {
    return this.#planner.check(text)
  }

  async apply(text?: string): Promise<Applied> {
    // Edits run one by one, so that each finds what the one before assigned. It does not wait for the plugins of that
    // one.
    const report = await this.#edits.run(() => this.#apply(text))
    return report()
  }

  /** Makes the edit. The returned function waits for the affected plugins. */
  async #apply(given: string | undefined): Promise<() => Promise<Applied>> {
    let text: string
    try {
      text = given ?? (await readTextFile(this.file))
    } catch (error) {
      if (!(error instanceof KernelError)) throw error
      const unreadable = problem('fatal', error.code, error.message, error.place)
      return () => Promise.resolve(refusedFor([unreadable]))
    }
    this.#planner.retryFailed()
    const plan = await this.#planner.plan(text)
    const { problems } = plan
    if (!this.#host || problems.some((found) => found.severity === 'fatal' || this.#isNewItem(found))) {
      plan.undo()
      return () => Promise.resolve(refusedFor(problems))
    }
    this.#learn(plan.entries)
    const { accepted, report } = await this.#host.edit(plan.entries)
    if (accepted) {
      const before = this.source()
      this.#plan = plan
      this.#host.emit(exchanged, { text, before, now: this.source() })
    } else {
      plan.undo()
    }
    return async () => ({ ...(await report()), problems })
  }

  renew(plugin: string): Promise<Renewed> {
    // The whole renewal is one edit: until it is over, the code that the next one finds is not known.
    return this.#edits.run(() => this.#renew(plugin))
  }

  async #renew(name: string): Promise<Renewed> {
    const origin = this.#plan.entries.find(({ plugin }) => plugin.name === name)?.origin
    if (!this.#host || !origin)
      throw new KernelError('host/unknown-plugin', `No plugin of the configuration is called "${name}"`)
    let module: RenewedModule
    try {
      module = await this.#planner.renew(origin)
    } catch (error) {
      const { cause } = error as KernelError
      if (cause instanceof LoadTimeout) return { state: 'restart', reason: cause.message }
      return { state: 'refused', error: toError(error) }
    }
    let plan: Plan | undefined
    let isInUse = false
    try {
      plan = await this.#planner.plan(this.text())
      const result = await this.#exchangeCode(this.#host, name, module, plan)
      isInUse = result.state === 'renewed' || result.state === 'failed'
      if (isInUse) this.#plan = plan
      return result
    } finally {
      if (!isInUse) {
        plan?.undo()
        module.undo()
      }
    }
  }

  /** Lets the host run new code of the plugin that is called `name` up to now. */
  async #exchangeCode(host: Host, name: string, { plugin, previous }: RenewedModule, plan: Plan): Promise<Renewed> {
    const known = new Set(this.#plan.problems.map(({ message }) => message))
    const problem = plan.problems.find(
      ({ severity, code, message }) =>
        (severity === 'fatal' || code === 'config/conflicting-claims') && !known.has(message),
    )
    if (problem) return { state: 'refused', error: problemError(problem) }
    if (plugin.name !== name && previous)
      return { state: 'restart', reason: `the plugin ${name} is now called ${plugin.name}` }
    const entry = plan.entries.find((planned) => planned.plugin === plugin)
    if (!entry) {
      const message = `another plugin is called ${plugin.name} as well`
      return { state: 'refused', error: new KernelError('plugin/duplicate-name', message) }
    }
    this.#learn(plan.entries)
    if (plugin.name === name) return host.renew(entry)
    // It has failed to load up to now, under a name that was derived from that of its file.
    const { accepted, refusals } = await host.configure(plan.entries)
    const mistake = refusals.flatMap(({ mistakes }) => mistakes)[0]
    return accepted
      ? { state: 'renewed' }
      : { state: 'refused', error: new KernelError('config/invalid', mistake?.message ?? 'its section is refused') }
  }

  /** Whether a problem would disable an item, such as an account, that has none in the configuration that runs. */
  #isNewItem({ severity, code, place, plugin }: Problem): boolean {
    if (severity !== 'item') return false
    const before = this.#plan.problems.filter((known) => known.severity === 'item')
    return !before.some((known) => known.code === code && known.plugin === plugin && known.place?.path === place?.path)
  }

  wrote(file: string, text: string): void {
    this.#host?.emit(wrote, { file, text })
  }
}
