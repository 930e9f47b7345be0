// Tokens of plugins that open one route each.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Reader } from '@mynah/kernel'
import type { RouteToken } from './api.js'
import type { Credential } from './tokens.js'

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** What such a token opens, and who its holder is. */
export interface OpenedBy {
  readonly opens: string
  readonly credential: Credential
}

export class RouteTokens {
  readonly #reader: Reader<RouteToken>
  #revision = -1
  #known: readonly OpenedBy[] = []

  constructor(reader: Reader<RouteToken>) {
    this.#reader = reader
  }

  /** Looks at all of them whichever fits, so that time tells nothing. */
  find(token: string): OpenedBy | undefined {
    this.#refresh()
    if (this.#known.length === 0) return undefined
    const digest = digestOf(token)
    let found: OpenedBy | undefined
    for (const known of this.#known) if (timingSafeEqual(known.credential.digest, digest) && !found) found = known
    return found
  }

  /** Whether a credential found earlier still counts. */
  holds(credential: Credential): boolean {
    this.#refresh()
    return this.#known.some((known) => known.credential === credential)
  }

  #refresh(): void {
    if (this.#reader.revision === this.#revision) return
    this.#revision = this.#reader.revision
    this.#known = this.#reader.all().map(({ value: { name, token, opens } }) => {
      const digest = digestOf(token)
      const same = this.#known.find(
        (known) =>
          known.opens === opens && known.credential.principal.name === name && known.credential.digest.equals(digest),
      )
      return same ?? { opens, credential: { digest, principal: Object.freeze({ name, scope: 'public' as const }) } }
    })
  }
}
