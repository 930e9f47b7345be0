// Reading and writing as plugins see it: entities and plain SQL on one connection, which itself is never handed out.
import { WireError } from '@mynah/contract'
import type { EntityMetadata, FindManyOptions, QueryRunner } from 'typeorm'
import type { Dialect, Entity, Find, Reads, Where, Writes } from '../api.js'
import type { Publication } from '@mynah/plugin-events/api'
import { execute } from '../engine/engine.js'
import { toRefusal } from '../failures.js'
import { changeStatements } from './change.js'
import { insertStatements, type OnConflict } from './insert.js'
import { returnedOf } from './returned.js'
import { assertSome, forTable, termsOf } from './where.js'

/** What rows are read and written with. */
export interface Access {
  readonly dialect: Dialect
  /** The connection; throws when its transaction has ended. */
  runner(): QueryRunner
  /** What is known of a table; throws where it is not ready. */
  metadata(entity: Entity): EntityMetadata
  /** Told of every failed statement. */
  failed(error: unknown): void
}

async function guarded<T>(access: Access, statement: () => Promise<T>): Promise<T> {
  try {
    return await statement()
  } catch (error) {
    access.failed(error)
    throw toRefusal(error)
  }
}

function conditionOf(metadata: EntityMetadata, where: unknown) {
  return termsOf(where, (name) => metadata.columns.some(({ propertyName }) => propertyName === name))
}

/** Reads through one access. */
export function readsOn(access: Access): Reads {
  const find = <T extends object>(entity: Entity<T>, options: Find<T> = {}): Promise<T[]> =>
    guarded(access, () => {
      const metadata = access.metadata(entity)
      const order =
        options.order ?? Object.fromEntries(metadata.primaryColumns.map(({ propertyName }) => [propertyName, 'asc']))
      return access.runner().manager.find(metadata.tableName, {
        where: forTable(conditionOf(metadata, options.where ?? {}), access.dialect),
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
          .manager.count(metadata.tableName, { where: forTable(conditionOf(metadata, where), access.dialect) })
      }),
    query: <R>(sql: string, parameters?: readonly unknown[]) =>
      guarded(access, async () => (await execute(access.dialect, access.runner(), sql, parameters)).rows as R[]),
  }
}

/** What rows are written with. */
export interface WriteAccess extends Access {
  announce(publication: Publication): void
}

/** Writes through one access. */
export function writesOn(access: WriteAccess): Writes {
  const insert = async (entity: Entity, rows: readonly object[], conflict: OnConflict): Promise<boolean[]> => {
    const metadata = access.metadata(entity)
    const inserted: boolean[] = []
    for (const statement of insertStatements(access.runner().connection, metadata, rows, conflict)) {
      const { rows: returned } = await execute(access.dialect, access.runner(), statement.sql, statement.parameters)
      if (conflict === 'skip') inserted.push(...returnedOf(metadata, statement.rows, returned))
    }
    return inserted
  }
  return {
    ...readsOn(access),
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
          conditionOf(metadata, when),
        )) {
          const { rows: returned } = await execute(access.dialect, access.runner(), statement.sql, statement.parameters)
          changed.push(...returnedOf(metadata, statement.rows, returned))
        }
        return changed
      }),
    update: (entity, where, changes) =>
      guarded(access, async () => {
        const metadata = access.metadata(entity)
        const terms = conditionOf(metadata, where)
        assertSome(terms)
        for (const name of Object.keys(changes)) {
          if (!metadata.columns.some(({ propertyName }) => propertyName === name))
            throw new WireError('invalid_request', `"${name}" is not a column of ${metadata.tableName}`)
        }
        return (
          (await access.runner().manager.update(metadata.tableName, forTable(terms, access.dialect), changes as object))
            .affected ?? 0
        )
      }),
    delete: (entity, where) =>
      guarded(access, async () => {
        const metadata = access.metadata(entity)
        const terms = conditionOf(metadata, where)
        assertSome(terms)
        return (await access.runner().manager.delete(metadata.tableName, forTable(terms, access.dialect))).affected ?? 0
      }),
    run: (sql, parameters) =>
      guarded(access, async () => (await execute(access.dialect, access.runner(), sql, parameters)).affected),
    announce: (publication) => access.announce(publication),
  }
}
