import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KernelError } from '../base/errors.js'
import { messageOf } from '../base/to-error.js'
import { assertPlugin, claimsOf, type AnyPlugin } from '../core/plugin.js'
import { omitUndefined } from '../util/omit-undefined.js'
import { pathRedactor } from './paths.js'
import { installedPackages, resolveModule, unknownMessage, type InstalledPlugin, type ModuleOrigin } from './resolve.js'
import type { ListedPlugin } from './sections.js'

const IMPORT_TIMEOUT_MS = 20_000
/** Names of exports that a message lists. */
const MAX_LISTED_EXPORTS = 5

/**
 * Imports the module at a `file:` URL. Errors are reported as the reason why the plugin cannot be loaded, a
 * {@link KernelError} unchanged. With a `generation`, the module and those that it imports of its own are loaded once
 * more, and the loaded ones stay.
 */
export type ImportModule = (url: string, generation?: number) => Promise<Readonly<Record<string, unknown>>>

/** Returns the address of a module in a generation of its code. Node loads a module once for each address. */
export const generationUrl = (url: string, generation: number | undefined): string =>
  generation === undefined ? url : `${url}?mynah=${generation}`

const importAsIs: ImportModule = (url, generation) =>
  import(generationUrl(url, generation)) as Promise<Record<string, unknown>>

/** A listed plugin and the result of loading it. A plugin that failed to load is a placeholder whose setup fails. */
export interface LoadedPlugin extends ListedPlugin {
  readonly plugin: AnyPlugin
  readonly origin?: ModuleOrigin
  /** Why no plugin of that name was found. */
  readonly unknown?: string
  /** Why the module, which exists, could not be loaded. */
  readonly failure?: KernelError
  /** How the files have changed since the module was imported. */
  readonly stale?: string
}

/** A module as it was imported. */
interface Imported {
  readonly origin: ModuleOrigin
  readonly modified: number
  readonly plugin: Promise<AnyPlugin>
}

/** New code of a plugin, which is in use until `undo` is called. */
export interface RenewedModule {
  readonly plugin: AnyPlugin
  /** The code before; undefined where it could not be loaded. */
  readonly previous: AnyPlugin | undefined
  undo(): void
}

/** Thrown for a module that does not finish loading. It still runs, so only a new process is rid of it. */
export class LoadTimeout extends Error {}

/** Loads the plugins of one configuration file. Imports each module once, and a failed one again when asked. */
export class PluginModules {
  readonly #root: string
  readonly #bases: readonly string[]
  readonly #timeoutMs: number
  readonly #importModule: ImportModule
  /** Shortens paths in the messages of failed imports. */
  readonly #shorten: (text: string) => string
  // By URL. A changed configuration does not import a module again.
  readonly #imported = new Map<string, Imported>()
  /** URLs of modules that could not be loaded. Node keeps the failure, so the next attempt has another address. */
  readonly #failed = new Set<string>()
  readonly #placeholders = new Map<string, AnyPlugin>()
  #generation = 0

  /** @param options.timeoutMs time that a module may take to load, in milliseconds */
  constructor(
    root: string,
    bases: readonly string[],
    {
      timeoutMs = IMPORT_TIMEOUT_MS,
      importModule = importAsIs,
    }: { readonly timeoutMs?: number; readonly importModule?: ImportModule } = {},
  ) {
    this.#root = root
    this.#bases = bases
    this.#timeoutMs = timeoutMs
    this.#importModule = importModule
    this.#shorten = pathRedactor(root)
  }

