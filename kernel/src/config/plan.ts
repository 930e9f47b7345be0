// From the text of a configuration file to the plugins of a host with their sections, and everything wrong with them.
import { KernelError, type KernelCode } from '../base/errors.js'
import type { Checked, PluginEntry } from '../core/entry.js'
import { claimsOf, type AnyPlugin } from '../core/plugin.js'
import { checkSection, loadValidator, mistakesIn, prepareChecks } from './check.js'
import { parseDocument, type ConfigDocument, type Section } from './document.js'
import { readEnvironment, Variables, type Environment } from './environment.js'
import { interpolate, type Interpolated } from './interpolate.js'
import { Modules, type ImportModule, type Loaded } from './modules.js'
import { problem, problemError, type Problem } from './problem.js'
import {
  conflicts,
  listPlugins,
  mayBeUnset,
  sectionFor,
  unclaimed,
  valueAt,
  type Claim,
  type OwnKeys,
} from './sections.js'

/** A configuration as a host would run it. */
export interface Plan {
  readonly problems: readonly Problem[]
  /** Absent where the text could not be read at all. */
  readonly document?: ConfigDocument
  /** The values with variables filled in. */
  readonly values: Section
  readonly entries: readonly PluginEntry[]
  readonly claims: readonly Claim[]
  /** Gives the environment back as it was before. */
  readonly undo: () => void
}

export interface PlannerOptions {
  readonly env: Environment
  readonly bases: readonly string[]
  readonly keys?: OwnKeys
  readonly importModule?: ImportModule
}

interface Files {
  readonly variables: Readonly<Record<string, string>>
  readonly problems: readonly Problem[]
}

const nothing = (): void => {}

/** Makes plans for one configuration file. */
export class Planner {
  readonly #root: string
  readonly #file: string
  readonly #variables: Variables
  readonly #modules: Modules
  readonly #keys: OwnKeys
  /** The variables of the files as they could be read last. */
  #files: Readonly<Record<string, string>> = {}

  constructor(root: string, file: string, { env, bases, keys = {}, importModule }: PlannerOptions) {
    this.#root = root
    this.#file = file
    this.#variables = new Variables(env)
    this.#modules = new Modules(root, bases, importModule ? { importModule } : {})
    this.#keys = keys
  }

  /** The plan of a text that is to be run: its environment is there when plugins are loaded and checked. */
  async take(text: string): Promise<Plan> {
    const { document, problems } = parseDocument(text, this.#file)
    if (!document) return { problems, values: {}, entries: [], claims: [], undo: nothing }
    const files = await this.#readFiles()
    const before = this.#files
    const putBack = this.#variables.put(files.variables)
    this.#files = files.variables
    const undo = (): void => {
      putBack()
      this.#files = before
    }
    return { ...(await this.#plan(document, files, (assign) => assign())), undo }
  }

  /** Everything that a start with this text would say. Changes nothing, the environment included. */
  async look(text: string): Promise<readonly Problem[]> {
    const { document, problems } = parseDocument(text, this.#file)
    if (!document) return problems
    const files = await this.#readFiles()
    const plan = await this.#plan(document, files, (assign) => {
      // Checks of plugins may look at the environment: for them alone, and for no longer than they take.
      const undo = this.#variables.put(files.variables)
      try {
        return assign()
      } finally {
        undo()
      }
    })
    return plan.problems
  }

  /** The values of the text with variables filled in, without those that name an unset one; no plugin is loaded. */
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

  async #plan(
    document: ConfigDocument,
    files: Files,
    inEnvironment: <T>(assign: () => T) => T,
  ): Promise<Omit<Plan, 'undo'>> {
    const env = this.#variables.with(files.variables)
    const first = interpolate(document, env)
    const { listed, problems: shape } = listPlugins(first.values, document)
    const all = await Promise.all(listed.map((item) => this.#modules.load(item)))
    const { loaded, problems: names } = unique(all, document)
    const plugins = loaded.map(({ plugin }) => plugin)
    // Only now is it known who reads what, and whether it may be unset.
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
      problems: [
        ...files.problems,
        ...read.problems,
        ...shape,
        ...mistakes,
        ...names,
        ...sections,
        ...unclaimed(read.values, claims, this.#keys, document),
      ],
    }
  }

  async #readFiles(): Promise<Files> {
    try {
      return { variables: await readEnvironment(this.#root, this.#variables.current['NODE_ENV']), problems: [] }
    } catch (error) {
      if (!(error instanceof KernelError)) throw error
      // What the host runs with stays until the files can be read again.
      return { variables: this.#files, problems: [problem('fatal', error.code, error.message, error.place)] }
    }
  }
}

const isMissing = ({ unknown, failure }: Loaded): boolean => unknown !== undefined || failure !== undefined

/** Each plugin once; what is unknown or cannot be loaded becomes a problem. */
function unique(all: readonly Loaded[], document: ConfigDocument): { loaded: Loaded[]; problems: Problem[] } {
  const byName = new Map<string, Loaded>()
  const problems: Problem[] = []
  for (const item of all) {
    const { name } = item.plugin
    const add = (severity: Problem['severity'], code: KernelCode, message: string): void =>
      void problems.push(problem(severity, code, message, document.place(item.path), name))
    if (item.unknown !== undefined) add(item.enabled ? 'fatal' : 'warning', 'plugin/unknown', item.unknown)
    else if (item.failure) add(item.enabled ? 'plugin' : 'warning', item.failure.code, item.failure.message)
    const other = byName.get(name)
    // What could not be loaded only guesses its name, and gives way.
    if (other && isMissing(item)) continue
    if (other && !isMissing(other))
      add(
        'warning',
        'plugin/duplicate-name',
        `"${item.name}" is the plugin ${name}, which "${other.name}" at ${other.path} is already; this entry is ignored`,
      )
    else byName.set(name, item)
  }
  return { loaded: Array.from(byName.values()), problems }
}

function assign(
  loaded: readonly Loaded[],
  read: Interpolated,
  document: ConfigDocument,
): { entries: PluginEntry[]; claims: Claim[]; problems: Problem[] } {
  const claims = loaded.flatMap(({ plugin }) => claimsOf(plugin).map(({ path }) => ({ plugin: plugin.name, path })))
  const problems: Problem[] = conflicts(loaded, document)
  const entries = loaded.map(({ plugin, enabled, origin }): PluginEntry => {
    const config = sectionFor(plugin, read.values, claims, read.touched)
    const checked = checkSection(plugin, config)
    const found = enabled ? problemsOf(plugin, checked, read, document) : []
    const conflict = enabled
      ? problems.find((other) => other.code === 'config/conflicting-claims' && other.plugin === plugin.name)
      : undefined
    problems.push(...found)
    const first = conflict ?? found[0]
    return {
      plugin,
      config,
      checked,
      enabled,
      ...(origin ? { origin } : {}),
      ...(first ? { refused: problemError(first) } : {}),
    }
  })
  return { entries, claims, problems }
}

function problemsOf(plugin: AnyPlugin, { mistakes }: Checked, read: Interpolated, document: ConfigDocument): Problem[] {
  return mistakes
    .filter(({ path }) => !read.unset.has(path))
    .map(({ path, message, fatal }) =>
      problem(fatal ? 'fatal' : 'plugin', 'config/invalid', `${path} ${message}`, document.place(path), plugin.name),
    )
}
