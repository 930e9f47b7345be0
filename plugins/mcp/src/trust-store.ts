// Where it is kept what was accepted of each server: in the database, else in a file of the data folder, else in memory.
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isRecord } from '@mynah/contract'
import type { Database, KeyValueStore } from '@mynah/plugin-database/api'
import type { Accepted, Approved } from './trust.js'

/** What was accepted, by server. What `write` has resolved for survives the process. */
export interface TrustStore {
  read(server: string): Promise<Approved | undefined>
  write(server: string, approved: Approved): Promise<void>
}

const plain = ({ target, tools }: Approved): object => ({ target, tools: Object.fromEntries(tools) })

function parsed(value: unknown): Approved | undefined {
  if (!isRecord(value) || typeof value['target'] !== 'string' || !isRecord(value['tools'])) return undefined
  const tools = new Map<string, Accepted>()
  for (const [name, tool] of Object.entries(value['tools'])) {
    if (isRecord(tool) && typeof tool['fingerprint'] === 'string' && typeof tool['description'] === 'string')
      tools.set(name, { fingerprint: tool['fingerprint'], description: tool['description'] })
  }
  return { target: value['target'], tools }
}

/** In the database. */
export class DatabaseTrust implements TrustStore {
  readonly #kv: KeyValueStore

  constructor(database: Database) {
    this.#kv = database.kv('mcp.accepted', { package: '@mynah/plugin-mcp' })
  }

  async read(server: string): Promise<Approved | undefined> {
    return parsed(await this.#kv.get(server))
  }

  write(server: string, approved: Approved): Promise<void> {
    return this.#kv.set(server, plain(approved))
  }
}

/** In `mcp-accepted.json`. A file that cannot be understood is an error: taken as empty, it would accept everything. */
export class FileTrust implements TrustStore {
  readonly #file: string
  #known: Promise<Map<string, Approved>> | undefined
  #writing: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#file = join(folder, 'mcp-accepted.json')
  }

  #load(): Promise<Map<string, Approved>> {
    return (this.#known ??= this.#parse().catch((error: unknown) => {
      this.#known = undefined
      throw error
    }))
  }

  async #parse(): Promise<Map<string, Approved>> {
    const known = new Map<string, Approved>()
    let text: string
    try {
      text = await readFile(this.#file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return known
      throw error
    }
    let servers: unknown
    try {
      servers = (JSON.parse(text) as { servers?: unknown } | null)?.servers
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
    if (!isRecord(servers))
      throw new Error(
        'data/mcp-accepted.json cannot be understood; mend it, or delete it to accept all tools as they are now',
      )
    for (const [server, value] of Object.entries(servers)) {
      const approved = parsed(value)
      if (approved) known.set(server, approved)
    }
    return known
  }

  async read(server: string): Promise<Approved | undefined> {
    return (await this.#load()).get(server)
  }

  write(server: string, approved: Approved): Promise<void> {
    const written = this.#writing.then(async () => {
      const known = await this.#load()
      const next = new Map(known).set(server, approved)
      const { writeFileAtomically } = await import('@mynah/kernel/files')
      await mkdir(dirname(this.#file), { recursive: true })
      await writeFileAtomically(
        this.#file,
        `${JSON.stringify({ version: 1, servers: Object.fromEntries(Array.from(next, ([name, value]) => [name, plain(value)])) }, null, 2)}\n`,
      )
      this.#known = Promise.resolve(next)
    })
    // The next write does not fail with this one; whoever asked for this one is told.
    this.#writing = written.catch(() => undefined)
    return written
  }
}

/** In memory: of a host that has neither. */
export class MemoryTrust implements TrustStore {
  readonly #known = new Map<string, Approved>()

  read(server: string): Promise<Approved | undefined> {
    return Promise.resolve(this.#known.get(server))
  }

  write(server: string, approved: Approved): Promise<void> {
    this.#known.set(server, approved)
    return Promise.resolve()
  }
}
