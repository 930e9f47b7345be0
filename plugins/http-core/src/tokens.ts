import { hash, timingSafeEqual } from 'node:crypto'
import type { Principal } from './api.js'

/** A token as configured. */
export interface TokenSpec {
  readonly token: string
  readonly scope: 'full' | 'demo' | 'monitor'
  readonly name: string
}

/** A token as it is stored: its digest and its holder. */
export interface Credential {
  readonly digest: Buffer
  readonly principal: Principal
}

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** The tokens that a host accepts. They are stored as digests and compared in constant time. */
export class Tokens {
  #credentials: readonly Credential[] = []

  constructor(specs: readonly TokenSpec[]) {
    this.replace(specs)
  }

  /** Replaces all tokens. Credentials that are still configured keep their identity. */
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

  /** Returns the credential of a token. Compares all tokens, so that the duration reveals nothing. */
  find(token: string): Credential | undefined {
    const digest = digestOf(token)
    let found: Credential | undefined
    for (const credential of this.#credentials) {
      if (timingSafeEqual(credential.digest, digest) && !found) found = credential
    }
    return found
  }

  /** Returns whether a credential that was found earlier is still valid. */
  isValid(credential: Credential): boolean {
    return this.#credentials.includes(credential)
  }
}
