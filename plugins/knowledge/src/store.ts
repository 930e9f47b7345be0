import type { Database } from '@mynah/database-api'
import { newId } from '@mynah/kernel/util'
import type { Chunk } from './chunks.js'
import { Chunks, Files, type ChunkRecord, type FileRecord } from './tables.js'
import { indexWords } from './words.js'

/** Passages of one transaction, so that others wait for milliseconds. */
const STEP = 50
const DELETE_STEP = 200

/** The facts of a document that are known before its passages. */
export type FileFacts = Pick<FileRecord, 'base' | 'path' | 'origin' | 'size' | 'changed_at' | 'hash'>

/** Figures of a base. */
export interface BaseFigures {
  readonly files: number
  readonly chunks: number
  readonly problems: readonly { readonly path: string; readonly problem: string }[]
}

const MAX_PROBLEMS = 20

/**
 * Documents and passages in the database. One process writes. A document is written in small steps under a new version
 * and is shown only when all of it is there; what a stop leaves over is removed at the next start.
 */
export class KnowledgeStore {
  readonly #database: Database
  #lastId = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** Prepares for writing: finds the next id, and removes what an earlier process has not finished. */
  async open(): Promise<void> {
    await this.#sweep()
    const [row] = await this.#database.read((db) =>
      db.query<{ last: number | null }>('SELECT max(id) AS last FROM knowledge_chunk'),
    )
    this.#lastId = Number(row?.last ?? 0)
  }

  async file(base: string, path: string): Promise<FileRecord | undefined> {
    return this.#database.read((db) => db.findOne(Files, { base, path }))
  }

  /** Returns the documents of a base, by path. */
  async files(
    base: string,
    { limit, after }: { readonly limit?: number; readonly after?: string } = {},
  ): Promise<FileRecord[]> {
    return this.#database.read((db) =>
      db.find(Files, {
        where: { base, ...(after === undefined ? {} : { path: { $gt: after } }) },
        order: { path: 'asc' },
        ...(limit === undefined ? {} : { limit }),
      }),
    )
  }

  async count(base: string): Promise<number> {
    return this.#database.read((db) => db.count(Files, { base }))
  }

  /** Returns the names of all bases that have documents. */
  async bases(): Promise<string[]> {
    const rows = await this.#database.read((db) =>
      db.query<{ base: string }>('SELECT DISTINCT base FROM knowledge_file ORDER BY base'),
    )
    return rows.map(({ base }) => base)
  }

  async figures(base: string): Promise<BaseFigures> {
    return this.#database.read(async (db) => {
      const [sums] = await db.query<{ files: number | string; chunks: number | string | null }>(
        'SELECT count(*) AS files, sum(chunks) AS chunks FROM knowledge_file WHERE base = $1',
        [base],
      )
      const problems = await db.query<{ path: string; problem: string }>(
        `SELECT path, problem FROM knowledge_file WHERE base = $1 AND problem IS NOT NULL ORDER BY path
         LIMIT ${MAX_PROBLEMS}`,
        [base],
      )
      return { files: Number(sums?.files ?? 0), chunks: Number(sums?.chunks ?? 0), problems }
    })
  }

  /** Begins to write a document. */
  write(facts: FileFacts, now: () => number): DocumentWriter {
    return new DocumentWriter(this.#database, facts, now, () => ++this.#lastId)
  }

  /** Stores that a document has the same content as before. */
  async touch({ id }: FileRecord, { size, changed_at }: FileFacts): Promise<void> {
    await this.#database.change(Files, [{ id, size, changed_at }])
  }

  /** Removes a document. Its passages are found no more at once, and deleted in steps. */
  async remove({ id }: FileRecord): Promise<void> {
    await this.#database.tx((db) => db.delete(Files, { id }))
    await this.#deleteInSteps('file = $1', [id])
  }

  async #sweep(): Promise<void> {
    await this.#deleteInSteps(
      'NOT EXISTS (SELECT 1 FROM knowledge_file f WHERE f.id = knowledge_chunk.file AND f.version = knowledge_chunk.version)',
      [],
    )
  }

  async #deleteInSteps(where: string, parameters: readonly unknown[]): Promise<void> {
    await deleteInSteps(this.#database, where, parameters)
  }
}

async function deleteInSteps(database: Database, where: string, parameters: readonly unknown[]): Promise<void> {
  const sql =
    'DELETE FROM knowledge_chunk WHERE id IN ' +
    `(SELECT id FROM knowledge_chunk WHERE ${where} ORDER BY id LIMIT ${DELETE_STEP})`
  while ((await database.tx((db) => db.run(sql, parameters))) === DELETE_STEP);
}

/** Writes one document. */
export class DocumentWriter {
  readonly #database: Database
  readonly #facts: FileFacts
  readonly #now: () => number
  readonly #nextId: () => number
  readonly #version = newId()
  readonly #pathWords: string
  #file: string | undefined
  #waiting: ChunkRecord[] = []
  #chunks = 0

  constructor(database: Database, facts: FileFacts, now: () => number, nextId: () => number) {
    this.#database = database
    this.#facts = facts
    this.#now = now
    this.#nextId = nextId
    this.#pathWords = indexWords(facts.path)
  }

  /** Adds a passage. Waits when a step is full. */
  async add({ headings, page, text }: Chunk): Promise<void> {
    const heading = headings.join(' › ')
    this.#file ??= await this.#idOf()
    this.#waiting.push({
      id: this.#nextId(),
      file: this.#file,
      version: this.#version,
      heading: clean(heading),
      page: page ?? null,
      text: clean(text),
      title: `${indexWords(clean(heading))} ${this.#pathWords}`,
      words: indexWords(clean(text)),
    })
    this.#chunks++
    if (this.#waiting.length >= STEP) await this.#flush()
  }

  /** Replaces the document by what was written, and removes what it had before. */
  async finish(problem?: string): Promise<number> {
    await this.#flush()
    const id = (this.#file ??= await this.#idOf())
    const row: FileRecord = {
      ...this.#facts,
      id,
      version: this.#version,
      chunks: this.#chunks,
      problem: problem === undefined ? null : clean(problem),
      indexed_at: this.#now(),
    }
    await this.#database.tx((db) => db.upsert(Files, row, ['id']))
    await deleteInSteps(this.#database, 'file = $1 AND version <> $2', [id, this.#version])
    return this.#chunks
  }

  async #idOf(): Promise<string> {
    const { base, path } = this.#facts
    return (await this.#database.read((db) => db.findOne(Files, { base, path })))?.id ?? newId()
  }

  async #flush(): Promise<void> {
    const rows = this.#waiting.splice(0)
    if (rows.length > 0) await this.#database.append(Chunks, rows)
  }
}

/** Removes what files and databases reject: NUL and unpaired surrogates. */
const clean = (text: string): string => Buffer.from(text.replaceAll('\0', '')).toString()
