import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { KernelError } from '@mynah/kernel'
import { readTextFile } from '@mynah/kernel/files'
import { etagOf } from './etag.js'
import { write } from './write.js'
import { assertNoHardLink } from './path-guard.js'
import { FILE_READ_LIMIT, WireError } from '@mynah/contract'

const NAME = /^\.env(?:\.[A-Za-z0-9_-]{1,64})?$/

/** The environment files next to the configuration file: `.env` and `.env.<word>`. Their secrets are shown. */
export class EnvironmentFiles {
  readonly #root: string
  readonly #wrote: (file: string, content: string) => void

  /** @param wrote called before each write, so that a watcher can ignore it */
  constructor(root: string, wrote: (file: string, content: string) => void) {
    this.#root = root
    this.#wrote = wrote
  }

  async list(): Promise<string[]> {
    const entries = await readdir(this.#root, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isFile() && NAME.test(entry.name)).map(({ name }) => name)
    return [...new Set(['.env', ...names])].sort()
  }

  async get(filename: string): Promise<string> {
    const { path, size } = await this.#find(filename)
    if (size > FILE_READ_LIMIT)
      throw new WireError('too_large', `The file has ${size} bytes; at most ${FILE_READ_LIMIT} can be read`)
    return readTextFile(path).catch((error: NodeJS.ErrnoException | KernelError) => {
      if (error.code === 'ENOENT') return ''
      throw error instanceof KernelError ? new WireError('unsupported:binary', error.message, { cause: error }) : error
    })
  }

  /** @throws WireError `conflict` where the file has changed since the text of `etag` was read */
  async save(filename: string, content: string, etag?: string): Promise<void> {
    if (content.includes('\0'))
      throw new WireError('invalid_request', 'content must be text', {
        details: [{ path: 'content', message: 'must be text' }],
      })
    const { path } = await this.#find(filename)
    if (etag !== undefined && etag !== etagOf(await this.get(filename)))
      throw new WireError('conflict', 'The file changed in the meantime; read it again')
    this.#wrote(path, content)
    await write(path, content, { mode: 0o600 })
  }

  async #find(filename: string): Promise<{ path: string; size: number }> {
    if (!NAME.test(filename))
      throw new WireError('forbidden', 'Only .env and .env.<word> next to the configuration file can be opened', {
        details: [{ path: 'filename', message: 'must be .env or .env.<word>' }],
      })
    const path = join(this.#root, filename)
    const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (found && !found.isFile()) throw new WireError('forbidden', 'This is a link or a folder, not a file')
    if (found) assertNoHardLink(found.nlink)
    return { path, size: found?.size ?? 0 }
  }
}
