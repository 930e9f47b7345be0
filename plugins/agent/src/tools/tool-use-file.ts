import { readFile } from 'node:fs/promises'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { writeFileAtomically } from '@mynah/kernel/files'
import { MINUTE_MS } from '@mynah/kernel/util'
import type { ToolUse } from './tool-use.js'

/** Time between two writes. A kill loses the calls of so long. */
const WRITE_MS = 10 * MINUTE_MS

export interface ToolUseFileOptions {
  readonly use: ToolUse
  readonly file: string
  readonly clock: Clock
  readonly log: Logger
}

/** Keeps in a file which tools were called lately: read at the start, written seldom and at the stop. */
export class ToolUseFile {
  readonly #options: ToolUseFileOptions
  readonly #cancel: () => void
  /** The number of changes that the file has. */
  #written: number
  #loading: Promise<void> | undefined

  constructor(options: ToolUseFileOptions) {
    const { use, clock } = options
    this.#options = options
    this.#written = use.changes
    this.#cancel = clock.setInterval(() => this.#write(), WRITE_MS)
  }

  /** Reads the file. A file that cannot be read is replaced by the next write. Never rejects. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load())
  }

  async #load(): Promise<void> {
    const { use, file, log } = this.#options
    try {
      use.restore(JSON.parse(await readFile(file, 'utf8')))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        log.warn(`failed to read which tools were called lately: ${messageOf(error)}`)
    }
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    this.#cancel()
    await this.#write()
  }

  async #write(): Promise<void> {
    const { use, file, log } = this.#options
    // Uses of before are lost if the file is written before it is read.
    await this.load()
    const { changes } = use
    if (changes === this.#written) return
    try {
      await writeFileAtomically(file, JSON.stringify(use.stored()), { mode: 0o600 })
      this.#written = changes
    } catch (error) {
      log.warn(`failed to store which tools were called lately: ${messageOf(error)}`)
    }
  }
}
