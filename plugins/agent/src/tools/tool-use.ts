import { LruMap } from '@mynah/kernel/util'

const MAX_USERS = 1_000
const MAX_TOOLS = 32
const MAX_NAME = 500

/** The uses as they are stored: names of tools, the one that was called last at the end. */
export interface StoredToolUse {
  readonly users: Readonly<Record<string, readonly string[]>>
  readonly all: readonly string[]
}

type Names = LruMap<string, true>

/** Remembers which tools were called lately, by each user and by all. Bounded. */
export class ToolUse {
  readonly #byUser = new LruMap<string, Names>(MAX_USERS)
  readonly #byAll: Names = new LruMap<string, true>(MAX_TOOLS)
  #changes = 0
  #ready: Promise<void> | undefined

  /** Grows with each call. */
  get changes(): number {
    return this.#changes
  }

  /** Resolves when uses of before are known; `undefined` when there are none to wait for. */
  get ready(): Promise<void> | undefined {
    return this.#ready
  }

  /** Lets readers wait until uses of before are restored. */
  waitFor(restoring: Promise<void>): void {
    this.#ready = restoring.finally(() => (this.#ready = undefined))
  }

  /** Notes a call. */
  add(user: string, tool: string): void {
    this.#changes++
    for (const used of [this.#of(user), this.#byAll]) {
      used.delete(tool)
      used.set(tool, true)
    }
  }

  #of(user: string): Names {
    let own = this.#byUser.get(user)
    if (!own) this.#byUser.set(user, (own = new LruMap<string, true>(MAX_TOOLS)))
    return own
  }

  /** Returns the names of tools: those that the user called last, then those that anybody did. */
  lately(user: string): string[] {
    const newestFirst = (used: Names | undefined): string[] => [...(used?.keys() ?? [])].reverse()
    return [...new Set([...newestFirst(this.#byUser.get(user)), ...newestFirst(this.#byAll)])]
  }

  /** Returns all uses, to be stored. */
  stored(): StoredToolUse {
    const users = Object.fromEntries(Array.from(this.#byUser.entries(), ([user, names]) => [user, [...names.keys()]]))
    return { users, all: [...this.#byAll.keys()] }
  }

  /** Adds uses of before, as older than all that are known. The value may be anything. */
  restore(value: unknown): void {
    const { users, all } = recordOf(value)
    for (const [user, names] of Object.entries(recordOf(users)).slice(-MAX_USERS))
      if (user.length <= MAX_NAME) addOlder(this.#of(user), names)
    addOlder(this.#byAll, all)
  }
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

function addOlder(used: Names, names: unknown): void {
  if (!Array.isArray(names)) return
  const newer = [...used.keys()]
  const older = names.filter((name): name is string => typeof name === 'string' && name.length <= MAX_NAME)
  for (const name of newer) used.delete(name)
  for (const name of [...older.slice(-MAX_TOOLS), ...newer]) {
    used.delete(name)
    used.set(name, true)
  }
}

/** Returns the key of a user. */
export const userKey = ({
  adapter = '',
  endpoint = '',
  user = '',
}: {
  readonly adapter?: string | undefined
  readonly endpoint?: string | undefined
  readonly user?: string | undefined
}): string => `${adapter}|${endpoint}|${user}`
