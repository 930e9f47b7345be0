// The tokens that a host accepts, kept as digests and compared in constant time.
import { hash, timingSafeEqual } from 'node:crypto'
import type { Principal } from './api.js'

/** A token as it was configured. */
export interface TokenSpec {
  readonly token: string
  readonly scope: 'full' | 'demo' | 'monitor'
  readonly name: string
}

/** A token as it is kept. */
export interface Credential {
  readonly digest: Buffer
  readonly principal: Principal
}

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')

export class Tokens {
  #credentials: readonly Credential[] = []

  constructor(specs: readonly TokenSpec[]) {
    this.replace(specs)
  }

  /** Accepts exactly `specs` from here on; credentials that stay keep their identity. */
  replace(specs: readonly TokenSpec[]): void {
    const before = this.#credentials
    this.#credentials = specs.map(({ token, scope, name }) => {
      const digest = digestOf(token)
      const same = before.find(
        (old) => old.digest.equals(digest) && old.principal.scope === scope && old.principal.name === name,
      )
      return same ?? { digest, principal: Object.freeze({ name, scope }) }
    })
  }

  /** The credential of a token. Looks at all of them whichever fits, so that time tells nothing. */
  find(token: string): Credential | undefined {
    const digest = digestOf(token)
    let found: Credential | undefined
    for (const credential of this.#credentials) {
      if (timingSafeEqual(credential.digest, digest) && !found) found = credential
    }
    return found
  }

  /** Whether a credential found earlier still counts. */
  holds(credential: Credential): boolean {
    return this.#credentials.includes(credential)
  }
}
