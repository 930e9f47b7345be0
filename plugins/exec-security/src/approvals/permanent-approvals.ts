import { randomUUID } from 'node:crypto'
import { messageOf, type Logger } from '@mynah/kernel'
import { SerialQueue } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { OwnerRules } from '../policy/index.js'
import { exampleProblem, type RuleExamples } from './rule-examples.js'
import { MAX_WRITTEN_BYTES, readGrants, serializeGrants, writeGrants, type PermanentGrant } from './permanent-file.js'

export type { PermanentGrant } from './permanent-file.js'

/** An endpoint, as its owner is known by. */
export interface EndpointKey {
  readonly adapter: string
  readonly endpointId: string
}
export type PermanentRule = PermanentGrant['bashRules'][number]

const MAX_RULES = 200
const SHORT_ID = 8
const none: PermanentGrant = { bashAlways: false, bashRules: [] }

// The first bar must be the one between the two, whatever they are called.
const keyOf = ({ adapter, endpointId }: EndpointKey): string =>
  `${adapter.replaceAll('%', '%25').replaceAll('|', '%7C')}|${endpointId}`

function endpointOf(key: string): EndpointKey {
  const at = key.indexOf('|')
  return { adapter: key.slice(0, at).replaceAll('%7C', '|').replaceAll('%25', '%'), endpointId: key.slice(at + 1) }
}

/** The permanent approvals of owners, by endpoint. */
export class PermanentApprovals {
  readonly #path: string
  readonly #now: () => number
  #endpoints: ReadonlyMap<string, PermanentGrant>
  readonly #queue = new SerialQueue()

  private constructor(path: string, endpoints: ReadonlyMap<string, PermanentGrant>, now: () => number) {
    this.#path = path
    this.#endpoints = endpoints
    this.#now = now
  }

  static async open(path: string, log: Logger, now: () => number): Promise<PermanentApprovals> {
    return new PermanentApprovals(path, await readGrants(path, log, now()), now)
  }

  of(endpoint: EndpointKey): PermanentGrant & OwnerRules {
    return this.#endpoints.get(keyOf(endpoint)) ?? none
  }

  /** Approves every command of an endpoint from now on. */
  always(endpoint: EndpointKey): Promise<void> {
    return this.#grant(endpoint, (grant) => ({ ...grant, bashAlways: true }))
  }

  /** Returns all permanent approvals. */
  list(): readonly (EndpointKey & PermanentGrant)[] {
    return Array.from(this.#endpoints, ([key, grant]) => ({ ...endpointOf(key), ...grant }))
  }

  /**
   * Adds a rule.
   *
   * @throws WireError `invalid_request` for an invalid pattern or one that its examples contradict
   */
  async addRule(endpoint: EndpointKey, { pattern, match, noMatch }: RuleExamples): Promise<PermanentRule> {
    const problem = exampleProblem({ pattern, match, noMatch })
    if (problem !== undefined) throw new WireError('invalid_request', problem)
    const rule: PermanentRule = {
      id: randomUUID(),
      pattern,
      createdAt: this.#now(),
      ...(match?.length ? { match: [...match] } : {}),
      ...(noMatch?.length ? { noMatch: [...noMatch] } : {}),
    }
    await this.#grant(endpoint, (grant) => {
      if (grant.bashRules.length >= MAX_RULES)
        throw new WireError('conflict', `There are ${MAX_RULES} rules already; revoke some first`)
      return { ...grant, bashRules: [...grant.bashRules, rule] }
    })
    return rule
  }

  /**
   * Deletes the rule with an id or with its first 8 characters.
   *
   * @throws WireError `not_found`, or `conflict` if several ids begin alike
   */
  async revokeRule(endpoint: EndpointKey, id: string): Promise<PermanentRule> {
    const matching = this.of(endpoint).bashRules.filter(
      (rule) => rule.id === id || (id.length === SHORT_ID && rule.id.startsWith(id)),
    )
    const [rule] = matching
    if (!rule) throw new WireError('not_found', `No rule "${id}"`)
    if (matching.length > 1) throw new WireError('conflict', `Several rules begin with "${id}"; use the whole id`)
    await this.#revoke(endpoint, (grant) => ({
      ...grant,
      bashRules: grant.bashRules.filter((other) => other.id !== rule.id),
    }))
    return rule
  }

  /** Revokes all permanent approvals of an endpoint. */
  revoke(endpoint: EndpointKey): Promise<void> {
    return this.#revoke(endpoint, () => none)
  }

  /** Grants an approval, which applies once it is stored. */
  #grant(endpoint: EndpointKey, change: (grant: PermanentGrant) => PermanentGrant): Promise<void> {
    return this.#queue.run(async () => {
      const next = this.#changed(endpoint, change)
      const text = serializeGrants(next)
      if (Buffer.byteLength(text) > MAX_WRITTEN_BYTES)
        throw new WireError(
          'conflict',
          `All approvals together would be larger than ${MAX_WRITTEN_BYTES / 1024} KiB; revoke some first`,
        )
      await this.#store(text)
      this.#endpoints = next
    })
  }

  /** Revokes an approval, which applies at once, stored or not. */
  #revoke(endpoint: EndpointKey, change: (grant: PermanentGrant) => PermanentGrant): Promise<void> {
    return this.#queue.run(async () => {
      this.#endpoints = this.#changed(endpoint, change)
      await this.#store(serializeGrants(this.#endpoints))
    })
  }

  #changed(endpoint: EndpointKey, change: (grant: PermanentGrant) => PermanentGrant): Map<string, PermanentGrant> {
    const next = new Map(this.#endpoints)
    const grant = change(this.of(endpoint))
    if (grant.bashAlways || grant.bashRules.length) next.set(keyOf(endpoint), grant)
    else next.delete(keyOf(endpoint))
    return next
  }

  async #store(text: string): Promise<void> {
    try {
      await writeGrants(this.#path, text)
    } catch (error) {
      throw new WireError(
        'not_ready',
        `Failed to store the approvals (${(error as NodeJS.ErrnoException).code ?? messageOf(error)})`,
        { cause: error },
      )
    }
  }
}
