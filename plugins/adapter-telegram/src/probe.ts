import { Api } from 'grammy'
import type { AccountProbe, Self } from '@mynah/plugin-chat/api'
import { boundedFetch } from './bounded-fetch.js'
import type { TelegramConfig } from './config.js'
import { reasonOf } from './errors.js'
import { parseMe } from './validation.js'

/** Asks whose token it is. Takes no updates, which would end the poll of an endpoint with the same token. */
export async function probe({ config, signal }: AccountProbe<TelegramConfig>): Promise<Self> {
  const { token, apiRoot, mode, publicUrl } = config
  if (mode === 'webhook' && !publicUrl)
    throw new Error('publicUrl is required in mode webhook: Telegram must know where to call')
  try {
    const me = parseMe(await new Api(token, { apiRoot, fetch: boundedFetch() }).getMe(signal as never))
    return { id: String(me.id), name: me.username ?? me.first_name }
  } catch (error) {
    throw new Error(reasonOf(error))
  }
}
