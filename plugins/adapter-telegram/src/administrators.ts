import type { Api } from 'grammy'
import type { Clock, Logger } from '@mynah/kernel'
import { LruMap } from '@mynah/kernel/util'
import { reasonOf } from './errors.js'

export type GroupRole = 'owner' | 'admin' | 'member'

const REMEMBERED_MS = 5 * 60_000
const REMEMBERED_FAILURE_MS = 60_000
/** Time limit of the request, since a message waits for it. */
const ANSWER_MS = 3_000
const MAX_GROUPS = 1_000

interface Known {
  readonly until: number
  readonly roles: ReadonlyMap<number, GroupRole> | undefined
}

export class Administrators {
  readonly #api: Api
  readonly #clock: Clock
  readonly #log: Logger
  readonly #known = new LruMap<number, Known>(MAX_GROUPS)

  constructor(api: Api, clock: Clock, log: Logger) {
    this.#api = api
    this.#clock = clock
    this.#log = log
  }

  /** Returns the role of a user in a group; `undefined` where Telegram does not report it. */
  async roleOf(group: number, user: number): Promise<GroupRole | undefined> {
    // A sender that is the group itself is an anonymous administrator of it.
    if (user === group) return 'admin'
    let known = this.#known.get(group)
    if (!known || known.until <= this.#clock.now()) {
      known = await this.#ask(group)
      this.#known.set(group, known)
    }
    return known.roles && (known.roles.get(user) ?? 'member')
  }

  /** Forgets the roles of a group after a change. */
  forget(group: number): void {
    this.#known.delete(group)
  }

  async #ask(group: number): Promise<Known> {
    try {
      const members = await this.#api.getChatAdministrators(group, AbortSignal.timeout(ANSWER_MS) as never)
      return {
        until: this.#clock.now() + REMEMBERED_MS,
        roles: new Map(members.map(({ status, user }) => [user.id, status === 'creator' ? 'owner' : 'admin'])),
      }
    } catch (error) {
      this.#log.debug(`failed to load the administrators of ${group}: ${reasonOf(error)}`)
      return { until: this.#clock.now() + REMEMBERED_FAILURE_MS, roles: undefined }
    }
  }
}
