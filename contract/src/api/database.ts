// The database browser: tables of three kinds.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Json, JsonObject, Success } from './common.js'

const Name = Type.String({ minLength: 1, maxLength: 128 })
const Key = Type.String({ minLength: 1, maxLength: 1024 })
const page = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
}
const errors = ['not_found', 'not_ready', 'forbidden', 'unsupported'] as const

/** Column to value, or to `{ $eq, $ne, $lt, $lte, $gt, $gte, $in, $like }`. */
export const Where = Type.Record(Type.String(), Json, { maxProperties: 32 })

/** Column to direction, in order of priority; by primary key without it. Documents are in the order of their ids. */
export const Order = Type.Record(Type.String(), Type.Enum(['asc', 'desc']), { maxProperties: 8 })

/** A table of the database. */
export const TableInfo = Type.Object({
  name: Type.String(),
  kind: Type.Enum(['related', 'document', 'keyvalue']),
  writable: Type.Boolean(),
  columns: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String(),
        primary: Type.Optional(Type.Boolean()),
        nullable: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
})
export type TableInfo = Static<typeof TableInfo>

/** Methods of the database browser. */
export const database = contract({
  rpc: {
    'db:info': {
      summary: 'Dialect and tables',
      reads: true,
      data: Type.Object({
        dialect: Type.String(),
        type: Type.Enum(['related']),
        tables: Type.Array(Type.String()),
        available: Type.Boolean(),
      }),
    },
    'db:tables': {
      summary: 'Tables with kind and columns',
      reads: true,
      data: Type.Object({ tables: Type.Array(TableInfo) }),
      errors: ['not_ready'],
    },
    'db:select': {
      summary: 'A page of rows',
      reads: true,
      params: Type.Object({ table: Name, ...page, where: Type.Optional(Where), order: Type.Optional(Order) }),
      data: Type.Object({
        rows: Type.Array(JsonObject),
        total: Type.Integer(),
        page: Type.Integer(),
        pageSize: Type.Integer(),
      }),
      errors,
    },
    'db:insert': {
      summary: 'Adds a row',
      params: Type.Object({ table: Name, row: JsonObject }),
      data: Success,
      errors: [...errors, 'conflict'],
    },
    'db:update': {
      summary: 'Changes rows. `where` may not be empty',
      params: Type.Object({ table: Name, row: JsonObject, where: Where }),
      data: Type.Object({ success: Type.Boolean(), affected: Type.Integer() }),
      errors: [...errors, 'conflict'],
    },
    'db:delete': {
      summary: 'Deletes rows. `where` may not be empty',
      params: Type.Object({ table: Name, where: Where }),
      data: Type.Object({ success: Type.Boolean(), deleted: Type.Integer() }),
      errors,
    },
    'db:drop-table': { summary: 'Drops a table', params: Type.Object({ table: Name }), data: Success, errors },
    'db:kv:get': {
      summary: 'One value, or null when it is missing',
      params: Type.Object({ table: Name, key: Key }),
      data: Type.Object({ key: Type.String(), value: Json }),
      errors,
    },
    'db:kv:set': {
      summary: 'Sets a value, for `ttl` seconds',
      params: Type.Object({
        table: Name,
        key: Key,
        value: Json,
        ttl: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 315_360_000 })),
      }),
      data: Success,
      errors,
    },
    'db:kv:delete': {
      summary: 'Removes a value',
      params: Type.Object({ table: Name, key: Key }),
      data: Success,
      errors,
    },
    'db:kv:entries': {
      summary: 'A page of values',
      params: Type.Object({ table: Name, ...page }),
      data: Type.Object({
        entries: Type.Array(Type.Object({ key: Type.String(), value: Json, expiresAt: Type.Optional(Type.Integer()) })),
        total: Type.Integer(),
        page: Type.Integer(),
        pageSize: Type.Integer(),
      }),
      errors,
    },
  },
})
