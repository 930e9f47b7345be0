import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '@mynah/contract'
import type { ConfigVersion } from '@mynah/contract/types'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { makeFolder, writeFileAtomically } from '@mynah/kernel/files'
import { SerialQueue } from '@mynah/kernel/util'

/** Where a version came from, and who made it. */
export type Author = Pick<ConfigVersion, 'from' | 'by' | 'address'>

/** A text of the configuration that was written or run. */
export interface Version extends Author {
  readonly id: string
  /** Milliseconds since the epoch, later than that of the version before. */
  readonly at: number
  readonly text: string
  /** Paths of its secrets, known by schemas of plugins that may be gone later. */
  readonly secrets: readonly string[]
}

const MAX_VERSIONS = 20
const FILE = /^(\d{1,16})\.json$/

/** The last versions of the configuration, each in a private file, since they have its secrets. */
export class ConfigVersions {
  readonly #folder: string
  readonly #clock: Clock
  readonly #log: Logger
  readonly #queue = new SerialQueue()

  constructor(folder: string, clock: Clock, log: Logger) {
    this.#folder = folder
    this.#clock = clock
    this.#log = log
  }

  /** Keeps a text unless it is that of the newest version. A disk that refuses it does not keep a change from users. */
  keep(text: string, author: Author, secrets: readonly string[]): Promise<void> {
    return this.#queue
      .run(() => this.#keep(text, author, secrets))
      .catch((error: unknown) => this.#log.warn(`failed to keep a version of the configuration: ${messageOf(error)}`))
  }

  /** Returns the versions, the newest first. */
  async list(): Promise<Version[]> {
    const found = await Promise.all((await this.#ids()).map((id) => this.get(id)))
    return found.filter((version) => version !== undefined)
  }

  async get(id: string): Promise<Version | undefined> {
    if (!(await this.#ids()).includes(id)) return undefined
    return versionOf(id, await readFile(this.#fileOf(id), 'utf8'))
  }

  /** Resolves when nothing is left to be kept. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  async #keep(text: string, author: Author, secrets: readonly string[]): Promise<void> {
    const ids = await this.#ids()
    const newest = ids[0] === undefined ? undefined : await this.get(ids[0])
    if (newest?.text === text) return
    const at = Math.max(this.#clock.now(), Number(ids[0] ?? 0) + 1)
    await makeFolder(this.#folder, 0o700)
    const version: Omit<Version, 'id'> = { at, ...author, text, secrets }
    await writeFileAtomically(this.#fileOf(String(at)), JSON.stringify(version), { mode: 0o600 })
    for (const old of ids.slice(MAX_VERSIONS - 1)) await rm(this.#fileOf(old), { force: true })
  }

  /** Returns the ids of the versions, the newest first. */
  async #ids(): Promise<string[]> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return names
      .flatMap((name) => FILE.exec(name)?.[1] ?? [])
      .sort((a, b) => Number(b) - Number(a))
      .slice(0, MAX_VERSIONS)
  }

  #fileOf(id: string): string {
    return join(this.#folder, `${id}.json`)
  }
}

/** Returns a version, or `undefined` for a file that holds something else. */
function versionOf(id: string, content: string): Version | undefined {
  try {
    const value: unknown = JSON.parse(content)
    return isRecord(value) && typeof value['text'] === 'string' && Array.isArray(value['secrets'])
      ? { ...(value as unknown as Version), id }
      : undefined
  } catch {
    return undefined
  }
}
