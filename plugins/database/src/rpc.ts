import { database, WireError } from '@mynah/contract'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import type { Call } from '@mynah/plugin-http-core/api'
import type { Where } from './api.js'
import { deleteRows, insertRow, selectRows, updateRows } from './browse.js'
import type { TableCatalog } from './table-catalog.js'
import type { Store } from './store/store.js'

const ROWS = ['related', 'document'] as const
const VALUES = ['keyvalue'] as const
const ANY = ['related', 'document', 'keyvalue'] as const
const MAX_OFFSET = Number.MAX_SAFE_INTEGER

function pageOf({ page = 1, pageSize = 50 }: { page?: number; pageSize?: number }) {
  if (page * pageSize > MAX_OFFSET) throw new WireError('invalid_request', 'page is too large')
  return { page, pageSize }
}

/** Returns the methods of the database browser (`db:*`). Every write is logged without values. */
export function databaseMethods(store: Store, catalog: TableCatalog): BoundMethod[] {
  const { rpc } = database
  const audit = (call: Call, what: string, table: string, fields: Record<string, unknown> = {}): void =>
    call.log.info(`${what} of table ${table} by ${call.principal.name}`, { table, by: call.principal.name, ...fields })
  const values = async (name: string, access: 'read' | 'write') => {
    const table = await catalog.get(name, VALUES, access)
    return store.kv(table.name, table.store)
  }
  return [
    method(rpc, 'db:info', async () => ({
      dialect: store.dialect,
      type: 'related' as const,
      tables: (await catalog.all()).map(({ name }) => name),
      available: store.status.available,
    })),
    method(rpc, 'db:tables', async () => ({
      tables: (await catalog.all()).map((table) => catalog.describe(table)),
    })),
    method(rpc, 'db:select', async ({ table, where, order, ...range }) => {
      const page = pageOf(range)
      const wanted = { where: (where ?? {}) as Where, order }
      return {
        ...(await selectRows(store, await catalog.get(table, ROWS, 'read'), wanted, page)),
        ...page,
      }
    }),
    method(rpc, 'db:insert', async ({ table, row }, call) => {
      await insertRow(store, await catalog.get(table, ROWS, 'write'), row)
      audit(call, 'insert', table)
      return { success: true }
    }),
    method(rpc, 'db:update', async ({ table, row, where }, call) => {
      const affected = await updateRows(store, await catalog.get(table, ROWS, 'write'), row, where as Where)
      audit(call, 'update', table, { affected })
      return { success: true, affected }
    }),
    method(rpc, 'db:delete', async ({ table, where }, call) => {
      const deleted = await deleteRows(store, await catalog.get(table, ROWS, 'write'), where as Where)
      audit(call, 'delete', table, { deleted })
      return { success: true, deleted }
    }),
    method(rpc, 'db:drop-table', async ({ table: name }, call) => {
      const table = await catalog.get(name, ANY, 'write')
      await (table.kind === 'related' ? store.dropTable(table.name) : store.dropStore(table.store))
      audit(call, 'drop', name)
      return { success: true }
    }),
    method(rpc, 'db:kv:get', async ({ table, key }) => ({
      key,
      value: (await (await values(table, 'read')).get(key)) ?? null,
    })),
    method(rpc, 'db:kv:set', async ({ table, key, value, ttl }, call) => {
      await (await values(table, 'write')).set(key, value, ttl === undefined ? {} : { ttl })
      audit(call, 'set', table)
      return { success: true }
    }),
    method(rpc, 'db:kv:delete', async ({ table, key }, call) => {
      const success = await (await values(table, 'write')).delete(key)
      audit(call, 'delete', table)
      return { success }
    }),
    method(rpc, 'db:kv:entries', async ({ table, ...range }) => {
      const page = pageOf(range)
      const entries = await values(table, 'read')
      return {
        entries: await entries.entries({ limit: page.pageSize, offset: (page.page - 1) * page.pageSize }),
        total: await entries.count(),
        ...page,
      }
    }),
  ]
}
