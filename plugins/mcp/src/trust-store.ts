import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SerialQueue } from '@mynah/kernel/util'
import { isRecord } from '@mynah/contract'
import type { Database, KeyValueStore } from '@mynah/database-api'
import type { AcceptedTool, AcceptedServer } from './trust.js'

/** Stores accepted tools by server. A resolved `write` is durable. */
export interface TrustStore {
  read(server: string): Promise<AcceptedServer | undefined>
  write(server: string, accepted: AcceptedServer): Promise<void>
}

const toStored = ({ target, tools }: AcceptedServer): object => ({ target, tools: Object.fromEntries(tools) })

function fromStored(value: unknown): AcceptedServer | undefined {
  if (!isRecord(value) || typeof value['target'] !== 'string' || !isRecord(value['tools'])) return undefined
  const tools = new Map<string, AcceptedTool>()
  for (const [name, tool] of Object.entries(value['tools'])) {
    if (isRecord(tool) && typeof tool['fingerprint'] === 'string' && typeof tool['description'] === 'string')
      tools.set(name, { fingerprint: tool['fingerprint'], description: tool['description'] })
  }
  return { target: value['target'], tools }
}

/** Stores accepted tools in the database. */
export class DatabaseTrust implements TrustStore {
  readonly #kv: KeyValueStore

  constructor(database: Database) {
    this.#kv = database.kv('mcp.accepted', { package: '@mynah/plugin-mcp' })
  }

  async read(server: string): Promise<AcceptedServer | undefined> {
    return fromStored(await this.#kv.get(server))
  }

  write(server: string, accepted: AcceptedServer): Promise<void> {
    return this.#kv.set(server, toStored(accepted))
  }
}

/**
 * Stores accepted tools in `mcp-accepted.json`. A malformed file is an error, because an empty one accepts all tools.
 */
export class FileTrust implements TrustStore {
  readonly #file: string
  #servers: Promise<Map<string, AcceptedServer>> | undefined
  readonly #queue = new SerialQueue()

  constructor(folder: string) {
    this.#file = join(folder, 'mcp-accepted.json')
  }

  #load(): Promise<Map<string, AcceptedServer>> {
    return (this.#servers ??= this.#parse().catch((error: unknown) => {
      this.#servers = undefined
      throw error
    }))
  }

  async #parse(): Promise<Map<string, AcceptedServer>> {
    const accepted = new Map<string, AcceptedServer>()
    let text: string
    try {
      text = await readFile(this.#file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return accepted
      throw error
    }
    let servers: unknown
    try {
      servers = (JSON.parse(text) as { servers?: unknown } | null)?.servers
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
    if (!isRecord(servers))
      throw new Error('data/mcp-accepted.json is malformed; fix it, or delete it to accept all tools as they are now')
    for (const [server, value] of Object.entries(servers)) {
      const known = fromStored(value)
      if (known) accepted.set(server, known)
    }
    return accepted
  }

  async read(server: string): Promise<AcceptedServer | undefined> {
    return (await this.#load()).get(server)
  }

  write(server: string, accepted: AcceptedServer): Promise<void> {
    return this.#queue.run(async () => {
      const next = new Map(await this.#load()).set(server, accepted)
      const stored = Object.fromEntries(Array.from(next, ([name, value]) => [name, toStored(value)]))
      const { writeFileAtomically } = await import('@mynah/kernel/files')
      await mkdir(dirname(this.#file), { recursive: true })
      await writeFileAtomically(this.#file, `${JSON.stringify({ version: 1, servers: stored }, null, 2)}\n`)
      this.#servers = Promise.resolve(next)
    })
  }
}

/** Stores accepted tools in memory, for a host without database and data folder. */
export class MemoryTrust implements TrustStore {
  readonly #servers = new Map<string, AcceptedServer>()

  read(server: string): Promise<AcceptedServer | undefined> {
    return Promise.resolve(this.#servers.get(server))
  }

  write(server: string, accepted: AcceptedServer): Promise<void> {
    this.#servers.set(server, accepted)
    return Promise.resolve()
  }
}
