import { randomBytes } from 'node:crypto'
import { WireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import type { DeliveryOptions } from '@mynah/plugin-chat/api'
import { parseJson } from '@mynah/plugin-http-core/api'
import type { WebhookBot } from './bot.js'
import { inboundOf } from './inbound.js'
import { mistakeIn, SIGNATURE_HEADER, TIMESTAMP_HEADER, WINDOW_S } from './signature.js'

const REFUSALS = {
  unsigned: 'The request is not signed: x-mynah-timestamp and x-mynah-signature are required',
  wrong: 'The signature is wrong',
  expired: `The request was signed more than ${WINDOW_S} seconds from now`,
} as const
/** For unknown endpoints, which answer as those with another secret do. */
const NO_SECRET = randomBytes(32).toString('hex')

/** Whether a request was accepted before. */
export interface Acceptance {
  readonly replayed: boolean
}

/** Accepts what peers send. */
export const deliveries: DeliveryOptions<WebhookBot, Acceptance> = {
  adapter: 'webhook',
  headers: [TIMESTAMP_HEADER, SIGNATURE_HEADER],
  async accept(bot, { headers, body }, log) {
    const mistake = mistakeIn(bot?.endpoint.config.secret ?? NO_SECRET, headers, body, bot?.endpoint.clock.now())
    if (mistake || !bot) throw new WireError('unauthorized', REFUSALS[mistake ?? 'wrong'])
    const message = inboundOf(parseJson(body.toString('utf8')))
    try {
      return await bot.replays.once(String(headers[SIGNATURE_HEADER]), () => bot.endpoint.receive(message))
    } catch (error) {
      log.warn(`failed to accept a message, the peer has to send it again: ${messageOf(error)}`)
      throw new WireError('not_ready', 'The message cannot be accepted now', { cause: error })
    }
  },
}
