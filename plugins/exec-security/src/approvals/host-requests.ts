import { isWireError } from '@mynah/contract'
import { hostText } from '../proxy/host-rules.js'
import type { Destination } from '../proxy/destinations.js'
import type { ApprovalService } from './approval-service.js'
import type { Bound } from './binding.js'

/** Hosts of one run that the owner is asked for. */
const MAX_HOSTS_ASKED = 5

/** Asks the owner for hosts that commands were kept from, and uses the approvals up. */
export class HostRequests {
  readonly #approvals: ApprovalService

  constructor(approvals: ApprovalService) {
    this.#approvals = approvals
  }

  /** Uses up the approvals of hosts for a command. While their store is unavailable, there are none. */
  async approved(bound: Bound): Promise<string[]> {
    try {
      return (await this.#approvals.additions(bound)).map((addition) => addition.replace(/^host:/, ''))
    } catch (error) {
      if (isWireError(error) && error.code === 'not_ready') return []
      throw error
    }
  }

  /** Asks the owner for the hosts that a command was kept from. Returns the ids of the requests. */
  async ask(bound: Bound, destinations: readonly Destination[]): Promise<string[]> {
    const ids: string[] = []
    for (const { host, port } of destinations.filter((one) => one.mayAsk).slice(0, MAX_HOSTS_ASKED)) {
      const name = hostText(host, port)
      try {
        const { id } = await this.#approvals.request({
          ...bound,
          title: `Reach ${name}`,
          adds: [`host:${name}`],
          reason: `a command wanted to reach ${name}, which may then receive what its folders hold`,
        })
        ids.push(id)
      } catch (error) {
        // An origin without an owner, or with too many requests. The result names the host anyway.
        if (!isWireError(error)) throw error
      }
    }
    return ids
  }
}
