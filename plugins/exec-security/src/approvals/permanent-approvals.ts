// What owners have approved for good, endpoint by endpoint.
import { randomUUID } from 'node:crypto'
import { messageOf, type Logger } from '@mynah/kernel'
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

export class PermanentApprovals {
  readonly #path: string
  readonly #now: () => number
  #endpoints: ReadonlyMap<string, PermanentGrant>
  #lane: Promise<unknown> = Promise.resolve()

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

  /** Skips the owner's confirmation from now on. */
  always(endpoint: EndpointKey): Promise<void> {
    return this.#grant(endpoint, (standing) => ({ ...standing, bashAlways: true }))
  }

  /** Everything that is approved for good. */
  list(): readonly (EndpointKey & PermanentGrant)[] {
    return Array.from(this.#endpoints, ([key, standing]) => ({ ...endpointOf(key), ...standing }))
  }

  /** Adds a rule. Throws `invalid_request` for a pattern that is none, or that its examples contradict. */
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
    await this.#grant(endpoint, (standing) => {
      if (standing.bashRules.length >= MAX_RULES)
        throw new WireError('conflict', `There are ${MAX_RULES} rules already; revoke some first`)
      return { ...standing, bashRules: [...standing.bashRules, rule] }
    })
    return rule
  }

  /** Deletes the rule of a whole id or of its first 8 characters. Throws `not_found`, and `conflict` where two begin alike. */
  async revokeRule(endpoint: EndpointKey, id: string): Promise<PermanentRule> {
    const matching = this.of(endpoint).bashRules.filter(
      (rule) => rule.id === id || (id.length === SHORT_ID && rule.id.startsWith(id)),
    )
    const [rule] = matching
    if (!rule) throw new WireError('not_found', `No rule "${id}"`)
    if (matching.length > 1) throw new WireError('conflict', `Several rules begin with "${id}"; give the whole id`)
    await this.#revoke(endpoint, (standing) => ({
      ...standing,
      bashRules: standing.bashRules.filter((other) => other.id !== rule.id),
    }))
    return rule
  }

  /** Takes back everything for this endpoint. */
  revoke(endpoint: EndpointKey): Promise<void> {
    return this.#revoke(endpoint, () => none)
  }

  /** A grant holds once it is stored. */
  #grant(endpoint: EndpointKey, change: (standing: PermanentGrant) => PermanentGrant): Promise<void> {
    return this.#inOrder(async () => {
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

  /** A revocation holds at once, stored or not. */
  #revoke(endpoint: EndpointKey, change: (standing: PermanentGrant) => PermanentGrant): Promise<void> {
    return this.#inOrder(async () => {
      this.#endpoints = this.#changed(endpoint, change)
      await this.#store(serializeGrants(this.#endpoints))
    })
  }

  #changed(endpoint: EndpointKey, change: (standing: PermanentGrant) => PermanentGrant): Map<string, PermanentGrant> {
    const next = new Map(this.#endpoints)
    const standing = change(this.of(endpoint))
    if (standing.bashAlways || standing.bashRules.length) next.set(keyOf(endpoint), standing)
    else next.delete(keyOf(endpoint))
    return next
  }

  async #store(text: string): Promise<void> {
    try {
      await writeGrants(this.#path, text)
    } catch (error) {
      throw new WireError(
        'not_ready',
        `The approvals could not be stored (${(error as NodeJS.ErrnoException).code ?? messageOf(error)})`,
        { cause: error },
      )
    }
  }

  #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#lane.then(step, step)
    this.#lane = done.then(
      () => undefined,
      () => undefined,
    )
    return done
  }
}
