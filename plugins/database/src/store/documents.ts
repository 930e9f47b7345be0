import { WireError } from '@mynah/contract'
import type { Database, Document, DocumentStore, Fields, Reads, Where } from '../api.js'
import { newId } from '@mynah/kernel/util'
import { documentCondition, isField } from './document-where.js'
import { Documents, type DocumentRow } from './tables.js'
import { assertNotEmpty, parseTerms } from './where.js'

const MAX_ID = 512

function toBody(fields: Fields): string {
  const { id: _id, ...rest } = fields
  return JSON.stringify(rest)
}

function toDocument<F extends object>(row: Pick<DocumentRow, 'id' | 'body'>): Document<F> {
  return { ...(JSON.parse(row.body) as F), id: row.id }
}

function checkId(id: unknown): string {
  if (typeof id !== 'string' || id.length === 0 || id.length > MAX_ID)
    throw new WireError('invalid_request', `A document id must be a string of 1 to ${MAX_ID} characters`)
  return id
}

/**
 * Creates the document store of one name. All stores share one table.
 *
 * @param touched called before each write, so that the store is listed again after it was dropped
 */
export function documentStore<F extends object = Fields>(
  database: Database,
  name: string,
  touched: () => void,
): DocumentStore<F> {
  const matching = (where: unknown, dialect: Reads['dialect'], from: number) =>
    documentCondition(parseTerms(where, isField), dialect, from)

  const select = async (db: Reads, where: Where, limit?: number, offset?: number): Promise<Document<F>[]> => {
    const condition = matching(where, db.dialect, 2)
    const parameters = [name, ...condition.parameters]
    let sql = `SELECT id, body FROM mynah_document WHERE store = $1${condition.sql} ORDER BY id`
    if (limit !== undefined) sql += ` LIMIT $${parameters.push(limit)} OFFSET $${parameters.push(offset ?? 0)}`
    return (await db.query<DocumentRow>(sql, parameters)).map((row) => toDocument<F>(row))
  }

  return {
    async get(id) {
      const row = await database.read((db) => db.findOne(Documents, { store: name, id: checkId(id) }))
      return row && toDocument<F>(row)
    },
    async add(fields, id = newId()) {
      touched()
      const row = { store: name, id: checkId(id), body: toBody(fields as Fields) }
      await database.append(Documents, [row])
      return toDocument<F>(row)
    },
    async put(id, fields) {
      touched()
      const row = { store: name, id: checkId(id), body: toBody(fields as Fields) }
      await database.tx((db) => db.upsert(Documents, row, ['store', 'id']))
      return toDocument<F>(row)
    },
    update(where, changes) {
      assertNotEmpty(parseTerms(where, isField))
      return database.tx(async (db) => {
        const found = await select(db, where)
        for (const { id, ...fields } of found)
          await db.update(Documents, { store: name, id }, { body: toBody({ ...fields, ...changes }) })
        return found.length
      })
    },
    remove: (id) => database.tx(async (db) => (await db.delete(Documents, { store: name, id: checkId(id) })) > 0),
    find: (options = {}) =>
      database.read((db) =>
        select(
          db,
          options.where ?? {},
          options.limit ?? (options.offset ? Number.MAX_SAFE_INTEGER : undefined),
          options.offset,
        ),
      ),
    count: (where = {}) =>
      database.read(async (db) => {
        const condition = matching(where, db.dialect, 2)
        const [row] = await db.query<{ count: number }>(
          `SELECT count(*) AS count FROM mynah_document WHERE store = $1${condition.sql}`,
          [name, ...condition.parameters],
        )
        return Number(row?.count ?? 0)
      }),
  }
}

/** Deletes matching documents and returns their number. */
export function deleteDocuments(database: Database, name: string, where: unknown): Promise<number> {
  const terms = parseTerms(where, isField)
  assertNotEmpty(terms)
  return database.tx((db) => {
    const condition = documentCondition(terms, db.dialect, 2)
    return db.run(`DELETE FROM mynah_document WHERE store = $1${condition.sql}`, [name, ...condition.parameters])
  })
}
