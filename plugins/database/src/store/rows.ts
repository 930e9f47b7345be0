import { WireError } from '@mynah/contract'
import type { EntityMetadata, FindManyOptions, QueryRunner } from 'typeorm'
import type { Dialect, Entity, Find, Reads, Where, Writes } from '../api.js'
import type { Publication } from '@mynah/plugin-events/api'
import { execute } from '../engine/engine.js'
import { changeStatements } from './change.js'
import { insertStatements, type OnConflict } from './insert.js'
import { matchReturned } from './match-returned.js'
import { assertNotEmpty, toFindOptions, parseTerms } from './where.js'

/** A connection with what is needed to read rows. The connection itself is never handed out. */
export interface ReadAccess {
  readonly dialect: Dialect
  /** Returns the connection. Throws after the end of its transaction. */
  runner(): QueryRunner
  /** Returns the metadata of a table. Throws if the table is not ready. */
  metadata(entity: Entity): EntityMetadata
  /** Receives the error of every failed statement. Returns the one that callers see. */
  failed(error: unknown): unknown
}

async function guarded<T>(access: ReadAccess, statement: () => Promise<T>): Promise<T> {
  try {
    return await statement()
  } catch (error) {
    throw access.failed(error)
  }
}

function parseWhere(metadata: EntityMetadata, where: unknown) {
  return parseTerms(where, (name) => metadata.columns.some(({ propertyName }) => propertyName === name))
}

/** Returns the read operations of a connection. */
export function createReads(access: ReadAccess): Reads {
  const find = <T extends object>(entity: Entity<T>, options: Find<T> = {}): Promise<T[]> =>
    guarded(access, () => {
      const metadata = access.metadata(entity)
      const order =
        options.order ?? Object.fromEntries(metadata.primaryColumns.map(({ propertyName }) => [propertyName, 'asc']))
      return access.runner().manager.find(metadata.tableName, {
        where: toFindOptions(parseWhere(metadata, options.where ?? {}), access.dialect),
        order,
        ...(options.limit === undefined ? {} : { take: options.limit }),
        ...(options.offset ? { skip: options.offset } : {}),
      } as FindManyOptions<object>) as Promise<T[]>
    })
  return {
    dialect: access.dialect,
    find,
    async findOne<T extends object>(entity: Entity<T>, where: Where<T>): Promise<T | undefined> {
      return (await find(entity, { where, limit: 1 }))[0]
    },
    count: (entity, where = {}) =>
      guarded(access, () => {
        const metadata = access.metadata(entity)
        return access
          .runner()
          .manager.count(metadata.tableName, { where: toFindOptions(parseWhere(metadata, where), access.dialect) })
      }),
    query: <R>(sql: string, parameters?: readonly unknown[]) =>
      guarded(access, async () => (await execute(access.dialect, access.runner(), sql, parameters)).rows as R[]),
  }
}

/** A connection with what is needed to write rows. */
export interface WriteAccess extends ReadAccess {
  announce(publication: Publication): void
}

/** Returns the write operations of a connection. */
export function createWrites(access: WriteAccess): Writes {
  const insert = async (entity: Entity, rows: readonly object[], conflict: OnConflict): Promise<boolean[]> => {
    const metadata = access.metadata(entity)
    const inserted: boolean[] = []
    for (const statement of insertStatements(access.runner().connection, metadata, rows, conflict)) {
      const { rows: returned } = await execute(access.dialect, access.runner(), statement.sql, statement.parameters)
      if (conflict === 'skip') inserted.push(...matchReturned(metadata, statement.rows, returned))
    }
    return inserted
  }
  return {
    ...createReads(access),
    insert: (entity, rows) =>
      guarded(access, async () => void (await insert(entity, Array.isArray(rows) ? rows : [rows], 'fail'))),
    insertNew: (entity, rows) => guarded(access, () => insert(entity, rows, 'skip')),
    upsert: (entity, row, keys) => guarded(access, async () => void (await insert(entity, [row], { keys }))),
    change: (entity, rows, when = {}) =>
      guarded(access, async () => {
        const metadata = access.metadata(entity)
        const changed: boolean[] = []
        for (const statement of changeStatements(
          access.runner().connection,
          metadata,
          rows,
          parseWhere(metadata, when),
        )) {
          const { rows: returned } = await execute(access.dialect, access.runner(), statement.sql, statement.parameters)
          changed.push(...matchReturned(metadata, statement.rows, returned))
        }
        return changed
      }),
    update: (entity, where, changes) =>
      guarded(access, async () => {
        const metadata = access.metadata(entity)
        const terms = parseWhere(metadata, where)
        assertNotEmpty(terms)
        for (const name of Object.keys(changes)) {
          if (!metadata.columns.some(({ propertyName }) => propertyName === name))
            throw new WireError('invalid_request', `"${name}" is not a column of ${metadata.tableName}`)
        }
        return (
          (
            await access
              .runner()
              .manager.update(metadata.tableName, toFindOptions(terms, access.dialect), changes as object)
          ).affected ?? 0
        )
      }),
    delete: (entity, where) =>
      guarded(access, async () => {
        const metadata = access.metadata(entity)
        const terms = parseWhere(metadata, where)
        assertNotEmpty(terms)
        return (
          (await access.runner().manager.delete(metadata.tableName, toFindOptions(terms, access.dialect))).affected ?? 0
        )
      }),
    run: (sql, parameters) =>
      guarded(access, async () => (await execute(access.dialect, access.runner(), sql, parameters)).affected),
    announce: (publication) => access.announce(publication),
  }
}
