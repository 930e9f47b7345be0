import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '@mynah/contract'
import { messageOf, type PluginView } from '@mynah/kernel'
import type { ImportModule } from '@mynah/kernel/loader'
import { SerialQueue } from '@mynah/kernel/util'
import type { CodeReloader } from '../modules/code-reloader.js'
import { isInstalled } from '../modules/import-plugin.js'
import type { PackageViews } from './package-views.js'
import { listedIn } from './project.js'

/** How a running host uses packages that have changed. */
export type LiveUpdate =
  /** All that it could load runs. The lines name plugins that still run their code of before, with the reason. */
  | { readonly state: 'live'; readonly failures: readonly string[] }
  | { readonly state: 'restart'; readonly reason: string }

interface LivePackagesOptions {
  readonly views: PackageViews
  readonly code: Pick<CodeReloader, 'reloadPackage'>
  readonly plugins: () => readonly PluginView[]
  /** Removes secrets and paths from the words of a plugin, which reach people and models. */
  readonly redact: (text: string) => string
}

/** Lets a running host use packages that have changed. */
export class LivePackages {
  readonly #root: string
  readonly #views: PackageViews
  readonly #code: LivePackagesOptions['code']
  readonly #plugins: LivePackagesOptions['plugins']
  readonly #redact: LivePackagesOptions['redact']
  readonly #queue = new SerialQueue()

  constructor(root: string, { views, code, plugins, redact }: LivePackagesOptions) {
    this.#root = root
    this.#views = views
    this.#code = code
    this.#plugins = plugins
    this.#redact = redact
  }

  /** Returns an importer that loads changed packages from their views. */
  importer(importModule: ImportModule): ImportModule {
    const failed = new Set<string>()
    return async (url, generation) => {
      const address = await this.#views.addressOf(url)
      if (!isInstalled(url)) return importModule(address, generation)
      // Node keeps a failure with its address. Its own imports keep their addresses: others share them.
      const own = failed.has(address) ? `${address}?again=${generation ?? ''}` : address
      return importModule(own).catch((error: unknown) => {
        failed.add(address)
        throw error
      })
    }
  }

  /** Loads what has changed. Plugins that do not start with it keep their code of before. */
  update(): Promise<LiveUpdate> {
    return this.#queue.run(async () => {
      try {
        return await this.#update()
      } catch (error) {
        // Such as a disk on which no view can be made.
        return { state: 'restart', reason: this.#redact(messageOf(error)) }
      }
    })
  }

  async #update(): Promise<LiveUpdate> {
    this.#views.refresh()
    const origins = this.#plugins().flatMap(({ name, origin }) => (origin ? [{ name, origin }] : []))
    const hasOwn = origins.some(({ origin }) => !isInstalled(origin.url))
    const plugins = new Set(origins.map(({ origin }) => origin.filePath))
    const used = hasOwn ? [...this.#listed()].filter((name) => !plugins.has(name)) : []
    const reason = await this.#views.whyRestart(new Set(used))
    if (reason !== undefined) return { state: 'restart', reason }
    const failures: string[] = []
    for (const { name, origin } of origins) {
      if (!this.#views.isOutdated(origin.url)) continue
      const { accepted, state, message = '' } = await this.#code.reloadPackage(name)
      if (state === 'restart') return { state: 'restart', reason: this.#redact(message) }
      if (accepted && state === 'reloaded') this.#views.setLoaded(origin.url)
      else failures.push(`${name} does not start with what is installed: ${this.#redact(message)}`)
    }
    return { state: 'live', failures }
  }

  #listed(): ReadonlySet<string> {
    const manifest: unknown = JSON.parse(readFileSync(join(this.#root, 'package.json'), 'utf8'))
    return isRecord(manifest) ? listedIn(manifest) : new Set()
  }
}
