import { createHash } from 'node:crypto'
import { entity, type Database } from '@mynah/database-api'

/** Bytes of a part, a multiple of three: the base64 of the parts is that of the whole. */
const PART_BYTES = 262_143
/** Larger media stay on the host that got them. */
const MAX_BYTES = 20 * 1_048_576

interface MediaPart {
  readonly hash: string
  readonly part: number
  readonly parts: number
  readonly body: string
}

/** Media that the hosts of a cluster share, in parts. */
export const MediaParts = entity<MediaPart>({
  package: '@mynah/plugin-agent',
  name: 'media_part',
  columns: {
    hash: { type: 'text', primary: true },
    part: { type: 'integer', primary: true },
    parts: { type: 'integer' },
    body: { type: 'text' },
  },
})

/** The media of conversations in the database, by their SHA-256: the folder of a host is a copy of what it has used. */
export class SharedMedia {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Stores media unless they are there. */
  async add(hash: string, bytes: Uint8Array): Promise<void> {
    if (bytes.length > MAX_BYTES) return
    const parts = Math.max(1, Math.ceil(bytes.length / PART_BYTES))
    const rows = Array.from({ length: parts }, (_, part) => ({
      hash,
      part,
      parts,
      body: Buffer.from(bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)).toString('base64'),
    }))
    await this.#database.tx(async (db) => void (await db.insertNew(MediaParts, rows)))
  }

  /** Returns the bytes of a hash, `undefined` where no host has stored them. */
  async get(hash: string): Promise<Buffer | undefined> {
    const rows = await this.#database.read((db) => db.find(MediaParts, { where: { hash }, order: { part: 'asc' } }))
    if (rows.length === 0 || rows.length !== Number(rows[0]?.parts)) return undefined
    const bytes = Buffer.from(rows.map(({ body }) => body).join(''), 'base64')
    return createHash('sha256').update(bytes).digest('hex') === hash ? bytes : undefined
  }
}
