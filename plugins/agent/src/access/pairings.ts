import { entity, type Database } from '@mynah/database-api'

/** A stranger who has asked to talk to the agent in private. */
export interface Pairing {
  readonly adapter: string
  readonly endpoint: string
  readonly user: string
  /** The name by which the stranger was known. */
  readonly name: string
  /** `waiting` for the owner, or `expired` without an answer. */
  readonly state: 'waiting' | 'paired' | 'refused' | 'expired'
  /** How many times the owner was asked. */
  readonly asked: number
  /** Id of the open request for approval. */
  readonly request: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
}
export type PairingKey = Pick<Pairing, 'adapter' | 'endpoint' | 'user'>

interface PairingRow extends Omit<Pairing, 'user' | 'request'> {
  readonly user_id: string
  readonly request: string | null
}

export const PairingRecords = entity<PairingRow>({
  package: '@mynah/plugin-agent',
  name: 'agent_pairing',
  columns: {
    adapter: { type: 'text', primary: true },
    endpoint: { type: 'text', primary: true },
    user_id: { type: 'text', primary: true },
    name: { type: 'text' },
    state: { type: 'text' },
    asked: { type: 'integer' },
    request: { type: 'text', nullable: true },
    at: { type: 'bigint' },
  },
})

/** Stores pairings. */
export interface Pairings {
  get(key: PairingKey): Promise<Pairing | undefined>
  put(pairing: Pairing): Promise<void>
  /** Returns whether there was one. */
  delete(key: PairingKey): Promise<boolean>
  /** Returns all of an endpoint, or of all endpoints, the oldest first. */
  list(endpoint?: Pick<PairingKey, 'adapter' | 'endpoint'>): Promise<readonly Pairing[]>
}

const toPairing = ({ user_id: user, asked, at, ...rest }: PairingRow): Pairing => ({
  ...rest,
  user,
  asked: Number(asked),
  at: Number(at),
})

/** Stores pairings in the database. */
export class DatabasePairings implements Pairings {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async get({ adapter, endpoint, user }: PairingKey): Promise<Pairing | undefined> {
    const row = await this.#database.read((db) => db.findOne(PairingRecords, { adapter, endpoint, user_id: user }))
    return row && toPairing(row)
  }

  async put({ user, ...rest }: Pairing): Promise<void> {
    await this.#database.tx((db) =>
      db.upsert(PairingRecords, { ...rest, user_id: user }, ['adapter', 'endpoint', 'user_id']),
    )
  }

  async delete({ adapter, endpoint, user }: PairingKey): Promise<boolean> {
    return (await this.#database.tx((db) => db.delete(PairingRecords, { adapter, endpoint, user_id: user }))) > 0
  }

  async list(endpoint?: Pick<PairingKey, 'adapter' | 'endpoint'>): Promise<readonly Pairing[]> {
    const where = endpoint ? { adapter: endpoint.adapter, endpoint: endpoint.endpoint } : {}
    const rows = await this.#database.read((db) => db.find(PairingRecords, { where, order: { at: 'asc' } }))
    return rows.map(toPairing)
  }
}

const keyOf = ({ adapter, endpoint, user }: PairingKey): string => JSON.stringify([adapter, endpoint, user])

/** Stores pairings in memory, for a host without a database. */
export class MemoryPairings implements Pairings {
  readonly #pairings = new Map<string, Pairing>()

  async get(key: PairingKey): Promise<Pairing | undefined> {
    return this.#pairings.get(keyOf(key))
  }

  async put(pairing: Pairing): Promise<void> {
    this.#pairings.set(keyOf(pairing), pairing)
  }

  async delete(key: PairingKey): Promise<boolean> {
    return this.#pairings.delete(keyOf(key))
  }

  async list(endpoint?: Pick<PairingKey, 'adapter' | 'endpoint'>): Promise<readonly Pairing[]> {
    return [...this.#pairings.values()].filter(
      (one) => !endpoint || (one.adapter === endpoint.adapter && one.endpoint === endpoint.endpoint),
    )
  }
}
