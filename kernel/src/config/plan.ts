// From the text of a configuration file to the plugins of a host with their sections, and everything wrong with them.
import { prepareChecks, resolveConfig } from './check.js'
import type { PluginEntry } from '../core/entry.js'
import { KernelError, type KernelCode } from '../core/errors.js'
import { claimsOf, type AnyPlugin, type Plugin } from '../core/plugin.js'
import { parseDocument, type ConfigDocument, type Section } from './document.js'
import { readEnvironment, type Environment } from './environment.js'
import { interpolate, type Interpolated } from './interpolate.js'
import { Modules, type Loaded } from './modules.js'
import { asError, problem, type Problem } from './problem.js'
import { conflicts, listPlugins, sectionFor, unclaimed, type Claim } from './sections.js'

/** A configuration as a host would run it. */
export interface Plan {
  readonly problems: readonly Problem[]
  /** Absent where the text could not be read at all. */
  readonly document?: ConfigDocument
  readonly entries: readonly PluginEntry[]
  readonly claims: readonly Claim[]
}

/** Makes plans for one configuration file. */
export class Planner {
  readonly #root: string
  readonly #file: string
  readonly #env: Environment
  readonly #modules: Modules
  /** Variables that came from files: they follow the files, all others win over them. */
  readonly #fromFiles = new Set<string>()

  constructor(root: string, file: string, options: { env: Environment; bases: readonly string[] }) {
    this.#root = root
    this.#file = file
    this.#env = options.env
    this.#modules = new Modules(root, options.bases)
  }

  /** Everything that the text asks for. Never rejects for what the text says. */
  async plan(text: string): Promise<Plan> {
    const { document, problems } = parseDocument(text, this.#file)
    if (!document) return { problems, entries: [], claims: [] }
    const environment = await this.#readEnvironment()
    const read = interpolate(document, this.#env)
    const { listed, problems: shape } = listPlugins(read.values, document)
    const all = await Promise.all(listed.map((item) => this.#modules.load(item)))
    const { loaded, problems: names } = unique(all, document)
    await prepareChecks(loaded.map(({ plugin }) => plugin))
    const { entries, claims, problems: sections } = assign(loaded, read, document)
    return { document, entries, claims, problems: [...environment, ...read.problems, ...shape, ...names, ...sections, ...unclaimed(read.values, claims, document)] }
  }

  /** The values of the text with variables filled in; no plugin is loaded. */
  async values(text: string): Promise<{ values: Section; problems: Problem[] }> {
    const { document, problems } = parseDocument(text, this.#file)
    if (!document) return { values: {}, problems }
    const environment = await this.#readEnvironment()
    const read = interpolate(document, this.#env)
    return { values: read.values, problems: [...environment, ...read.problems] }
  }

  async #readEnvironment(): Promise<Problem[]> {
    let found: Record<string, string>
    try {
      found = await readEnvironment(this.#root, this.#env['NODE_ENV'])
    } catch (error) {
      if (!(error instanceof KernelError)) throw error
      // What the host runs with stays until the files can be read again.
      return [problem('fatal', error.code, error.message, error.place)]
    }
    for (const name of this.#fromFiles) if (!Object.hasOwn(found, name)) delete this.#env[name]
    for (const [name, value] of Object.entries(found)) {
      if (this.#env[name] !== undefined && !this.#fromFiles.has(name)) continue
      this.#fromFiles.add(name)
      this.#env[name] = value
    }
    return []
  }
}

const isMissing = ({ unknown, failure }: Loaded): boolean => unknown !== undefined || failure !== undefined

/** Each plugin once; what is unknown or cannot be loaded becomes a problem. */
function unique(all: readonly Loaded[], document: ConfigDocument): { loaded: Loaded[]; problems: Problem[] } {
  const byName = new Map<string, Loaded>()
  const problems: Problem[] = []
  for (const item of all) {
    const { name } = item.plugin
    const add = (severity: Problem['severity'], code: KernelCode, message: string): void => void problems.push(problem(severity, code, message, document.place(item.path), name))
    if (item.unknown !== undefined) add(item.enabled ? 'fatal' : 'warning', 'plugin/unknown', item.unknown)
    else if (item.failure) add(item.enabled ? 'plugin' : 'warning', item.failure.code, item.failure.message)
    const other = byName.get(name)
    // What could not be loaded only guesses its name, and gives way.
    if (other && isMissing(item)) continue
    if (other && !isMissing(other)) add('warning', 'plugin/duplicate-name', `"${item.name}" is the plugin ${name}, which "${other.name}" at ${other.path} is already; this entry is ignored`)
    else byName.set(name, item)
  }
  return { loaded: Array.from(byName.values()), problems }
}

function assign(loaded: readonly Loaded[], read: Interpolated, document: ConfigDocument): { entries: PluginEntry[]; claims: Claim[]; problems: Problem[] } {
  const claims = loaded.flatMap(({ plugin }) => claimsOf(plugin).map(({ path }) => ({ plugin: plugin.name, path })))
  const problems: Problem[] = conflicts(loaded, document)
  const entries = loaded.map(({ plugin, enabled, origin }): PluginEntry => {
    const config = sectionFor(plugin, read.values, claims, read.touched)
    const found = enabled ? mistakesOf(plugin, config, read, document) : []
    const conflict = enabled ? problems.find((other) => other.code === 'config/conflicting-claims' && other.plugin === plugin.name) : undefined
    problems.push(...found)
    const first = conflict ?? found[0]
    return { plugin, config, enabled, ...(origin ? { origin } : {}), ...(first ? { refused: asError(first) } : {}) }
  })
  return { entries, claims, problems }
}

function mistakesOf(plugin: AnyPlugin, config: unknown, read: Interpolated, document: ConfigDocument): Problem[] {
  const severity = (plugin as Plugin).config?.fatal ? 'fatal' : 'plugin'
  return resolveConfig(plugin, config).mistakes
    .filter(({ path }) => !read.unset.has(path))
    .map(({ path, message }) => problem(severity, 'config/invalid', `${path} ${message}`, document.place(path), plugin.name))
}