  async load(listed: ListedPlugin): Promise<LoadedPlugin> {
    const found = resolveModule(listed.name, this.#root, this.#bases)
    if (!found) {
      const unknown = unknownMessage(listed.name, this.#root, this.#bases)
      return { ...listed, unknown, plugin: this.#placeholder(listed.name, new KernelError('plugin/unknown', unknown)) }
    }
    const imported = this.#imported.get(found.url) ?? this.#import(found, listed.name, this.#nextAttempt(found))
    const { origin } = imported
    const item = { ...listed, origin, ...omitUndefined({ stale: staleness(listed.name, imported, found) }) }
    try {
      return { ...item, plugin: await imported.plugin }
    } catch (error) {
      const failure = this.#failureOf(error, listed.name)
      return { ...item, failure, plugin: this.#placeholder(listed.name, failure) }
    }
  }

  /** Returns the plugins that can be listed by their short names. */
  installed(): readonly InstalledPlugin[] {
    return installedPackages(this.#root, this.#bases)
  }

  /** Lets modules that could not be loaded be imported once more: what they lacked may be there now. */
  retryFailed(): void {
    for (const url of this.#failed) this.#imported.delete(url)
  }

  #failureOf(error: unknown, name: string): KernelError {
    if (error instanceof KernelError) return error
    const installed = newlyInstalled(messageOf(error))
    const reason = installed
      ? `${installed} was installed after a failed attempt, and needs a restart of the host`
      : this.#shorten(messageOf(error))
    const message = `${name} cannot be loaded: ${reason}`
    return new KernelError('plugin/unloadable', message, { cause: error })
  }

  /**
   * Loads the code of a module once more.
   *
   * @throws KernelError where it cannot be loaded; the code before is still in use
   */
  async renew({ url }: Pick<ModuleOrigin, 'url'>, name: string): Promise<RenewedModule> {
    const before = this.#imported.get(url)
    if (!before) throw new KernelError('host/unknown-plugin', `${name} has not been loaded from a file`)
    const previous = await before.plugin.catch(() => undefined)
    // The module may lie elsewhere in a package of another version.
    const origin = resolveModule(name, this.#root, this.#bases) ?? before.origin
    const undo = (): void => {
      for (const known of [url, origin.url]) this.#imported.set(known, before)
    }
    try {
      const { plugin } = this.#import(origin, name, ++this.#generation)
      return { plugin: await plugin, previous, undo }
    } catch (error) {
      undo()
      throw this.#failureOf(error, name)
    }
  }

  #nextAttempt({ url }: ModuleOrigin): number | undefined {
    return this.#failed.delete(url) ? ++this.#generation : undefined
  }

  #import(origin: ModuleOrigin, name: string, generation?: number): Imported {
    const plugin = this.#importPlugin(origin, name, generation)
    const imported = { origin, modified: modifiedAt(origin.url), plugin }
    // One that did not finish loading still runs.
    plugin.catch((error: unknown) => error instanceof LoadTimeout || this.#failed.add(origin.url))
    this.#imported.set(origin.url, imported)
    return imported
  }

  async #importPlugin(origin: ModuleOrigin, name: string, generation: number | undefined): Promise<AnyPlugin> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new LoadTimeout(`its module did not finish loading within ${this.#timeoutMs / 1000} s`)),
        this.#timeoutMs,
      )
    })
    try {
      return pluginOf(await Promise.race([this.#importModule(origin.url, generation), late]), origin, name)
    } finally {
      clearTimeout(timer)
    }
  }

  #placeholder(listedName: string, failure: KernelError): AnyPlugin {
    const name = nameFrom(listedName)
    // The same failure returns the same plugin, so that a new configuration does not restart it and report it again.
    const key = `${name}\n${failure.message}`
    let placeholder = this.#placeholders.get(key)
    if (!placeholder) {
      placeholder = Object.freeze<AnyPlugin>({
        name,
        setup() {
          throw failure
        },
      })
      this.#placeholders.set(key, placeholder)
    }
    return placeholder
  }
}

/** Returns the time of the last change of a module's file; 0 for one of npm, which gives all files the same time. */
function modifiedAt(url: string): number {
  if (url.includes('/node_modules/')) return 0
  return statSync(fileURLToPath(url), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Returns how a module differs from the one that was imported, if it does. */
function staleness(name: string, { origin, modified }: Imported, found: ModuleOrigin): string | undefined {
  const until = 'runs until the host restarts'
  if (origin.version !== found.version)
    return `${name} ${found.version ?? ''} is installed, and ${origin.version ?? 'the version before'} ${until}`
  return modifiedAt(found.url) === modified ? undefined : `${name} has changed, and its code from before ${until}`
}

/** Derives a short name for a plugin that could not be loaded. */
function nameFrom(listed: string): string {
  const last =
    listed
      .split(/[\\/]/)
      .filter((part) => part !== '' && part !== '.' && part !== '..')
      .at(-1) ?? ''
  const name = last
    .replace(/\.[cm]?[jt]s$/, '')
    .replace(/^(mynah-)?plugin-/, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[^a-z0-9]+/i, '')
  return name || 'unnamed'
}

/** Returns the plugin that a module exports.
 *
 * @throws KernelError `plugin/bad-definition` when it exports none
 */
function pluginOf(module: Readonly<Record<string, unknown>>, { filename }: ModuleOrigin, name: string): AnyPlugin {
  const exported = module['default']
  const bad = (what: string): never => {
    throw new KernelError('plugin/bad-definition', `${name}: ${what}`)
  }
  if (exported === undefined) {
    const named = Object.keys(module)
      .filter((key) => key !== 'default' && key !== 'module.exports' && key !== '__esModule')
      .slice(0, MAX_LISTED_EXPORTS)
    bad(`${filename} has no default export${named.length ? `, only ${named.join(', ')}: write "export default"` : ''}`)
  }
  if (isCompiledToCommonJs(exported)) {
    const remedy = 'compile it to ES modules ("type": "module" in package.json, "module": "NodeNext" for TypeScript)'
    bad(`${filename} was compiled to CommonJS, which hides its default export: ${remedy}`)
  }
  assertPlugin(exported, name)
  for (const { path } of claimsOf(exported))
    if (typeof path !== 'string' || !path) bad('config must name the path that it claims')
  return exported
}

const isCompiledToCommonJs = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, '__esModule') && Object.hasOwn(value, 'default')

/** Returns the package of a failed import that is installed now. Some versions of Node remember that it was missing. */
function newlyInstalled(message: string): string | undefined {
  const [, file = ''] = /^Cannot find package '([^']+)[\\/]index\.js'/.exec(message) ?? []
  return existsSync(join(file, 'package.json')) ? file.split(/[\\/]node_modules[\\/]/).at(-1) : undefined
}
