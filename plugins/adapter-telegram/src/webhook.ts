import type { Update } from 'grammy/types'
import { contract, WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { messageOf } from '@mynah/kernel'
import { sameSecret } from '@mynah/kernel/util'
import type { Deliveries, DeliveryOptions } from '@mynah/plugin-chat/api'
import { parseJson, route, type Route } from '@mynah/plugin-http-core/api'
import type { TelegramBot } from './bot.js'
import { isCountable } from './validation.js'

const BODY_LIMIT = 1024 * 1024
const SECRET_HEADER = 'x-telegram-bot-api-secret-token'

const { rest } = contract({
  rest: {
    'POST /webhook/telegram/:id': {
      summary: 'Updates from Telegram, with the secret of the account in `x-telegram-bot-api-secret-token`',
      params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) }),
      raw: 'application/json',
      scope: 'webhook',
      errors: ['unauthorized', 'not_ready'],
    },
  },
})

function updateOf(body: Buffer): Update {
  const update = parseJson(body.toString('utf8'))
  if (!isCountable(update)) throw new WireError('invalid_request', 'The body is no update')
  return update as Update
}

/** Accepts what Telegram sends. */
export const deliveries: DeliveryOptions<TelegramBot, null> = {
  adapter: 'telegram',
  headers: [SECRET_HEADER],
  async accept(bot, { headers, body }, log) {
    const expected = bot?.endpoint.config.mode === 'webhook' ? bot.webhookSecret : undefined
    // Compared in both cases, so that an unknown account takes the same time and has the same answer.
    const passes = sameSecret(headers[SECRET_HEADER] ?? '', expected ?? '')
    if (!passes || !bot || expected === undefined)
      throw new WireError('unauthorized', 'The secret of this webhook is missing or wrong')
    const update = updateOf(body)
    try {
      await bot.take(update)
    } catch (error) {
      log.warn(`failed to accept an update, Telegram will send it again: ${messageOf(error)}`)
      throw new WireError('not_ready', 'The update cannot be accepted now', { cause: error })
    }
    return null
  },
}

/** Handles calls for all accounts, by the id of their endpoint. */
export function webhookRoute(accounts: Deliveries<TelegramBot, null>): Route {
  return route(
    rest,
    'POST /webhook/telegram/:id',
    async ({ params }, call) => {
      await accounts.accept(params.id, call.request.headers, await call.body(), call.log)
      call.response.end('{"ok":true}')
    },
    { bodyLimit: BODY_LIMIT },
  )
}
