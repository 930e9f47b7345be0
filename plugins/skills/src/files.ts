// Files of one kind, as they are now: read at the start and when they change. One that is malformed is told, the others go on.
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { messageOf, type Logger } from '@mynah/kernel'
import { Malformed, MAX_BYTES } from './front-matter.js'

export interface Kind<T> {
  /** Where they stand. */
  readonly folder: string
  /** Whether a file of the folder is one, by its path below it. */
  readonly fits: (path: string) => boolean
  readonly parse: (text: string, path: string) => T | Promise<T>
  readonly nameOf: (value: T) => string
  /** A file gives this now; `undefined` takes back what it gave. */
  readonly changed: (path: string, value: T | undefined) => void
}

export class Files<T> {
  readonly #kind: Kind<T>
  readonly #log: Logger
  readonly #given = new Map<string, T>()
  /** As they were read last: what is told twice is done once. */
  readonly #texts = new Map<string, string | undefined>()
  #lane: Promise<unknown> = Promise.resolve()

  constructor(kind: Kind<T>, log: Logger) {
    this.#kind = kind
    this.#log = log
  }

  get folder(): string {
    return this.#kind.folder
  }

  values(): T[] {
    return Array.from(this.#given.values())
  }

  /** Reads all that there are. */
  async readAll(): Promise<void> {
    const entries = await readdir(this.folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
      throw error
    })
    for (const path of entries.sort()) if (this.#kind.fits(path)) await this.reread(join(this.folder, path))
  }

  /** Reads one file anew, or takes it back where it is gone. In order: the last change wins. */
  reread(path: string): Promise<void> {
    const done = this.#lane.then(() => this.#reread(path))
    this.#lane = done
    return done
  }

  async #reread(path: string): Promise<void> {
    const below = relative(this.folder, path)
    if (!this.#kind.fits(below)) return
    try {
      const text = await this.#text(path)
      if (this.#texts.has(path) && this.#texts.get(path) === text) return
      this.#texts.set(path, text)
      if (text === undefined) return this.#given.has(path) ? this.#give(path, undefined) : undefined
      const value = await this.#kind.parse(text, path)
      const name = this.#kind.nameOf(value)
      const other = Array.from(this.#given).find(([at, known]) => at !== path && this.#kind.nameOf(known) === name)
      if (other) throw new Malformed(`"${name}" is declared in ${relative(this.folder, other[0])} already`)
      this.#give(path, value)
    } catch (error) {
      // What it gave before goes on until the file is right again.
      this.#log.warn(`${below}: ${messageOf(error)}`)
    }
  }

  async #text(path: string): Promise<string | undefined> {
    const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw error
    })
    if (!found) return undefined
    if (!found.isFile()) throw new Malformed('it is no plain file')
    if (found.size > MAX_BYTES) throw new Malformed(`it is larger than ${MAX_BYTES / 1024} KB`)
    return readFile(path, 'utf8')
  }

  #give(path: string, value: T | undefined): void {
    if (value === undefined) {
      this.#given.delete(path)
      this.#texts.delete(path)
    } else this.#given.set(path, value)
    this.#kind.changed(path, value)
  }
}
