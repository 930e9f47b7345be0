import { entity, type Statements } from '@mynah/database-api'

const OWNER = '@mynah/plugin-knowledge'

/** A document of a base. */
export interface FileRecord {
  readonly id: string
  readonly base: string
  /** Name by which it is shown. Absolute paths are not among these. */
  readonly path: string
  readonly origin: 'folder' | 'upload'
  readonly size: number
  /** Time of its last change that was read, in milliseconds since the epoch. 0: it is read again. */
  readonly changed_at: number
  readonly hash: string
  /** The passages with this version are those of the document. Others are being written, or are left over. */
  readonly version: string
  readonly chunks: number
  /** Why it could not be read, or not completely. */
  readonly problem: string | null
  readonly indexed_at: number
}

export const Files = entity<FileRecord>({
  package: OWNER,
  name: 'knowledge_file',
  columns: {
    id: { type: 'text', primary: true },
    base: { type: 'text' },
    path: { type: 'text' },
    origin: { type: 'text' },
    size: { type: 'bigint' },
    changed_at: { type: 'bigint' },
    hash: { type: 'text' },
    version: { type: 'text' },
    chunks: { type: 'integer' },
    problem: { type: 'text', nullable: true },
    indexed_at: { type: 'bigint' },
  },
  indices: [{ name: 'knowledge_file_path', columns: ['base', 'path'], unique: true }],
})

/** A passage of a document. */
export interface ChunkRecord {
  readonly id: number
  readonly file: string
  readonly version: string
  readonly heading: string
  readonly page: number | null
  readonly text: string
  /** The words of its source, as the databases index them. */
  readonly title: string
  readonly words: string
}

export const Chunks = entity<ChunkRecord>({
  package: OWNER,
  name: 'knowledge_chunk',
  columns: {
    // The row id of SQLite, which its index refers to.
    id: { type: 'integer', primary: true },
    file: { type: 'text' },
    version: { type: 'text' },
    heading: { type: 'text' },
    page: { type: 'integer', nullable: true },
    text: { type: 'text' },
    title: { type: 'text' },
    words: { type: 'text' },
  },
  indices: [{ name: 'knowledge_chunk_file', columns: ['file', 'version'] }],
  created: createIndex,
})

/** Creates the index of words. The database itself keeps it, so that rows which are moved or restored are in it. */
async function createIndex(db: Statements): Promise<void> {
  for (const statement of db.dialect === 'sqlite' ? SQLITE : POSTGRES) await db.query(statement)
}

const SQLITE = [
  `CREATE VIRTUAL TABLE IF NOT EXISTS knowledge_words USING fts5(title, words, content = '', contentless_delete = 1,
   tokenize = 'porter unicode61 remove_diacritics 2')`,
  // An index of a table that was dropped.
  'DELETE FROM knowledge_words',
  `CREATE TRIGGER knowledge_chunk_added AFTER INSERT ON knowledge_chunk BEGIN
   INSERT INTO knowledge_words (rowid, title, words) VALUES (new.id, new.title, new.words); END`,
  `CREATE TRIGGER knowledge_chunk_deleted AFTER DELETE ON knowledge_chunk BEGIN
   DELETE FROM knowledge_words WHERE rowid = old.id; END`,
]
const POSTGRES = [
  `ALTER TABLE knowledge_chunk ADD COLUMN search tsvector GENERATED ALWAYS AS (
   setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', words), 'D')) STORED`,
  'CREATE INDEX knowledge_chunk_search ON knowledge_chunk USING gin (search)',
]
