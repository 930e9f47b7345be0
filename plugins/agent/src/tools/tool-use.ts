import { LruMap } from '@mynah/kernel/util'

const MAX_USERS = 1_000
const MAX_TOOLS = 32

/** Remembers which tools were called lately, by each user and by all. Bounded. */
export class ToolUse {
  readonly #byUser = new LruMap<string, LruMap<string, true>>(MAX_USERS)
  readonly #byAll = new LruMap<string, true>(MAX_TOOLS)

  /** Notes a call. */
  add(user: string, tool: string): void {
    let own = this.#byUser.get(user)
    if (!own) this.#byUser.set(user, (own = new LruMap<string, true>(MAX_TOOLS)))
    for (const used of [own, this.#byAll]) {
      used.delete(tool)
      used.set(tool, true)
    }
  }

  /** Returns the names of tools: those that the user called last, then those that anybody did. */
  lately(user: string): string[] {
    const newestFirst = (used: LruMap<string, true> | undefined): string[] => [...(used?.keys() ?? [])].reverse()
    return [...new Set([...newestFirst(this.#byUser.get(user)), ...newestFirst(this.#byAll)])]
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
