import { randomBytes } from 'node:crypto'
import { contract, WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { messageOf } from '@mynah/kernel'
import { route, type Route } from '@mynah/plugin-http-core/api'
import type { WebhookBot } from './bot.js'
import { inboundOf } from './inbound.js'
import { mistakeIn, SIGNATURE_HEADER, WINDOW_S } from './signature.js'

const BODY_LIMIT = 1024 * 1024

const { rest } = contract({
  rest: {
    'POST /webhook/chat/:id': {
      summary: 'A message from an HTTP peer, signed in `x-mynah-timestamp` and `x-mynah-signature`',
      params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
      raw: 'application/json',
      scope: 'webhook',
      status: 202,
      errors: ['unauthorized', 'not_ready'],
    },
  },
})

const REFUSALS = {
  unsigned: 'The request is not signed: x-mynah-timestamp and x-mynah-signature are required',
  wrong: 'The signature is wrong',
  expired: `The request was signed more than ${WINDOW_S} seconds from now`,
} as const

/** Handles requests of all peers, by the id of their endpoint. */
export function webhookRoute(bots: ReadonlyMap<string, WebhookBot>, comes: (id: string) => boolean): Route {
  // Used for unknown endpoints, which answer as those with another secret do.
  const nobody = randomBytes(32).toString('hex')
  return route(
    rest,
    'POST /webhook/chat/:id',
    async ({ params }, call) => {
      const bot = bots.get(params.id)
      // The host is starting, or the endpoint is being replaced. The peer must repeat the request.
      if (!bot && comes(params.id)) throw new WireError('not_ready', 'This endpoint is not there yet')
      const { headers } = call.request
      const bytes = await call.body()
      const mistake = mistakeIn(bot?.endpoint.config.secret ?? nobody, headers, bytes, bot?.endpoint.clock.now())
      if (mistake || !bot) throw new WireError('unauthorized', REFUSALS[mistake ?? 'wrong'])
      const message = inboundOf(await call.json())
      let replayed: boolean
      try {
        ;({ replayed } = await bot.replays.once(String(headers[SIGNATURE_HEADER]), () => bot.endpoint.receive(message)))
      } catch (error) {
        call.log.warn(`failed to accept a message, the peer has to send it again: ${messageOf(error)}`)
        throw new WireError('not_ready', 'The message cannot be accepted now', { cause: error })
      }
      call.response.end(JSON.stringify({ success: true, ...(replayed ? { duplicate: true } : {}) }))
    },
    { bodyLimit: BODY_LIMIT },
  )
}
