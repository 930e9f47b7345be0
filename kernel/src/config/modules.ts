// The modules of plugins, each imported once. One that cannot be loaded stands in the list as a plugin that fails.
import { KernelError, messageOf } from '../core/errors.js'
import { assertPlugin, claimsOf, type AnyPlugin } from '../core/plugin.js'
import { resolveModule, unknownMessage, type ModuleOrigin } from './resolve.js'
import type { Listed } from './sections.js'

const IMPORT_PATIENCE_MS = 20_000

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
  // A module that was imported stays: a changed configuration imports nothing again.
  readonly #imported = new Map<string, Promise<AnyPlugin>>()
  readonly #placeholders = new Map<string, AnyPlugin>()

  /** @param patience Milliseconds that a module may take to load. */
  constructor(root: string, bases: readonly string[], patience = IMPORT_PATIENCE_MS) {
    this.#root = root
    this.#bases = bases
    this.#patience = patience
  }

  async load(listed: Listed): Promise<Loaded> {
    const origin = resolveModule(listed.name, this.#root, this.#bases)
    if (!origin) {
      const unknown = unknownMessage(listed.name, this.#root, this.#bases)
      return { ...listed, unknown, plugin: this.#placeholder(listed.name, new KernelError('plugin/unknown', unknown)) }
    }
    let imported = this.#imported.get(origin.url)
    if (!imported) this.#imported.set(origin.url, (imported = importPlugin(origin, listed.name, this.#patience)))
    try {
      return { ...listed, origin, plugin: await imported }
    } catch (error) {
      const failure = error instanceof KernelError ? error : new KernelError('plugin/unloadable', `${listed.name} cannot be loaded: ${this.#shown(messageOf(error))}`, { cause: error })
      return { ...listed, origin, failure, plugin: this.#placeholder(listed.name, failure) }
    }
  }

  /** Messages of failed imports name files; those of the host stay relative. */
  #shown(message: string): string {
    return message.replaceAll(`${this.#root}/`, '').replace(/(?:file:\/\/)?\/[^\s'"]*\/node_modules\//g, '')
  }

  #placeholder(listedName: string, failure: KernelError): AnyPlugin {
    const name = nameFrom(listedName)
    // The same failure is the same plugin, which a new configuration then leaves alone; another failure is told.
    const key = `${name}\n${failure.message}`
    let placeholder = this.#placeholders.get(key)
    if (!placeholder) {
      placeholder = Object.freeze<AnyPlugin>({ name, setup() { throw failure } })
      this.#placeholders.set(key, placeholder)
    }
    return placeholder
  }
}

/** A short name for something that never told its own. */
function nameFrom(listed: string): string {
  const last = listed.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..').at(-1) ?? ''
  const name = last.replace(/\.[cm]?js$/, '').replace(/^(mynah-)?plugin-/, '').replace(/[^\w.-]+/g, '-').replace(/^[^a-z0-9]+/i, '')
  return name || 'unnamed'
}

async function importPlugin(origin: ModuleOrigin, name: string, patience: number): Promise<AnyPlugin> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`its module did not finish loading within ${patience / 1000} s`)), patience)
  })
  try {
    const module = await Promise.race([import(origin.url) as Promise<{ default?: unknown }>, late])
    if (module.default === undefined) throw new KernelError('plugin/bad-definition', `${name}: ${origin.filename} has no default export`)
    assertPlugin(module.default, name)
    for (const { path } of claimsOf(module.default)) {
      if (typeof path !== 'string' || !path) throw new KernelError('plugin/bad-definition', `${name}: config must name the path that it claims`)
    }
    return module.default
  } finally {
    clearTimeout(timer)
  }
}
