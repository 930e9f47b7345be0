import type { Origin } from '@mynah/plugin-ai/api'
import { entity, type Database } from '@mynah/database-api'

interface ProfileRow {
  readonly user_id: string
  readonly name: string
  readonly value: string
  readonly at: number
}

export const ProfileRecords = entity<ProfileRow>({
  package: '@mynah/plugin-memory',
  name: 'agent_profile',
  columns: {
    user_id: { type: 'text', primary: true },
    name: { type: 'text', primary: true },
    value: { type: 'text' },
    at: { type: 'bigint' },
  },
})

/** Entries that a user may have. */
export const MAX_ENTRIES = 50

/** Stores facts that users gave about themselves, by user. */
export interface Profiles {
  get(user: string): Promise<ReadonlyMap<string, string>>
  /** Sets an entry. Returns false when the user has too many entries. */
  set(user: string, name: string, value: string, at: number): Promise<boolean>
  delete(user: string, name: string): Promise<boolean>
}

/**
 * Returns the key of the user's profile, or `undefined` without a user.
 *
 * @param agent the agent that keeps it; default `main`
 */
export const profileKey = ({ adapter, endpoint, user }: Origin, agent?: string): string | undefined =>
  adapter === undefined || endpoint === undefined || user === undefined
    ? undefined
    : [adapter, endpoint, user, ...(agent === undefined ? [] : [agent])].map(encodeURIComponent).join('|')

/** Stores profiles in the database. */
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
        (await db.count(ProfileRecords, { user_id: user })) >= MAX_ENTRIES
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

/** Stores profiles in memory, for a host without a database. */
export class MemoryProfiles implements Profiles {
  readonly #profiles = new Map<string, Map<string, string>>()

  async get(user: string): Promise<ReadonlyMap<string, string>> {
    return new Map([...(this.#profiles.get(user) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  async set(user: string, name: string, value: string): Promise<boolean> {
    const own = this.#profiles.get(user) ?? new Map<string, string>()
    if (!own.has(name) && own.size >= MAX_ENTRIES) return false
    this.#profiles.set(user, own.set(name, value))
    return true
  }

  async delete(user: string, name: string): Promise<boolean> {
    return this.#profiles.get(user)?.delete(name) ?? false
  }
}
