import { createHash, timingSafeEqual } from 'node:crypto'
import type { Reader } from '@mynah/kernel'
import type { RouteToken } from './api.js'
import type { Credential } from './tokens.js'

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A route token as it is stored: its route and the credential of its holder. */
export interface RouteCredential {
  readonly opens: string
  readonly credential: Credential
}

/** Tokens that plugins contribute and that open one route each. */
export class RouteTokens {
  readonly #reader: Reader<RouteToken>
  #revision = -1
  #known: readonly RouteCredential[] = []

  constructor(reader: Reader<RouteToken>) {
    this.#reader = reader
  }

  /** Returns the credential of a token. Compares all tokens, so that the duration reveals nothing. */
  find(token: string): RouteCredential | undefined {
    this.#refresh()
    if (this.#known.length === 0) return undefined
    const digest = digestOf(token)
    let found: RouteCredential | undefined
    for (const known of this.#known) if (timingSafeEqual(known.credential.digest, digest) && !found) found = known
    return found
  }

  /** Returns whether a credential that was found earlier is still valid. */
  isValid(credential: Credential): boolean {
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
