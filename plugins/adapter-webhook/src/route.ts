import { contract } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import type { Deliveries } from '@mynah/plugin-chat/api'
import { route, type Route } from '@mynah/plugin-http-core/api'
import type { WebhookBot } from './bot.js'
import type { Acceptance } from './deliveries.js'

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

/** Handles requests of all peers, by the id of their endpoint. */
export function webhookRoute(deliveries: Deliveries<WebhookBot, Acceptance>): Route {
  return route(
    rest,
    'POST /webhook/chat/:id',
    async ({ params: { id } }, call) => {
      const { replayed } = await deliveries.accept(id, call.request.headers, await call.body(), call.log)
      call.response.end(JSON.stringify({ success: true, ...(replayed ? { duplicate: true } : {}) }))
    },
    { bodyLimit: BODY_LIMIT },
  )
}
