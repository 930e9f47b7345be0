import type { ConsoleEntry, EntryManifest } from '@mynah/contract'
import { HostControl, messageOf, type Logger, type Reader } from '@mynah/kernel'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ConsoleEntrySource } from './api.js'
import type { FileHashes } from './file-hashes.js'
import { manifestIn } from './manifest.js'

const DEFAULT_ORDER = 100
const UNKNOWN_VERSION = '0.0.0'
/** Path of the module below its entry, independent of the name of its file. */
export const MODULE_PATH = 'client/index.js'
export const CLIENT_FOLDER = 'client'

/** Paths of the files of an entry. */
export interface EntryFiles {
  readonly module: string
  readonly folder: string
}

/** Returns the files of an entry, or `undefined` for a URL that is not a file. */
export function filesOf({ module }: ConsoleEntrySource): EntryFiles | undefined {
  if (module.protocol !== 'file:') return undefined
  const path = fileURLToPath(module)
  return { module: path, folder: join(path, '..') }
}

/** The list of console entries: every contribution with the hash of its built module. */
export class EntryList {
  readonly #sources: Reader<ConsoleEntrySource>
  readonly #hashes: FileHashes
  readonly #host: HostControl
  readonly #log: Logger
  readonly #changed: () => void
  readonly #warned = new Map<string, string>()
  #current: readonly ConsoleEntry[] = []
  #text = '[]'
  #running: Promise<void> | undefined
  #stale = false

  constructor(
    sources: Reader<ConsoleEntrySource>,
    hashes: FileHashes,
    host: HostControl,
    log: Logger,
    changed: () => void,
  ) {
    this.#sources = sources
    this.#hashes = hashes
    this.#host = host
    this.#log = log
    this.#changed = changed
  }

  /** The list after the last {@link refresh}. */
  get current(): readonly ConsoleEntry[] {
    return this.#current
  }

  /** Reads contributions and files again and returns the list. Notifies if it has changed. */
  async refresh(): Promise<readonly ConsoleEntry[]> {
    this.#stale = true
    this.#running ??= this.#refresh()
    await this.#running
    return this.#current
  }

  async #refresh(): Promise<void> {
    try {
      while (this.#stale) {
        this.#stale = false
        const versions = new Map(this.#host.inspect().map(({ name, version }) => [name, version]))
        const entries = await Promise.all(
          this.#sources.all().map(({ value, owner }) => this.#entry(value, owner, versions.get(owner))),
        )
        entries.sort((a, b) => a.order - b.order)
        const text = JSON.stringify(entries)
        if (text === this.#text) continue
        this.#text = text
        this.#current = entries
        this.#changed()
      }
    } finally {
      this.#running = undefined
    }
  }

  async #entry(source: ConsoleEntrySource, plugin: string, pluginVersion: string | undefined): Promise<ConsoleEntry> {
    const hash = await this.#hash(source)
    const manifest = hash === undefined ? undefined : await this.#manifest(source)
    return {
      id: source.id,
      resolvedModule: `/@dev/${encodeURIComponent(source.id)}/${MODULE_PATH}${hash ? `?v=${hash}` : ''}`,
      order: source.order ?? DEFAULT_ORDER,
      enabled: hash !== undefined && source.enabled !== false,
      meta: {
        name: source.name ?? source.id,
        version: source.version ?? pluginVersion ?? UNKNOWN_VERSION,
        plugin,
        ...(manifest ? { manifest } : {}),
      },
    }
  }

  async #hash(source: ConsoleEntrySource): Promise<string | undefined> {
    const files = filesOf(source)
    if (!files) return this.#missing(source, 'its module is not a file')
    try {
      return await this.#hashes.of(files.module)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      return this.#missing(source, code === 'ENOENT' ? `${files.module} does not exist; build it` : messageOf(error))
    }
  }

  /** Returns the manifest. Without one the browser only loads the entry earlier. */
  async #manifest(source: ConsoleEntrySource): Promise<EntryManifest | undefined> {
    const files = filesOf(source)
    if (!files) return undefined
    const { manifest, mistake } = await manifestIn(files.folder)
    if (mistake) this.#warn(source, `has an invalid manifest: ${mistake}`)
    else this.#warned.delete(source.id)
    return manifest
  }

  #missing(source: ConsoleEntrySource, reason: string): undefined {
    this.#warn(source, `is listed but cannot be loaded: ${reason}`)
    return undefined
  }

  /** Warns once for each reason. */
  #warn({ id }: ConsoleEntrySource, reason: string): void {
    if (this.#warned.get(id) === reason) return
    this.#warned.set(id, reason)
    this.#log.warn(`the console entry "${id}" ${reason}`)
  }
}
