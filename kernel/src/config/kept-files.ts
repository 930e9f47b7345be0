import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { KeptStore } from '../core/kept.js'
import { makeFolder, writeFileAtomically } from '../files.js'

const MAX_VALUE_BYTES = 64 * 1024

/** Durable state of plugins in a folder, a file for each plugin. */
export class KeptFiles implements KeptStore {
  readonly #folder: string
  /** The bytes that were last written or read, so that a stop without a change writes nothing. */
  readonly #known = new Map<string, Buffer>()

  constructor(folder: string) {
    this.#folder = folder
  }

  read(plugin: string): ReadonlyMap<string, unknown> {
    let bytes: Buffer
    try {
      bytes = readFileSync(this.#fileOf(plugin))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
      throw error
    }
    const values: unknown = deserialize(bytes)
    if (!(values instanceof Map)) throw new Error('the file holds something else')
    this.#known.set(plugin, bytes)
    return values as Map<string, unknown>
  }

  async write(plugin: string, values: ReadonlyMap<string, unknown>): Promise<void> {
    const refused: string[] = []
    const stored = new Map(
      Array.from(values).filter(([key, value]) => {
        const why = refusalOf(value)
        if (why) refused.push(`"${key}" ${why}`)
        return !why
      }),
    )
    const bytes = serialize(stored)
    if (!this.#known.get(plugin)?.equals(bytes)) {
      await makeFolder(this.#folder, 0o700)
      await writeFileAtomically(this.#fileOf(plugin), bytes, { mode: 0o600 })
      this.#known.set(plugin, bytes)
    }
    if (refused.length) throw new Error(refused.join('; '))
  }

  remove(plugin: string): void {
    this.#known.delete(plugin)
    rmSync(this.#fileOf(plugin), { force: true })
  }

  #fileOf(plugin: string): string {
    return join(this.#folder, encodeURIComponent(plugin))
  }
}

function refusalOf(value: unknown): string | undefined {
  try {
    const { length } = serialize(value)
    return length > MAX_VALUE_BYTES ? `is larger than ${MAX_VALUE_BYTES / 1024} KB` : undefined
  } catch {
    return 'is not plain any more'
  }
}
