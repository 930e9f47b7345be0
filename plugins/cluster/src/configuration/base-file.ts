import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isRecord } from '@mynah/contract'
import type { Configuration } from '@mynah/kernel'
import { makeFolder, readTextFile, writeFileAtomically } from '@mynah/kernel/files'
import { shaOf } from './revision-tables.js'

/** The revision that the file of a host was last made from, and the hash of the file then. */
export interface Base {
  readonly revision: number
  readonly sha: string
}

/** The configuration file of a host, and what is known of where its text comes from. */
export class BaseFile {
  readonly #configuration: Configuration
  readonly #data: string
  #base: Base | undefined
  #isLoaded = false

  constructor(configuration: Configuration, data: string) {
    this.#configuration = configuration
    this.#data = data
  }

  /** Returns the text on the disk. */
  read(): Promise<string> {
    return readTextFile(this.#configuration.file)
  }

  /** Replaces the text. */
  async write(text: string): Promise<void> {
    // Announced before the write, because a watcher may notice the write at once.
    this.#configuration.wrote(this.#configuration.file, text)
    await writeFileAtomically(this.#configuration.file, text)
  }

  /** Keeps a text that a revision replaces. Returns where, below the folder of the host. */
  async setAside(text: string): Promise<string> {
    const kept = join('data', 'conflicts', `${basename(this.#configuration.file)}.${shaOf(text).slice(0, 8)}`)
    const target = join(this.#configuration.root, kept)
    await makeFolder(dirname(target))
    await writeFileAtomically(target, text, { mode: 0o600 })
    return kept
  }

  async base(): Promise<Base | undefined> {
    if (!this.#isLoaded) this.#base = await this.#load()
    this.#isLoaded = true
    return this.#base
  }

  /** Remembers that the file has the text of a revision, with the own name of this host. */
  async follows(revision: number, text: string): Promise<void> {
    const base = { revision, sha: shaOf(text) }
    const before = await this.base()
    if (before?.revision === base.revision && before.sha === base.sha) return
    await writeFileAtomically(this.#memory, JSON.stringify(base), { mode: 0o600 })
    this.#base = base
  }

  get #memory(): string {
    return join(this.#data, 'config-revision.json')
  }

  async #load(): Promise<Base | undefined> {
    const text = await readFile(this.#memory, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}'
      throw error
    })
    return baseIn(text)
  }
}

function baseIn(text: string): Base | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value) && Number.isSafeInteger(value['revision']) && typeof value['sha'] === 'string')
      return { revision: value['revision'] as number, sha: value['sha'] }
  } catch {
    // Without it the file counts as changed here, and is kept when a revision replaces it.
  }
  return undefined
}
