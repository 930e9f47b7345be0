// Reading and writing as plugins see it: entities and plain SQL on one connection, which itself is never handed out.
import { WireError } from '@mynah/contract'
import type { EntityMetadata, FindManyOptions, QueryRunner } from 'typeorm'
import type { Dialect, Entity, Find, Reads, Where, Writes } from '../api.js'
import { execute } from '../engine/engine.js'
import { toRefusal } from '../failures.js'
import { insertedOf, insertStatements, type OnConflict } from './insert.js'
import { assertSome, forTable, termsOf } from './where.js'

/** What rows are read and written with. */
export interface Session {
  readonly dialect: Dialect
  /** The connection; throws when this session has ended. */
  runner(): QueryRunner
  /** What is known of a table; throws where it is not ready. */
  metadata(entity: Entity): EntityMetadata
  /** Told of every failed statement. */
  failed(error: unknown): void
}

async function guarded<T>(session: Session, statement: () => Promise<T>): Promise<T> {
  try {
    return await statement()
  } catch (error) {
    session.failed(error)
    throw toRefusal(error)
  }
}

function conditionOf(metadata: EntityMetadata, where: unknown) {
  return termsOf(where, (name) => metadata.columns.some(({ propertyName }) => propertyName === name))
}

/** Reads on a session. */
export function readsOn(session: Session): Reads {
  const find = <T extends object>(entity: Entity<T>, options: Find<T> = {}): Promise<T[]> => guarded(session, () => {
    const metadata = session.metadata(entity)
    const order = options.order ?? Object.fromEntries(metadata.primaryColumns.map(({ propertyName }) => [propertyName, 'asc']))
    return session.runner().manager.find(metadata.tableName, {
      where: forTable(conditionOf(metadata, options.where ?? {})),
      order,
      ...(options.limit === undefined ? {} : { take: options.limit }),
      ...(options.offset ? { skip: options.offset } : {}),
    } as FindManyOptions<object>) as Promise<T[]>
  })
  return {
    dialect: session.dialect,
    find,
    async findOne<T extends object>(entity: Entity<T>, where: Where<T>): Promise<T | undefined> {
      return (await find(entity, { where, limit: 1 }))[0]
    },
    count: (entity, where = {}) => guarded(session, () => {
      const metadata = session.metadata(entity)
      return session.runner().manager.count(metadata.tableName, { where: forTable(conditionOf(metadata, where)) })
    }),
    query: <R>(sql: string, parameters?: readonly unknown[]) =>
      guarded(session, async () => (await execute(session.dialect, session.runner(), sql, parameters)).rows as R[]),
  }
}

/** Writes on a session. */
export function writesOn(session: Session): Writes {
  const insert = async (entity: Entity, rows: readonly object[], conflict: OnConflict): Promise<boolean[]> => {
    const metadata = session.metadata(entity)
    const inserted: boolean[] = []
    for (const statement of insertStatements(session.runner().connection, metadata, rows, conflict)) {
      const { rows: returned } = await execute(session.dialect, session.runner(), statement.sql, statement.parameters)
      if (conflict === 'skip') inserted.push(...insertedOf(metadata, statement.rows, returned))
    }
    return inserted
  }
  return {
    ...readsOn(session),
    insert: (entity, rows) => guarded(session, async () => void await insert(entity, Array.isArray(rows) ? rows : [rows], 'fail')),
    insertNew: (entity, rows) => guarded(session, () => insert(entity, rows, 'skip')),
    upsert: (entity, row, keys) => guarded(session, async () => void await insert(entity, [row], { keys })),
    update: (entity, where, changes) => guarded(session, async () => {
      const metadata = session.metadata(entity)
      const terms = conditionOf(metadata, where)
      assertSome(terms)
      for (const name of Object.keys(changes)) {
        if (!metadata.columns.some(({ propertyName }) => propertyName === name)) throw new WireError('invalid_request', `"${name}" is not a column of ${metadata.tableName}`)
      }
      return (await session.runner().manager.update(metadata.tableName, forTable(terms), changes as object)).affected ?? 0
    }),
    delete: (entity, where) => guarded(session, async () => {
      const metadata = session.metadata(entity)
      const terms = conditionOf(metadata, where)
      assertSome(terms)
      return (await session.runner().manager.delete(metadata.tableName, forTable(terms))).affected ?? 0
    }),
    run: (sql, parameters) => guarded(session, async () => (await execute(session.dialect, session.runner(), sql, parameters)).affected),
  }
}
