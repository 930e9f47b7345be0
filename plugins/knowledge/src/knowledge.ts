import { WireError } from '@mynah/contract'
import type { Database } from '@mynah/database-api'
import { messageOf, type Logger, type Ref } from '@mynah/kernel'
import type { Documents } from '@mynah/plugin-agent/api'
import { Folders, type Root } from './folders.js'
import { Indexer } from './indexer.js'
import { KnowledgeStore } from './store.js'

export interface KnowledgeOptions {
  readonly database: Database
  readonly documents: Ref<Documents>
  readonly log: Logger
  readonly now: () => number
  readonly changed: (base: string) => void
}

/** The writing of documents: it runs in one process at a time. */
export class Knowledge {
  readonly store: KnowledgeStore
  readonly #options: KnowledgeOptions
  readonly #roots: readonly Root[]
  #work: { readonly indexer: Indexer; readonly folders: Folders } | undefined
  #starting: Promise<void> = Promise.resolve()
  #isWanted = false

  constructor(roots: readonly Root[], options: KnowledgeOptions) {
    this.#roots = roots
    this.#options = options
    this.store = new KnowledgeStore(options.database)
  }

  /** Begins to read documents and to notice changes. */
  start(): void {
    this.#isWanted = true
    this.#starting = this.#starting.then(() => this.#start())
  }

  async stop(): Promise<void> {
    this.#isWanted = false
    await this.#starting
    const work = this.#work
    this.#work = undefined
    await Promise.all([work?.folders.close(), work?.indexer.stop()])
  }

  /** Begins where the database was not there before, and reads what may have been missed. */
  resume(): void {
    if (!this.#isWanted) return
    if (!this.#work) return this.start()
    void this.#work.folders.scan().catch((error: unknown) => this.#failed(error))
  }

  /** Resolves when all documents are read that were there. */
  async idle(): Promise<void> {
    await this.#starting
    await this.#work?.indexer.idle()
  }

  /** @throws WireError `not_ready` while documents cannot be written */
  get indexer(): Indexer {
    if (!this.#work)
      throw new WireError('not_ready', 'The documents cannot be changed yet: the plugin knowledge starts')
    return this.#work.indexer
  }

  pending(base: string): number {
    return this.#work?.indexer.pending(base) ?? 0
  }

  missing(base: string): string[] {
    return this.#work?.folders.missing(base) ?? []
  }

  async #start(): Promise<void> {
    if (this.#work || !this.#isWanted) return
    const { store } = this
    const { documents, log, now, changed } = this.#options
    try {
      await store.open()
      const indexer = new Indexer({ store, documents, log, now, changed })
      const folders = new Folders(this.#roots, { store, indexer, log })
      this.#work = { indexer, folders }
      await folders.start()
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    this.#options.log.warn(`failed to read the documents of ai.knowledge: ${messageOf(error)}`)
  }
}
