// The modules of plugins, each imported once. One that cannot be loaded stands in the list as a plugin that fails.
import { KernelError } from '../base/errors.js'
import { messageOf } from '../base/to-error.js'
import { assertPlugin, claimsOf, type AnyPlugin } from '../core/plugin.js'
import { pathRedactor } from './paths.js'
import { resolveModule, unknownMessage, type ModuleOrigin } from './resolve.js'
import type { Listed } from './sections.js'

const IMPORT_PATIENCE_MS = 20_000
/** Names of exports that a message lists. */
const MOST_EXPORTS = 5

/**
 * Imports the module at a `file:` address. What it throws is told as the reason that a plugin cannot be loaded; a
 * {@link KernelError} as it is.
 */
export type ImportModule = (url: string) => Promise<Readonly<Record<string, unknown>>>

const importAsIs: ImportModule = (url) => import(url) as Promise<Record<string, unknown>>

/** A listed plugin whose module was looked for. */
export interface Loaded extends Listed {
  readonly plugin: AnyPlugin
  readonly origin?: ModuleOrigin
  /** Nothing of that name is installed. */
  readonly unknown?: string
  /** The module is there and could not be loaded. */
  readonly failure?: KernelError
}

/** Loads plugins for one configuration file. */
export class Modules {
  readonly #root: string
  readonly #bases: readonly string[]
  readonly #patience: number
  readonly #importModule: ImportModule
  /** Messages of failed imports name files. */
  readonly #shorten: (text: string) => string
  // A module that was imported stays: a changed configuration imports nothing again.
  readonly #imported = new Map<string, Promise<AnyPlugin>>()
  readonly #placeholders = new Map<string, AnyPlugin>()

  /** @param options.patience Milliseconds that a module may take to load. */
  constructor(
    root: string,
    bases: readonly string[],
    {
      patience = IMPORT_PATIENCE_MS,
      importModule = importAsIs,
    }: { readonly patience?: number; readonly importModule?: ImportModule } = {},
  ) {
    this.#root = root
    this.#bases = bases
    this.#patience = patience
    this.#importModule = importModule
    this.#shorten = pathRedactor(root)
  }

  async load(listed: Listed): Promise<Loaded> {
    const origin = resolveModule(listed.name, this.#root, this.#bases)
    if (!origin) {
      const unknown = unknownMessage(listed.name, this.#root, this.#bases)
      return { ...listed, unknown, plugin: this.#placeholder(listed.name, new KernelError('plugin/unknown', unknown)) }
    }
    let imported = this.#imported.get(origin.url)
    if (!imported) this.#imported.set(origin.url, (imported = this.#importPlugin(origin, listed.name)))
    try {
      return { ...listed, origin, plugin: await imported }
    } catch (error) {
      const failure =
        error instanceof KernelError
          ? error
          : new KernelError(
              'plugin/unloadable',
              `${listed.name} cannot be loaded: ${this.#shorten(messageOf(error))}`,
              { cause: error },
            )
      return { ...listed, origin, failure, plugin: this.#placeholder(listed.name, failure) }
    }
  }

  async #importPlugin(origin: ModuleOrigin, name: string): Promise<AnyPlugin> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`its module did not finish loading within ${this.#patience / 1000} s`)),
        this.#patience,
      )
    })
    try {
      return pluginOf(await Promise.race([this.#importModule(origin.url), late]), origin, name)
    } finally {
      clearTimeout(timer)
    }
  }

  #placeholder(listedName: string, failure: KernelError): AnyPlugin {
    const name = nameFrom(listedName)
    // The same failure is the same plugin, which a new configuration then leaves alone; another failure is told.
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

/** A short name for something that never told its own. */
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

/** The plugin that a module exports, or the reason why it exports none. */
function pluginOf(module: Readonly<Record<string, unknown>>, { filename }: ModuleOrigin, name: string): AnyPlugin {
  const exported = module['default']
  const bad = (what: string): never => {
    throw new KernelError('plugin/bad-definition', `${name}: ${what}`)
  }
  if (exported === undefined) {
    const named = Object.keys(module)
      .filter((key) => key !== 'default' && key !== 'module.exports' && key !== '__esModule')
      .slice(0, MOST_EXPORTS)
    bad(`${filename} has no default export${named.length ? `, only ${named.join(', ')}: write "export default"` : ''}`)
  }
  // What compilers make of ES modules where they are told to write CommonJS.
  if (isCompiledToCommonJs(exported))
    bad(
      `${filename} was compiled to CommonJS, which hides its default export: compile it to ES modules ("type": "module" in package.json, "module": "NodeNext" for TypeScript)`,
    )
  assertPlugin(exported, name)
  for (const { path } of claimsOf(exported))
    if (typeof path !== 'string' || !path) bad('config must name the path that it claims')
  return exported
}

const isCompiledToCommonJs = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, '__esModule') && Object.hasOwn(value, 'default')
