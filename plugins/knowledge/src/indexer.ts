import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { WireError } from '@mynah/contract'
import { messageOf, type Logger, type Ref } from '@mynah/kernel'
import type { Documents } from '@mynah/plugin-agent/api'
import { chunksOf } from './chunks.js'
import { maxBytesOf, readDocument } from './document.js'
import type { FileFacts, KnowledgeStore } from './store.js'
import type { FileRecord } from './tables.js'

/** A document of a folder. */
export interface SourceFile {
  readonly base: string
  /** Name by which it is shown. */
  readonly path: string
  /** Where it is. */
  readonly file: string
}

/** An uploaded document. */
export interface Upload {
  readonly base: string
  readonly path: string
  readonly bytes: Uint8Array
}

export interface Indexed {
  readonly chunks: number
  readonly problem?: string
}

export interface IndexerOptions {
  readonly store: KnowledgeStore
  readonly documents: Ref<Documents>
  readonly log: Logger
  readonly now: () => number
  /** Called when documents of a base have changed. */
  readonly changed: (base: string) => void
}

/** Time for which the event loop is not given up, in milliseconds. */
const SLICE_MS = 8
/** Documents after which those who watch see how far it is. */
const REPORT_EACH = 50

/** Reads documents one after another, in small steps. */
export class Indexer {
  readonly #options: IndexerOptions
  readonly #stopped = new AbortController()
  /** Documents that wait, by base and path. */
  readonly #waiting = new Map<string, SourceFile>()
  readonly #uploads: (() => Promise<void>)[] = []
  readonly #pending = new Map<string, number>()
  #running: Promise<void> | undefined

  constructor(options: IndexerOptions) {
    this.#options = options
  }

  /** Reads a document that may be new, changed or gone. */
  add(file: SourceFile): void {
    const key = `${file.base}\n${file.path}`
    if (this.#stopped.signal.aborted || this.#waiting.has(key)) return
    this.#waiting.set(key, file)
    this.#pending.set(file.base, this.pending(file.base) + 1)
    this.#start()
  }

  /** Reads an uploaded document before all that wait. Resolves when it can be found. */
  upload(upload: Upload): Promise<Indexed> {
    return this.#before(() => this.#storeUpload(upload))
  }

  /** Removes an uploaded document. */
  remove(row: FileRecord): Promise<void> {
    return this.#before(async () => {
      await this.#options.store.remove(row)
      this.#options.changed(row.base)
    })
  }

  /** Returns how many documents of a base wait. */
  pending(base: string): number {
    return this.#pending.get(base) ?? 0
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  /** Ends after the step that is going on. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#waiting.clear()
    this.#pending.clear()
    await this.#running
  }

  #before<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#stopped.signal.aborted) return reject(new Error('The plugin stops'))
      this.#uploads.push(() => work().then(resolve, reject))
      this.#start()
    })
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#uploads.length > 0 || this.#waiting.size > 0) this.#start()
    })
  }

  async #run(): Promise<void> {
    for (let count = 1; ; count++) {
      const upload = this.#uploads.shift()
      if (upload) {
        await upload()
        continue
      }
      const [next] = this.#waiting
      if (!next) return
      const [key, file] = next
      this.#waiting.delete(key)
      await this.#index(file).catch((error: unknown) => {
        if (!this.#stopped.signal.aborted)
          this.#options.log.warn(`failed to index ${file.path} of ${file.base}: ${messageOf(error)}`)
      })
      if (this.#stopped.signal.aborted) continue
      const left = Math.max(0, this.pending(file.base) - 1)
      this.#pending.set(file.base, left)
      if (left === 0 || count % REPORT_EACH === 0) this.#options.changed(file.base)
    }
  }

  async #index({ base, path, file }: SourceFile): Promise<void> {
    const { store } = this.#options
    const [row, found] = await Promise.all([store.file(base, path), statOf(file)])
    // An upload is not replaced by a file that gets its name.
    if (row?.origin === 'upload') return
    if (!found?.isFile()) return row ? store.remove(row) : undefined
    // The time before the content: a later change has a later one.
    const facts = { base, path, origin: 'folder', size: found.size, changed_at: Math.floor(found.mtimeMs) } as const
    if (row && Number(row.size) === facts.size && Number(row.changed_at) === facts.changed_at) return
    await this.#read(facts, file, row)
  }

  /** Reads a document that has changed, or says why not. */
  async #read(facts: Omit<FileFacts, 'hash'>, file: string, row: FileRecord | undefined): Promise<void> {
    const { store } = this.#options
    const most = maxBytesOf(facts.path)
    if (facts.size > most) {
      await this.#write({ ...facts, hash: '' }, undefined, `it is larger than ${most / 1024 / 1024} MB`)
      return
    }
    const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => error)
    if (bytes instanceof Error) {
      // It is read again at the next start.
      await this.#write({ ...facts, changed_at: 0, hash: '' }, undefined, `it cannot be opened: ${bytes.code}`)
      return
    }
    const hash = hashOf(bytes)
    if (row?.hash === hash && row.problem === null) await store.touch(row, { ...facts, hash })
    else await this.#write({ ...facts, hash }, bytes)
  }

  async #storeUpload({ base, path, bytes }: Upload): Promise<Indexed> {
    const facts = { base, path, origin: 'upload', size: bytes.length, changed_at: this.#options.now() } as const
    const indexed = await this.#write({ ...facts, hash: hashOf(bytes) }, bytes)
    this.#options.changed(base)
    return indexed
  }

  async #write(facts: FileFacts, bytes: Uint8Array | undefined, reason?: string): Promise<Indexed> {
    const { store, documents, now } = this.#options
    const { signal } = this.#stopped
    const text = bytes && (await readDocument(facts.path, bytes, documents, signal))
    // The bytes of an upload are not kept.
    if (text?.isTemporary && facts.origin === 'upload')
      throw new WireError('not_ready', `"${facts.path}" cannot be read yet: ${text.problem}`)
    const writer = store.write(text?.isTemporary ? { ...facts, changed_at: 0 } : facts, now)
    let began = performance.now()
    for (const chunk of text ? chunksOf(text.parts, text.hasHeadings) : []) {
      await writer.add(chunk)
      signal.throwIfAborted()
      if (performance.now() - began < SLICE_MS) continue
      await new Promise((resolve) => setImmediate(resolve))
      began = performance.now()
    }
    const problem = text?.problem ?? reason
    const chunks = await writer.finish(problem)
    return { chunks, ...(problem === undefined ? {} : { problem }) }
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function statOf(file: string) {
  return lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}
