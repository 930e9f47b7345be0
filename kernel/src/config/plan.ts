import { KernelError, type KernelCode } from '../base/errors.js'
import type { Checked, PluginEntry } from '../core/entry.js'
import type { Origin } from '../core/origin.js'
import { claimsOf, type AnyPlugin } from '../core/plugin.js'
import { castTouched } from './cast.js'
import { checkSection, warningsIn, loadValidator, mistakesIn, prepareChecks } from './check.js'
import { parseDocument, type ConfigDocument, type Section } from './document.js'
import { readEnvironment, Variables, type Environment } from './environment.js'
import { interpolate, type Interpolated } from './interpolate.js'
import { ItemSchemas } from './items.js'
import { PluginModules, type ImportModule, type LoadedPlugin, type RenewedModule } from './modules.js'
import { problem, problemError, type Problem } from './problem.js'
import type { InstalledPlugin } from './resolve.js'
import { omitUndefined } from '../util/omit-undefined.js'
import {
  conflicts,
  listPlugins,
  mayBeUnset,
  sectionFor,
  unclaimed,
  valueAt,
  type Claim,
  type ListedName,
  type OwnKeys,
} from './sections.js'
import { unmetNeeds } from './unmet-needs.js'

/** The plugins that a configuration text asks for, with their sections and all problems. */
export interface Plan {
  readonly problems: readonly Problem[]
  /** Absent when the text could not be parsed. */
  readonly document?: ConfigDocument
  /** The values with variables filled in. */
  readonly values: Section
  readonly entries: readonly PluginEntry[]
  readonly claims: readonly Claim[]
  readonly listed: readonly ListedName[]
  /** Restores the environment. */
  readonly undo: () => void
}

export interface PlannerOptions {
  readonly env: Environment
  readonly bases: readonly string[]
  readonly keys?: OwnKeys
  readonly importModule?: ImportModule
}

interface EnvironmentFiles {
  readonly variables: Readonly<Record<string, string>>
  readonly problems: readonly Problem[]
}

const noop = (): void => {}

/** Plans texts of one configuration file. */
export class Planner {
  readonly #root: string
  readonly #file: string
  readonly #variables: Variables
  readonly #modules: PluginModules
  readonly #keys: OwnKeys
  /** The variables of the `.env` files when they were last readable. */
  #files: Readonly<Record<string, string>> = {}

  constructor(root: string, file: string, { env, bases, keys = {}, importModule }: PlannerOptions) {
    this.#root = root
    this.#file = file
    this.#variables = new Variables(env)
    this.#modules = new PluginModules(root, bases, omitUndefined({ importModule }))
    this.#keys = keys
  }

  /**
   * Loads the code of a plugin once more. Plans that follow have it.
   *
   * @throws KernelError where it cannot be loaded
   */
  renew(origin: Origin): Promise<RenewedModule> {
    return this.#modules.renew(origin, origin.filePath)
  }

  installed(): readonly InstalledPlugin[] {
    return this.#modules.installed()
  }

  /**
   * Loads an installed plugin by its short name.
   *
   * @throws KernelError `plugin/unknown`, or the reason why it cannot be loaded
   */
  async load(name: string): Promise<AnyPlugin> {
    if (!this.installed().some((one) => one.name === name))
      throw new KernelError('plugin/unknown', `no plugin "${name}" is installed`)
    const { plugin, failure } = await this.#modules.load({ name, enabled: false, path: '' })
    if (failure) throw failure
    return plugin
  }

  /** Lets plans that follow load modules again that could not be loaded. */
  retryFailed(): void {
    this.#modules.retryFailed()
  }

