import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { DevFailure } from '@mynah/contract'
import { messageOf, type PluginView, type Renewed } from '@mynah/kernel'
import type { LoadedHost } from '@mynah/kernel/loader'
import { omitUndefined, SerialQueue } from '@mynah/kernel/util'
import type { CodeReload, PluginReloader } from '@mynah/plugin-management/api'
import { locationInStack, relativePath } from './code-location.js'
import { codeOf, fingerprint, forgetRequired, isBelow, whyOnlyByRestart, type PluginCode } from './plugin-code.js'
import { CodeError } from './import-plugin.js'

/** A file may be read while its editor still writes it. */
const WRITING_MS = 100
/** An old generation of code stays in memory: about 4.5 times its source, and this for each of its modules. */
const MEMORY_PER_BYTE = 4.5
const MEMORY_PER_MODULE = 5 * 1024
/** A process that holds more old code is replaced. */
const MAX_OLD_CODE = 128 * 1024 * 1024

/** The result of a reload, with the name of the plugin. */
export interface ReloadedPlugin extends CodeReload {
  readonly plugin: string
}

/** Loads changed code of plugins into the running process. */
export class CodeReloader implements PluginReloader {
  #loaded: Pick<LoadedHost, 'host' | 'configuration'> | undefined
  readonly #root: string
  readonly #queue = new SerialQueue()
  /** Estimated bytes of code that no plugin runs any more. */
  #old = 0

  /** @param root folder of the host */
  constructor(root: string) {
    this.#root = root
  }

  /** Names the host, which is built after the services that it provides. */
  attach(loaded: Pick<LoadedHost, 'host' | 'configuration'>): void {
    this.#loaded = loaded
  }

  get #plugins(): readonly PluginView[] {
    return this.#loaded?.host.inspect() ?? []
  }

  reload(plugin: string): Promise<CodeReload> {
    return this.#queue.run(async () => {
      const url = this.#urlOf(plugin)
      if (url === undefined) return restart('it has not been loaded from a file')
      return this.#reload(plugin, url, await codeOf(url))
    })
  }

  /** Loads the package of a plugin from where the importer finds it now. */
  reloadPackage(plugin: string): Promise<CodeReload> {
    return this.#queue.run(async () => {
      const url = this.#urlOf(plugin)
      if (url === undefined) return restart('it has not been loaded from a file')
      const memory = memoryOf(await codeOf(url))
      if (this.#old + memory > MAX_OLD_CODE) return restart(MEMORY_USED)
      return this.#resultOf(await this.#renew(plugin, url, memory))
    })
  }

  /** Loads the code of the plugins that changed files belong to; none where they belong to no plugin. */
  reloadFiles(changed: readonly string[]): Promise<ReloadedPlugin[]> {
    return this.#queue.run(async () => {
      const results: ReloadedPlugin[] = []
      for (const { plugin, url, code } of await this.#ownersOf(changed))
        results.push({ plugin, ...(await this.#reload(plugin, url, code)) })
      return results
    })
  }

  /** Returns the plugins whose code can be replaced, and why those of them that have failed do not run. */
  ownPlugins(): { readonly plugins: { name: string; module: string }[]; readonly failures: DevFailure[] } {
    const own = this.#plugins.flatMap(({ name, origin, error, state }) =>
      origin && !whyOnlyByRestart(origin.url) ? [{ name, module: fileURLToPath(origin.url), error, state }] : [],
    )
    const failures = own.flatMap(({ name, error, state }): DevFailure[] => {
      if (state !== 'failed' || !error) return []
      const failure = { part: 'code', plugin: name, message: messageOf(error), at: Date.now() } as const
      return [omitUndefined({ ...failure, location: this.#locationOf(error) })]
    })
    return { plugins: own.map(({ name, module }) => ({ name, module })), failures }
  }

  #urlOf(plugin: string): string | undefined {
    return this.#plugins.find(({ name }) => name === plugin)?.origin?.url
  }

  /** Returns the plugins that import one of the files, or else those in whose folders the files lie. */
  async #ownersOf(changed: readonly string[]): Promise<{ plugin: string; url: string; code: PluginCode }[]> {
    const plugins = await Promise.all(
      this.#plugins.flatMap(({ name, origin }) => {
        if (!origin) return []
        // The host has a thousand files, none of which can be replaced.
        const code = whyOnlyByRestart(origin.url) ? Promise.resolve({ files: [], bytes: 0 }) : codeOf(origin.url)
        return [code.then((found) => ({ plugin: name, url: origin.url, code: found }))]
      }),
    )
    const owners = new Set<(typeof plugins)[number]>()
    for (const file of changed) {
      const importing = plugins.filter(({ code }) => code.files.includes(file))
      const near = plugins.filter(({ url }) => isBelow(url, file))
      const longest = Math.max(...near.map(({ url }) => folderLength(url)))
      for (const owner of importing.length ? importing : near.filter(({ url }) => folderLength(url) === longest))
        owners.add(owner)
    }
    return plugins.filter((plugin) => owners.has(plugin))
  }

  async #reload(plugin: string, url: string, code: PluginCode): Promise<CodeReload> {
    const reason = whyOnlyByRestart(url)
    if (reason) return restart(reason)
    const memory = memoryOf(code)
    if (this.#old + memory > MAX_OLD_CODE) return restart(MEMORY_USED)
    const before = fingerprint(code.files)
    let renewed = await this.#renew(plugin, url, memory)
    if (renewed.state === 'refused' && (await isStillWritten(code, before)))
      renewed = await this.#renew(plugin, url, memory)
    return this.#resultOf(renewed)
  }

  async #renew(plugin: string, url: string, memory: number): Promise<Renewed> {
    if (!this.#loaded) return { state: 'restart', reason: 'the host has not started' }
    forgetRequired(url)
    this.#old += memory
    return this.#loaded.configuration.renew(plugin)
  }

  #resultOf(renewed: Renewed): CodeReload {
    if (renewed.state === 'renewed') return { accepted: true, state: 'reloaded' }
    if (renewed.state === 'restart') return restart(renewed.reason)
    const { error, state } = renewed
    return omitUndefined({
      accepted: state === 'failed',
      state,
      message: messageOf(error),
      location: this.#locationOf(error),
    })
  }

  #locationOf(error: Error): CodeReload['location'] {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      const location = cause instanceof CodeError ? cause.location : locationInStack(cause.stack, this.#root)
      if (location)
        return omitUndefined({
          file: relativePath(location.file, this.#root),
          line: location.line,
          column: location.column,
        })
    }
    return undefined
  }
}

const MEMORY_USED = 'the memory for code of before is used up'

const memoryOf = ({ bytes, files }: PluginCode): number => bytes * MEMORY_PER_BYTE + files.length * MEMORY_PER_MODULE

const restart = (message: string): CodeReload => ({ accepted: false, state: 'restart', message })

const folderLength = (url: string): number => url.lastIndexOf('/')

async function isStillWritten({ files }: PluginCode, before: string): Promise<boolean> {
  await pause(WRITING_MS)
  return fingerprint(files) !== before
}
