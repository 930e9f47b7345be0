import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SaslMechanism } from '@xmpp/client'

/** More rounds would hold up the host. Servers use 4,096 to 10,000. */
const MAX_ROUNDS = 200_000
const MIN_ROUNDS = 4_096

/** The server could not show that it knows the password, or asked for something else than SCRAM does. */
export class ScramError extends Error {
  override readonly name = 'ScramError'
}

/**
 * Returns SCRAM with a hash, as a mechanism of the library. That of the library awaits each round, which takes a second
 * for 10,000.
 *
 * @param expected called with the signature that the server must give with its success
 */
export function scram(hash: 'sha1' | 'sha256', expected: (signature: Buffer) => void): new () => SaslMechanism {
  const hmac = (key: Buffer, text: string): Buffer => createHmac(hash, key).update(text).digest()
  return class implements SaslMechanism {
    readonly name = hash === 'sha1' ? 'SCRAM-SHA-1' : 'SCRAM-SHA-256'
    readonly clientFirst = true
    readonly #nonce = randomBytes(18).toString('base64')
    #challenge: string | undefined

    challenge(text: string): void {
      this.#challenge = text
    }

    response({ username, password }: { readonly username: string; readonly password: string }): string {
      const name = username.normalize('NFKC').replaceAll('=', '=3D').replaceAll(',', '=2C')
      const first = `n=${name},r=${this.#nonce}`
      if (this.#challenge === undefined) return `n,,${first}`
      const fields = new Map(this.#challenge.split(',').map((field) => [field.slice(0, 1), field.slice(2)] as const))
      const nonce = fields.get('r') ?? ''
      const rounds = Number(fields.get('i'))
      const salt = Buffer.from(fields.get('s') ?? '', 'base64')
      if (!nonce.startsWith(this.#nonce) || nonce.length === this.#nonce.length || salt.length === 0)
        throw new ScramError('The server does not answer as SCRAM asks')
      if (!Number.isInteger(rounds) || rounds < MIN_ROUNDS || rounds > MAX_ROUNDS)
        throw new ScramError(`The server asks for ${fields.get('i')} rounds of SCRAM`)
      const salted = pbkdf2Sync(password.normalize('NFKC'), salt, rounds, hash === 'sha1' ? 20 : 32, hash)
      const key = hmac(salted, 'Client Key')
      const last = `c=biws,r=${nonce}`
      const signed = `${first},${this.#challenge},${last}`
      const signature = hmac(createHash(hash).update(key).digest(), signed)
      expected(hmac(hmac(salted, 'Server Key'), signed))
      const proof = Buffer.from(key.map((byte, index) => byte ^ (signature[index] ?? 0)))
      return `${last},p=${proof.toString('base64')}`
    }
  }
}

/** Returns whether the text of a success has the signature. */
export function isSignedBy(text: string, signature: Buffer): boolean {
  const value = /(?:^|,)v=([^,]+)/.exec(Buffer.from(text, 'base64').toString('utf8'))?.[1]
  const given = Buffer.from(value ?? '', 'base64')
  return given.length === signature.length && timingSafeEqual(given, signature)
}
