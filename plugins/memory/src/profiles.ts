// What people told of themselves, by person; each sees and changes only their own.
import type { Origin } from '@mynah/plugin-ai/api'
import { entity, type Database } from '@mynah/plugin-database/api'

interface Row {
  readonly user_id: string
  readonly name: string
  readonly value: string
  readonly at: number
}

export const ProfileRecords = entity<Row>({
  package: '@mynah/plugin-memory',
  name: 'agent_profile',
  columns: {
    user_id: { type: 'text', primary: true },
    name: { type: 'text', primary: true },
    value: { type: 'text' },
    at: { type: 'bigint' },
  },
})

/** Entries of a person. */
export const MOST = 50

export interface Profiles {
  get(user: string): Promise<ReadonlyMap<string, string>>
  /** False where the person has too many entries already. */
  set(user: string, name: string, value: string, at: number): Promise<boolean>
  delete(user: string, name: string): Promise<boolean>
}

/** Who a profile belongs to, or nobody. */
export const personOf = ({ adapter, endpoint, user }: Origin): string | undefined =>
  adapter === undefined || endpoint === undefined || user === undefined
    ? undefined
    : [adapter, endpoint, user].map(encodeURIComponent).join('|')

export class DatabaseProfiles implements Profiles {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async get(user: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database.read((db) =>
      db.find(ProfileRecords, { where: { user_id: user }, order: { name: 'asc' } }),
    )
    return new Map(rows.map(({ name, value }) => [name, value]))
  }

  set(user: string, name: string, value: string, at: number): Promise<boolean> {
    return this.#database.tx(async (db) => {
      if (
        !(await db.findOne(ProfileRecords, { user_id: user, name })) &&
        (await db.count(ProfileRecords, { user_id: user })) >= MOST
      )
        return false
      await db.upsert(ProfileRecords, { user_id: user, name, value, at }, ['user_id', 'name'])
      return true
    })
  }

  async delete(user: string, name: string): Promise<boolean> {
    return (await this.#database.tx((db) => db.delete(ProfileRecords, { user_id: user, name }))) > 0
  }
}

export class MemoryProfiles implements Profiles {
  readonly #people = new Map<string, Map<string, string>>()

  async get(user: string): Promise<ReadonlyMap<string, string>> {
    return new Map([...(this.#people.get(user) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  async set(user: string, name: string, value: string): Promise<boolean> {
    const own = this.#people.get(user) ?? new Map<string, string>()
    if (!own.has(name) && own.size >= MOST) return false
    this.#people.set(user, own.set(name, value))
    return true
  }

  async delete(user: string, name: string): Promise<boolean> {
    return this.#people.get(user)?.delete(name) ?? false
  }
}