  /** Plans a text that will run. Its variables are in the environment when plugins are loaded and checked. */
  async plan(text: string): Promise<Plan> {
    const { document, problems } = parseDocument(text, this.#file)
    if (!document) return { problems, values: {}, entries: [], claims: [], listed: [], undo: noop }
    const files = await this.#readFiles()
    const before = this.#files
    const restore = this.#variables.put(files.variables)
    this.#files = files.variables
    const undo = (): void => {
      restore()
      this.#files = before
    }
    return { ...(await this.#planDocument(document, files, (assign) => assign())), undo }
  }

  /** Returns all problems that a start with this text would report. Changes nothing, not even the environment. */
  async check(text: string): Promise<readonly Problem[]> {
    const { document, problems } = parseDocument(text, this.#file)
    if (!document) return problems
    const files = await this.#readFiles()
    const plan = await this.#planDocument(document, files, (assign) => {
      // Checks of plugins may read the environment, so it is changed while they run.
      const undo = this.#variables.put(files.variables)
      try {
        return assign()
      } finally {
        undo()
      }
    })
    return plan.problems
  }

  /** Returns the values of a text with variables filled in, without those that name an unset one. Loads no plugin. */
  async values(text: string): Promise<{ values: Section; problems: Problem[] }> {
    const { document, problems } = parseDocument(text, this.#file)
    if (!document) return { values: {}, problems }
    const files = await this.#readFiles()
    this.#variables.put(files.variables)
    this.#files = files.variables
    const env = this.#variables.current
    return {
      values: interpolate(document, env, () => true).values,
      problems: [...files.problems, ...interpolate(document, env).problems],
    }
  }

  /**
   * Returns a value with variables filled in, converted to the types of the schema. Changes nothing.
   *
   * @throws KernelError for the first mistake in `${…}`
   */
  async fill(value: Section, schema: object): Promise<Section> {
    const files = await this.#readFiles()
    const read = interpolate(
      { file: this.#file, text: '', source: value, place: (path) => ({ path }) },
      this.#variables.with(files.variables),
    )
    const [first] = [...files.problems, ...read.problems]
    if (first) throw new KernelError(first.code, first.message, { place: first.place ?? {} })
    return castTouched(read.values, schema, '', read.touched) as Section
  }

  async #planDocument(
    document: ConfigDocument,
    files: EnvironmentFiles,
    inEnvironment: <T>(assign: () => T) => T,
  ): Promise<Omit<Plan, 'undo'>> {
    const env = this.#variables.with(files.variables)
    const first = interpolate(document, env)
    const { listed, problems: shape } = listPlugins(first.values, document)
    const all = await Promise.all(listed.map((item) => this.#modules.load(item)))
    const { loaded, problems: names } = uniquePlugins(all, document)
    const plugins = loaded.map(({ plugin }) => plugin)
    // The claims of the loaded plugins say which variables may be unset.
    const read = first.unset.size ? interpolate(document, env, mayBeUnset(plugins)) : first
    const own = Object.keys(this.#keys).filter((path) => valueAt(read.values, path) !== undefined)
    await (own.length ? loadValidator() : prepareChecks(plugins))
    const { entries, claims, problems: sections } = inEnvironment(() => assign(loaded, read, document))
    const mistakes = own
      .flatMap((path) => mistakesIn(this.#keys[path] as object, valueAt(read.values, path), path))
      .map(({ path, message }) => problem('fatal', 'config/invalid', `${path} ${message}`, document.place(path)))
    return {
      document,
      values: read.values,
      entries,
      claims,
      listed: all.map(({ name, plugin }) => ({ name, plugin: plugin.name })),
      problems: [
        ...files.problems,
        ...read.problems,
        ...shape,
        ...mistakes,
        ...names,
        ...sections,
        ...unmetNeeds(loaded, document),
        ...unclaimed(read.values, claims, this.#keys, document),
      ],
    }
  }

  async #readFiles(): Promise<EnvironmentFiles> {
    try {
      return { variables: await readEnvironment(this.#root, this.#variables.current['NODE_ENV']), problems: [] }
    } catch (error) {
      if (!(error instanceof KernelError)) throw error
      // The host keeps its variables until the files are readable again.
      return { variables: this.#files, problems: [problem('fatal', error.code, error.message, error.place)] }
    }
  }
}

const isMissing = ({ unknown, failure }: LoadedPlugin): boolean => unknown !== undefined || failure !== undefined

/** Returns each plugin once. Unknown plugins, failed ones and duplicates become problems. */
function uniquePlugins(
  all: readonly LoadedPlugin[],
  document: ConfigDocument,
): { loaded: LoadedPlugin[]; problems: Problem[] } {
  const byName = new Map<string, LoadedPlugin>()
  const problems: Problem[] = []
  for (const item of all) {
    const { name } = item.plugin
    const add = (severity: Problem['severity'], code: KernelCode, message: string): void =>
      void problems.push(problem(severity, code, message, document.place(item.path), name))
    if (item.unknown !== undefined) add(item.enabled ? 'fatal' : 'warning', 'plugin/unknown', item.unknown)
    else if (item.failure) add(item.enabled ? 'plugin' : 'warning', item.failure.code, item.failure.message)
    if (item.stale !== undefined && item.enabled) add('warning', 'plugin/changed-code', item.stale)
    const other = byName.get(name)
    // The name of a plugin that could not be loaded is only derived, so it yields to a loaded one.
    if (other && isMissing(item)) continue
    if (other && !isMissing(other)) {
      const first = `"${other.name}" at ${other.path}`
      const message = `"${item.name}" is the plugin ${name}, which ${first} is already; this entry is ignored`
      add('warning', 'plugin/duplicate-name', message)
    } else byName.set(name, item)
  }
  return { loaded: Array.from(byName.values()), problems }
}

function assign(
  loaded: readonly LoadedPlugin[],
  read: Interpolated,
  document: ConfigDocument,
): { entries: PluginEntry[]; claims: Claim[]; problems: Problem[] } {
  const claims = loaded.flatMap(({ plugin }) => claimsOf(plugin).map(({ path }) => ({ plugin: plugin.name, path })))
  const problems: Problem[] = conflicts(loaded, document)
  const items = new ItemSchemas(
    loaded.filter(({ enabled }) => enabled).map(({ plugin }) => plugin),
    read,
  )
  const entries = loaded.map(({ plugin, enabled, origin }): PluginEntry => {
    const config = items.cast(plugin, sectionFor(plugin, read.values, claims, read.touched))
    const checked = checkSection(plugin, config)
    const found = enabled ? problemsOf(plugin, checked, read, document) : []
    const conflict = enabled
      ? problems.find((other) => other.code === 'config/conflicting-claims' && other.plugin === plugin.name)
      : undefined
    problems.push(...found)
    if (enabled && found.length === 0)
      problems.push(...items.problems(plugin, config, document), ...warningsOf(plugin, checked, document))
    const first = conflict ?? found[0]
    return omitUndefined({ plugin, config, checked, enabled, origin, refused: first && problemError(first) })
  })
  return { entries, claims, problems }
}

function warningsOf(plugin: AnyPlugin, { section }: Checked, document: ConfigDocument): Problem[] {
  return warningsIn(plugin, section).map(({ path, message }) =>
    problem('warning', 'config/doubtful', `${path} ${message}`, document.place(path), plugin.name),
  )
}

function problemsOf(plugin: AnyPlugin, { mistakes }: Checked, read: Interpolated, document: ConfigDocument): Problem[] {
  return mistakes
    .filter(({ path }) => !read.unset.has(path))
    .map(({ path, message, fatal }) =>
      problem(fatal ? 'fatal' : 'plugin', 'config/invalid', `${path} ${message}`, document.place(path), plugin.name),
    )
}
