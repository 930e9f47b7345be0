import { WireError } from '@mynah/contract'
import type { Database, KeyValueStore } from '../api.js'
import { KeyValues, type KeyValueRow } from './tables.js'

const MAX_KEY = 1_024
const MAX_TTL_S = 315_360_000
const LIVE = 'store = $1 AND (expires IS NULL OR expires > $2)'

function checkKey(key: unknown): string {
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_KEY)
    throw new WireError('invalid_request', `A key must be a string of 1 to ${MAX_KEY} characters`)
  return key
}

function toText(value: unknown): string {
  const text = JSON.stringify(value)
  if (text === undefined) throw new WireError('invalid_request', 'A value must be JSON; delete the key to remove it')
  return text
}

function expiry(ttl: number | undefined, now: number): number | null {
  if (ttl === undefined) return null
  if (!(ttl > 0 && ttl <= MAX_TTL_S))
    throw new WireError('invalid_request', `ttl must be more than 0 and at most ${MAX_TTL_S} seconds`)
  return Math.round(now + ttl * 1000)
}

/** Creates the key-value store of one name. All stores share one table. Expired pairs are hidden until they are swept. */
export function keyValueStore(database: Database, name: string, now: () => number, touched: () => void): KeyValueStore {
  return {
    async get<T>(key: string) {
      const [row] = await database.read((db) =>
        db.query<KeyValueRow>(`SELECT value FROM mynah_key_value WHERE ${LIVE} AND key = $3`, [
          name,
          now(),
          checkKey(key),
        ]),
      )
      return row && (JSON.parse(row.value) as T)
    },
    async set(key, value, { ttl } = {}) {
      const row = { store: name, key: checkKey(key), value: toText(value), expires: expiry(ttl, now()) }
      touched()
      await database.tx((db) => db.upsert(KeyValues, row, ['store', 'key']))
    },
    delete: (key) =>
      database.tx(
        async (db) =>
          (await db.run(`DELETE FROM mynah_key_value WHERE ${LIVE} AND key = $3`, [name, now(), checkKey(key)])) > 0,
      ),
    entries: ({ limit = Number.MAX_SAFE_INTEGER, offset = 0 } = {}) =>
      database.read(async (db) => {
        const rows = await db.query<KeyValueRow>(
          `SELECT key, value, expires FROM mynah_key_value WHERE ${LIVE} ORDER BY key LIMIT $3 OFFSET $4`,
          [name, now(), limit, offset],
        )
        return rows.map((row) => ({
          key: row.key,
          value: JSON.parse(row.value) as unknown,
          ...(row.expires === null ? {} : { expiresAt: Number(row.expires) }),
        }))
      }),
    count: () =>
      database.read(async (db) => {
        const [row] = await db.query<{ count: number }>(`SELECT count(*) AS count FROM mynah_key_value WHERE ${LIVE}`, [
          name,
          now(),
        ])
        return Number(row?.count ?? 0)
      }),
  }
}

/** Deletes the expired pairs of all stores. */
export async function sweepExpired(database: Database, now: number): Promise<void> {
  await database.tx((db) => db.run('DELETE FROM mynah_key_value WHERE expires <= $1', [now]))
}
