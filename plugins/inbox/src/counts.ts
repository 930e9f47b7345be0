import type { EndpointKey, InboxQuery, Unread } from '@mynah/plugin-chat/api'
import { entity, type EntityDefinition, type Reads, type Statements } from '@mynah/plugin-database/api'

const KINDS = { message: 'messages', request: 'requests', notice: 'notices' } as const
type Counted = keyof typeof KINDS

/** A row of the counters. */
export interface Count {
  readonly kind: keyof Unread
  readonly adapter: string
  readonly endpoint: string
  /** Empty in the row of a whole endpoint, as the next three columns. Requests and notices have no other rows. */
  readonly channel_type: string
  readonly channel_id: string
  readonly parent_type: string
  readonly parent_id: string
  readonly total: number
  readonly unread: number
}

const KEY = ['kind', 'adapter', 'endpoint', 'channel_type', 'channel_id', 'parent_type', 'parent_id'] as const
const key = { type: 'text', primary: true } as const

/**
 * Numbers of rows and unread rows. Triggers of the database update them with every change, so that a page of a
 * million rows counts nothing.
 */
export const Counts = entity<Count>({
  package: '@mynah/plugin-inbox',
  name: 'inbox_count',
  columns: {
    kind: key,
    adapter: key,
    endpoint: key,
    channel_type: key,
    channel_id: key,
    parent_type: key,
    parent_id: key,
    total: { type: 'bigint', default: 0 },
    unread: { type: 'bigint', default: 0 },
  },
})

/** Returns the counters that a row belongs to as SQL tuples. `row` is its name in the statement. */
function countersOf(table: Counted, row: string): string[] {
  const whole = `'${KINDS[table]}', ${row}.adapter, ${row}.endpoint`
  const parent = `coalesce(${row}.parent_type, ''), coalesce(${row}.parent_id, '')`
  const channel = `${whole}, ${row}.channel_type, ${row}.channel_id, ${parent}`
  return [`${whole}, '', '', '', ''`, ...(table === 'message' ? [channel] : [])]
}

const INTO = `INSERT INTO inbox_count (${KEY.join(', ')}, total, unread)`
const ADD =
  `ON CONFLICT (${KEY.join(', ')}) DO UPDATE ` +
  'SET total = inbox_count.total + excluded.total, unread = inbox_count.unread + excluded.unread'

function sqliteTriggers(table: Counted): string[] {
  const on = (name: string, event: string, row: string, total: string, unread: string): string =>
    `CREATE TRIGGER IF NOT EXISTS ${table}_${name} AFTER ${event} ON ${table} BEGIN ${INTO} VALUES ${countersOf(
      table,
      row,
    )
      .map((counter) => `(${counter}, ${total}, ${unread})`)
      .join(', ')} ${ADD}; END`
  return [
    on('count_added', 'INSERT', 'NEW', '1', 'NEW.read = 0'),
    on('count_read', 'UPDATE OF read', 'NEW', '0', '(NEW.read = 0) - (OLD.read = 0)'),
    on('count_deleted', 'DELETE', 'OLD', '-1', '-(OLD.read = 0)'),
  ]
}

/** Returns the SQL that counts many rows. `sign` is `-` for rows that were deleted. */
function sums(table: Counted, from: string, sign: '' | '-'): string {
  return countersOf(table, 'r')
    .map(
      (counter) =>
        `${INTO} SELECT ${counter}, ${sign}count(*), ${sign}sum(CASE WHEN r.read = 0 THEN 1 ELSE 0 END) ` +
        `FROM ${from} AS r WHERE true GROUP BY 1, 2, 3, 4, 5, 6, 7 ${ADD}`,
    )
    .join('; ')
}

function postgresTriggers(table: Counted): string[] {
  const on = (name: string, event: string, body: string, how: string): string[] => [
    `CREATE OR REPLACE FUNCTION ${table}_${name}() RETURNS trigger LANGUAGE plpgsql ` +
      `AS $body$ BEGIN ${body}; RETURN NULL; END $body$`,
    `DROP TRIGGER IF EXISTS ${table}_${name} ON ${table}`,
    `CREATE TRIGGER ${table}_${name} AFTER ${event} ON ${table} ${how} EXECUTE FUNCTION ${table}_${name}()`,
  ]
  const read = countersOf(table, 'NEW')
    .map((counter) => `(${counter}, 0, (NEW.read = 0)::int - (OLD.read = 0)::int)`)
    .join(', ')
  return [
    ...on('count_added', 'INSERT', sums(table, 'rows', ''), 'REFERENCING NEW TABLE AS rows FOR EACH STATEMENT'),
    ...on(
      'count_read',
      'UPDATE OF read',
      `${INTO} VALUES ${read} ${ADD}`,
      'FOR EACH ROW WHEN (OLD.read IS DISTINCT FROM NEW.read)',
    ),
    ...on('count_deleted', 'DELETE', sums(table, 'rows', '-'), 'REFERENCING OLD TABLE AS rows FOR EACH STATEMENT'),
  ]
}

/** Counts the existing rows and installs the triggers. */
async function count(db: Statements, table: Counted): Promise<void> {
  await db.query(`DELETE FROM inbox_count WHERE kind = '${KINDS[table]}'`)
  for (const sql of sums(table, table, '').split('; ')) await db.query(sql)
  for (const sql of db.dialect === 'sqlite' ? sqliteTriggers(table) : postgresTriggers(table)) await db.query(sql)
}

/** Returns what a table declares to be counted: for a new table, and for one of an older version. */
export function counted(table: Counted): Required<Pick<EntityDefinition<object>, 'created' | 'migrations'>> {
  const up = (db: Statements): Promise<void> => count(db, table)
  return { created: up, migrations: [{ name: 'counted', up }] }
}

/** Returns how many rows match a query. */
export async function totalOf(
  db: Reads,
  kind: keyof Unread,
  { adapter, endpoint, channel, parent, unreadOnly }: InboxQuery,
): Promise<number> {
  const parameters: string[] = [kind, adapter, endpoint]
  const equals = (columns: readonly string[], ...values: string[]): string =>
    columns.map((column, index) => ` AND ${column} = $${parameters.push(values[index] as string)}`).join('')
  let where = 'kind = $1 AND adapter = $2 AND endpoint = $3'
  if (channel) where += equals(['channel_type', 'channel_id'], channel.type, channel.id)
  if (parent) where += equals(['parent_type', 'parent_id'], parent.type, parent.id)
  if (!channel) where += parent ? " AND channel_type <> ''" : " AND channel_type = ''"
  const [row] = await db.query<{ count: number | string | null }>(
    `SELECT sum(${unreadOnly ? 'unread' : 'total'}) AS count FROM inbox_count WHERE ${where}`,
    parameters,
  )
  return Number(row?.count ?? 0)
}

/** Returns the unread rows of an endpoint by kind. */
export async function unreadOf(db: Reads, { adapter, endpoint }: EndpointKey): Promise<Unread> {
  const rows = await db.query<{ kind: keyof Unread; unread: number | string }>(
    "SELECT kind, unread FROM inbox_count WHERE kind IN ('messages', 'requests', 'notices') AND adapter = $1 AND endpoint = $2 AND channel_type = ''",
    [adapter, endpoint],
  )
  return {
    messages: 0,
    requests: 0,
    notices: 0,
    ...Object.fromEntries(rows.map(({ kind, unread }) => [kind, Number(unread)])),
  }
}
