import { createHash } from 'node:crypto'
import { LruMap } from '@mynah/kernel/util'
import type { OutboundMessage } from '@mynah/plugin-chat/api'
import { DiscordError, NoAnswerError, path, type Rest } from './rest.js'
import { bodyOf, nonceOf, type Composed } from './outbound.js'
import { partsOf } from './interactions.js'
import { countOf, fieldsOf, idOf } from './wire.js'

const MAX_KNOWN = 1_000
const EPHEMERAL = 1 << 6
const LOADING = 1 << 7
/** The codes of an unknown webhook, of an unknown interaction, and of a token that has ended. */
const GONE: ReadonlySet<number> = new Set([10_015, 10_062, 50_027])

type Answered = Required<Pick<OutboundMessage, 'key' | 'via'>> & Pick<OutboundMessage, 'only'>

/**
 * Answers interactions by their tokens. The first answer to a command takes the place of "is thinking", and the same
 * answer may do so twice. The others have no nonce, so that one whose outcome is not known is not sent again.
 */
export class Answers {
  readonly #rest: Rest
  /** The key of what has taken the place of "is thinking", by the hash of the token. */
  readonly #first = new LruMap<string, string>(MAX_KNOWN)
  readonly #unclear = new LruMap<string, true>(MAX_KNOWN)

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Returns the id of the message; `undefined` where Discord does not know the token any more. */
  async send(composed: Composed, answered: Answered): Promise<string | undefined> {
    try {
      return await this.#send(composed, answered)
    } catch (error) {
      if (error instanceof DiscordError && GONE.has(error.code)) return undefined
      throw error
    }
  }

  async #send(composed: Composed, { key, via, only }: Answered): Promise<string | undefined> {
    const { isCommand, application, token } = partsOf(via)
    const webhook = path`/webhooks/${application}/${token}`
    const original = `${webhook}/messages/@original`
    if (isCommand && (await this.#isFirst(token, key, original))) {
      if (only === undefined) {
        const answer = fieldsOf(await this.#rest.call('PATCH', original, bodyOf(composed, {})))
        return idOf(answer.id)
      }
      // Everybody sees that the bot is thinking, so that the answer for one user is a message of its own.
      await this.#rest.call('DELETE', original).catch((error: unknown) => {
        // An earlier attempt has deleted it.
        if (!(error instanceof DiscordError) || error.status !== 404) throw error
      })
    }
    return this.#follow(composed, key, `${webhook}?wait=true`, only === undefined ? {} : { flags: EPHEMERAL })
  }

  /** Returns whether nothing else has taken the place of "is thinking". */
  async #isFirst(token: string, key: string, original: string): Promise<boolean> {
    const known = createHash('sha256').update(token).digest('base64url')
    const taken = this.#first.get(known)
    if (taken !== undefined) return taken === key
    const { flags } = fieldsOf(await this.#original(original))
    // Noted even where it is taken: the host may have been restarted since.
    const isOpen = ((countOf(flags) ?? 0) & LOADING) !== 0
    this.#first.set(known, isOpen ? key : '')
    return isOpen
  }

  async #original(at: string): Promise<unknown> {
    try {
      return await this.#rest.get(at)
    } catch (error) {
      if (error instanceof DiscordError && error.status === 404) return {}
      throw error
    }
  }

  async #follow(composed: Composed, key: string, at: string, more: object): Promise<string | undefined> {
    const nonce = nonceOf(key)
    if (this.#unclear.has(nonce)) throw new Error('Discord has not answered; the message may have arrived')
    try {
      return idOf(fieldsOf(await this.#rest.call('POST', at, bodyOf(composed, more))).id)
    } catch (error) {
      if (error instanceof NoAnswerError && error.wasSent) this.#unclear.set(nonce, true)
      throw error
    }
  }
}
