import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { SerialQueue } from '@mynah/kernel/util'
import { etagOf } from './etag.js'
import { write } from './write.js'
import { FILE_READ_LIMIT, FILE_TRANSFER_LIMIT, WireError } from '@mynah/contract'
import type { FileTreeNode } from '@mynah/contract/types'
import { assertNoHardLink, type PathGuard } from './path-guard.js'
import { assertNewName, WorkspaceFolders } from './workspace-folders.js'

const MAX_NODES = 10_000
const MAX_DEPTH = 16

/** Ignores entries that disappear or become unreadable during a listing. */
const ignoreMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'EACCES') return instead
    throw error
  }

/** Decodes UTF-8 text. Rejects binary content. */
function textOf(bytes: Buffer): string {
  if (bytes.includes(0)) throw new WireError('unsupported:binary', 'This is a binary file; only text can be shown')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new WireError('unsupported:binary', 'This file is not UTF-8 text', { cause: error })
  }
}

/** Decodes base64 in its one proper form. */
function bytesOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') === base64) return bytes
  throw new WireError('invalid_request', 'base64 is not valid', {
    details: [{ path: 'base64', message: 'must be base64 with padding' }],
  })
}

/** The files of the workspace. Text is read and saved, any bytes are downloaded and uploaded. */
export class WorkspaceFiles {
  readonly #guard: PathGuard
  readonly #queue = new SerialQueue()

  readonly #folders: WorkspaceFolders

  constructor(guard: PathGuard) {
    this.#guard = guard
    this.#folders = new WorkspaceFolders(guard)
  }

  /** Lists folders first, then by name. Does not follow links. */
  async tree(): Promise<FileTreeNode[]> {
    let left = MAX_NODES
    const list = async (folder: string, depth: number): Promise<FileTreeNode[]> => {
      const nodes: FileTreeNode[] = []
      const entries = await readdir(folder, { withFileTypes: true }).catch(ignoreMissing([]))
      entries.sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1))
      for (const entry of entries) {
        const path = join(folder, entry.name)
        if (left <= 0 || !this.#guard.isVisible(path) || (!entry.isFile() && !entry.isDirectory())) continue
        left--
        const shown = relative(this.#guard.root, path).split(sep).join('/')
        if (entry.isDirectory())
          nodes.push({
            name: entry.name,
            path: shown,
            type: 'directory',
            children: depth < MAX_DEPTH ? await list(path, depth + 1) : [],
          })
        else {
          const found = await stat(path).catch(ignoreMissing(undefined))
          if (found && found.nlink === 1)
            nodes.push({
              name: entry.name,
              path: shown,
              type: 'file',
              size: found.size,
              mtime: Math.round(found.mtimeMs),
            })
        }
      }
      return nodes
    }
    return list(this.#guard.root, 0)
  }

  async read(filePath: string): Promise<{ content: string; size: number; etag: string }> {
    const bytes = await this.#bytes(filePath, FILE_READ_LIMIT)
    return { content: textOf(bytes), size: bytes.length, etag: etagOf(bytes) }
  }

  async download(filePath: string): Promise<{ base64: string; size: number; etag: string }> {
    const bytes = await this.#bytes(filePath, FILE_TRANSFER_LIMIT)
    return { base64: bytes.toString('base64'), size: bytes.length, etag: etagOf(bytes) }
  }

  async #bytes(filePath: string, limit: number): Promise<Buffer> {
    const handle = await this.#guard.open(await this.#guard.resolve(filePath, 'read'))
    try {
      const { size } = await handle.stat()
      if (size > limit) throw new WireError('too_large', `The file has ${size} bytes; at most ${limit} can be read`)
      // The file may have grown since, so one byte more is read.
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(size + 1), 0, size + 1, 0)
      if (bytesRead > size) throw new WireError('conflict', 'The file grew while it was read; read it again')
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }

  /** Makes a folder in an existing one. */
  makeFolder(folderPath: string): Promise<void> {
    return this.#queue.run(() => this.#folders.make(folderPath))
  }

  /** Renames or moves a file or a folder. Never replaces anything. */
  move(from: string, to: string): Promise<void> {
    return this.#queue.run(() => this.#folders.move(from, to))
  }

  /** Writes a file from base64. An existing one only with `replace`. */
  upload(filePath: string, base64: string, replace: boolean): Promise<void> {
    return this.#queue.run(async () => {
      const bytes = bytesOf(base64)
      if (bytes.length > FILE_TRANSFER_LIMIT)
        throw new WireError('too_large', `At most ${FILE_TRANSFER_LIMIT} bytes can be uploaded`)
      const { real, isNew } = await this.#target(filePath)
      if (isNew) assertNewName(real)
      else if (!replace) throw new WireError('conflict', `"${filePath}" is there already`)
      await write(real, bytes)
    })
  }

  /** Saves a file. Saves run one after another, so that only one of two callers with the same `etag` succeeds. */
  save(filePath: string, content: string, etag: string | undefined): Promise<void> {
    return this.#queue.run(() => this.#save(filePath, content, etag))
  }

  async #save(filePath: string, content: string, etag: string | undefined): Promise<void> {
    if (content.includes('\0')) throw new WireError('unsupported:binary', 'The content is not text')
    if (Buffer.byteLength(content) > FILE_READ_LIMIT)
      throw new WireError('too_large', `At most ${FILE_READ_LIMIT} bytes can be saved, as many as can be read`)
    const { real, isNew } = await this.#target(filePath)
    if (etag !== undefined) {
      if (isNew) throw new WireError('conflict', 'The file was removed in the meantime')
      const { etag: current } = await this.read(filePath)
      if (current !== etag) throw new WireError('conflict', 'The file changed in the meantime; read it again')
    }
    await write(real, content)
  }
  /** Returns the regular file, or the place of a new one, that a path names. */
  async #target(filePath: string): Promise<{ real: string; isNew: boolean }> {
    const real = await this.#guard.resolve(filePath, 'write')
    const found = await stat(real).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (found && !found.isFile()) throw new WireError('conflict', 'This name does not belong to a regular file')
    if (found) assertNoHardLink(found.nlink)
    return { real, isNew: found === undefined }
  }
}
