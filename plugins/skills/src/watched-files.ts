import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { messageOf, type Logger } from '@mynah/kernel'
import { SerialQueue } from '@mynah/kernel/util'
import { Malformed, MAX_BYTES } from './front-matter.js'

/** A kind of files: where they are, and what they contain. */
export interface FileKind<T> {
  readonly folder: string
  /** Returns whether a path below the folder is of this kind. */
  readonly matches: (path: string) => boolean
  readonly parse: (text: string, path: string) => T | Promise<T>
  readonly nameOf: (value: T) => string
  /** Called with the new value of a file, or with `undefined` when the file was removed. */
  readonly onChange: (path: string, value: T | undefined) => void
}

/** Values of the files of one kind, read again when they change. A malformed file keeps its last value. */
export class WatchedFiles<T> {
  readonly #kind: FileKind<T>
  readonly #log: Logger
  readonly #values = new Map<string, T>()
  /** Last texts by path, to ignore repeated events of the same change. */
  readonly #texts = new Map<string, string | undefined>()
  readonly #queue = new SerialQueue()

  constructor(kind: FileKind<T>, log: Logger) {
    this.#kind = kind
    this.#log = log
  }

  get folder(): string {
    return this.#kind.folder
  }

  values(): T[] {
    return Array.from(this.#values.values())
  }

  /** Reads all files of the folder. */
  async readAll(): Promise<void> {
    const entries = await readdir(this.folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
      throw error
    })
    for (const path of entries.sort()) if (this.#kind.matches(path)) await this.reread(join(this.folder, path))
  }

  /** Reads a file again, or removes its value when the file is gone. Reads are serialized, so the last change wins. */
  reread(path: string): Promise<void> {
    return this.#queue.run(() => this.#reread(path))
  }

  async #reread(path: string): Promise<void> {
    const below = relative(this.folder, path)
    if (!this.#kind.matches(below)) return
    try {
      const text = await this.#readText(path)
      if (this.#texts.has(path) && this.#texts.get(path) === text) return
      this.#texts.set(path, text)
      if (text === undefined) return this.#values.has(path) ? this.#set(path, undefined) : undefined
      const value = await this.#kind.parse(text, path)
      const name = this.#kind.nameOf(value)
      const other = Array.from(this.#values).find(([at, known]) => at !== path && this.#kind.nameOf(known) === name)
      if (other) throw new Malformed(`"${name}" is declared in ${relative(this.folder, other[0])} already`)
      this.#set(path, value)
    } catch (error) {
      // The last value is kept until the file is valid again.
      this.#log.warn(`${below}: ${messageOf(error)}`)
    }
  }

  async #readText(path: string): Promise<string | undefined> {
    const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw error
    })
    if (!found) return undefined
    if (!found.isFile()) throw new Malformed('it is not a regular file')
    if (found.size > MAX_BYTES) throw new Malformed(`it is larger than ${MAX_BYTES / 1024} KB`)
    return readFile(path, 'utf8')
  }

  #set(path: string, value: T | undefined): void {
    if (value === undefined) {
      this.#values.delete(path)
      this.#texts.delete(path)
    } else this.#values.set(path, value)
    this.#kind.onChange(path, value)
  }
}
