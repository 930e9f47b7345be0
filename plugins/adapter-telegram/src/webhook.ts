import { createHash, timingSafeEqual } from 'node:crypto'
import type { Update } from 'grammy/types'
import { contract, WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { messageOf } from '@mynah/kernel'
import { route, type Route } from '@mynah/plugin-http-core/api'
import type { TelegramBot } from './bot.js'
import { isCountable } from './validation.js'

const BODY_LIMIT = 1024 * 1024

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

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares digests, which have the same length and reveal nothing about where the secrets differ. */
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

function updateOf(update: unknown): Update {
  if (!isCountable(update)) throw new WireError('invalid_request', 'The body is no update')
  return update as Update
}

/** Handles calls for all accounts, by the id of their endpoint. */
export function webhookRoute(bots: ReadonlyMap<string, TelegramBot>, comes: (id: string) => boolean): Route {
  return route(
    rest,
    'POST /webhook/telegram/:id',
    async ({ params }, call) => {
      const bot = bots.get(params.id)
      // The host is starting, or the endpoint is being replaced. Telegram repeats the call after a 503.
      if (!bot && comes(params.id)) throw new WireError('not_ready', 'This endpoint is not there yet')
      const expected = bot?.endpoint.config.mode === 'webhook' ? bot.webhookSecret : undefined
      const sent = call.request.headers['x-telegram-bot-api-secret-token']
      // Compared in both cases, so that an unknown account takes the same time and has the same answer.
      const passes = same(typeof sent === 'string' ? sent : '', expected ?? '')
      if (!passes || !bot || expected === undefined)
        throw new WireError('unauthorized', 'The secret of this webhook is missing or wrong')
      const update = updateOf(await call.json())
      try {
        await bot.take(update)
      } catch (error) {
        call.log.warn(`failed to accept an update, Telegram will send it again: ${messageOf(error)}`)
        throw new WireError('not_ready', 'The update cannot be accepted now', { cause: error })
      }
      call.response.end('{"ok":true}')
    },
    { bodyLimit: BODY_LIMIT },
  )
}
