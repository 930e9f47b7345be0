import { isRecord, isWireError, unmaskSecrets, WireError } from '@mynah/contract'
import { KernelError, type Configuration, type InstalledPlugin } from '@mynah/kernel'
import type { Values } from './changes.js'
import type { Caller } from './config-file.js'
import type { ChangeResult, ConfigService } from './service.js'

/** Names of plugins and of packages. Paths are not accepted: a request must not choose which files run. */
const PLUGIN_NAME = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i
/** Plugins without which the console could not change the list again. */
const OF_CONSOLE = ['http-core', 'management', 'console-rpc', 'workspace']

/** Returns the names by which a plugin is in the list. */
type NamesOf = (plugin: string) => readonly string[]

/** The list `plugins` of the configuration file. */
export class PluginList {
  readonly #configuration: Configuration
  readonly #config: ConfigService

  constructor(configuration: Configuration, config: ConfigService) {
    this.#configuration = configuration
    this.#config = config
  }

  /**
   * Adds plugins to the list, writes the file and applies the change.
   *
   * @param sections their sections by path, which are written first
   * @throws WireError `invalid_request:config` that names the command which installs a missing package
   */
  async enable(plugins: readonly string[], sections: Values, caller?: Caller): Promise<ChangeResult> {
    await this.#assertOwn(Object.keys(sections), plugins)
    return this.#withSections(Object.entries(sections), caller, () => this.#enable(plugins, caller))
  }

  /**
   * Disables plugins in the list, or takes them out, writes the file and applies the change.
   *
   * @throws WireError `not_found` for a plugin that is not listed
   */
  disable(plugins: readonly string[], how: 'disable' | 'remove', caller?: Caller): Promise<ChangeResult> {
    return this.#config.changePath('plugins', (list) => withDisabled(list, plugins, this.#namesOf, how), caller)
  }

  /** Returns the installed plugins that are not in the list. */
  unlisted(): readonly InstalledPlugin[] {
    const listed = new Set(this.#configuration.listed().flatMap(({ name, plugin }) => [name, plugin]))
    return this.#configuration.installed().filter((one) => !listed.has(one.name) && !listed.has(one.package))
  }

  /**
   * Returns the sections of an installed plugin with their schemas.
   *
   * @throws WireError `not_found`, or `invalid_request:config` where its code cannot be loaded
   */
  async describe(plugin: string): Promise<readonly { path: string; schema: object }[]> {
    try {
      return await this.#configuration.describe(plugin)
    } catch (error) {
      if (!(error instanceof KernelError)) throw error
      const code = error.code === 'plugin/unknown' ? 'not_found' : 'invalid_request:config'
      throw new WireError(code, error.message, { cause: error })
    }
  }

  readonly #namesOf: NamesOf = (plugin) =>
    this.#configuration
      .listed()
      .filter((item) => item.plugin === plugin)
      .map(({ name }) => name)

  #enable(plugins: readonly string[], caller: Caller): Promise<ChangeResult> {
    const change = (list: unknown): unknown[] => withEnabled(list, plugins, this.#namesOf)
    return this.#config.changePath('plugins', change, caller).catch((error: unknown) => {
      const [first] = isWireError(error) ? (error.details ?? []) : []
      // The line is that of a text which the caller has not seen.
      throw first ? new WireError('invalid_request:config', first.message, { cause: error }) : error
    })
  }

  /** Writes sections, does work, and restores the sections where that fails. */
  async #withSections<T>(
    [first, ...rest]: readonly [string, unknown][],
    caller: Caller,
    work: () => Promise<T>,
  ): Promise<T> {
    if (!first) return work()
    const [path, value] = first
    let before: unknown
    await this.#config.changePath(
      path,
      (old) => {
        before = old
        return unmaskSecrets(value, old)
      },
      caller,
    )
    try {
      return await this.#withSections(rest, caller, work)
    } catch (error) {
      await this.#config.changePath(path, () => before)
      throw error
    }
  }

  async #assertOwn(paths: readonly string[], plugins: readonly string[]): Promise<void> {
    if (paths.length === 0) return
    const claims = (await Promise.all(plugins.map((plugin) => this.describe(plugin)))).flat()
    const other = paths.find((path) => claims.every((claim) => claim.path !== path))
    if (other !== undefined) throw new WireError('invalid_request', `"${other}" is no section of ${plugins.join(', ')}`)
  }
}

const nameOf = (item: unknown): unknown => (isRecord(item) ? item['name'] : item)
const itemsOf = (list: unknown): unknown[] => (Array.isArray(list) ? list : [])

/**
 * Returns the list `plugins` with these plugins enabled. Those that are listed keep their place.
 *
 * @throws WireError `invalid_request` for a path
 */
function withEnabled(list: unknown, plugins: readonly string[], namesOf: NamesOf): unknown[] {
  const bad = plugins.find((name) => !PLUGIN_NAME.test(name))
  if (bad !== undefined) throw new WireError('invalid_request', `"${bad}" is no name of a plugin or of its package`)
  const items = itemsOf(list)
  const listed = (plugin: string): readonly string[] => [plugin, ...namesOf(plugin)]
  const wanted = new Set(plugins.flatMap(listed))
  const kept = items.map((item) =>
    isRecord(item) && wanted.has(String(item['name'])) && item['enabled'] !== true ? item['name'] : item,
  )
  const isNew = (plugin: string): boolean => !items.some((item) => listed(plugin).includes(String(nameOf(item))))
  return [...kept, ...new Set(plugins.filter(isNew))]
}

/**
 * Returns the list `plugins` with these plugins disabled, or without them.
 *
 * @throws WireError `not_found` for a plugin that is not listed, `invalid_request:config` for one of the console
 */
function withDisabled(
  list: unknown,
  plugins: readonly string[],
  namesOf: NamesOf,
  how: 'disable' | 'remove',
): unknown[] {
  const items = itemsOf(list)
  const names = new Set<unknown>()
  for (const plugin of plugins) {
    const own = items.map(nameOf).filter((name) => name === plugin || namesOf(plugin).includes(String(name)))
    if (own.length === 0) throw new WireError('not_found', `"${plugin}" is not in the list of plugins`)
    if (OF_CONSOLE.includes(plugin))
      throw new WireError(
        'invalid_request:config',
        `${plugin} stays enabled: the console could not enable it again. Edit the file on the host to disable it`,
      )
    for (const name of own) names.add(name)
  }
  if (how === 'remove') return items.filter((item) => !names.has(nameOf(item)))
  return items.map((item) => (names.has(nameOf(item)) ? { name: nameOf(item), enabled: false } : item))
}
