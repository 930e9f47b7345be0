import type { AccountProbe, ProbeResult } from '@mynah/plugin-chat/api'
import { selfOf } from './bot.js'
import type { LarkConfig } from './config.js'
import { connectError, LarkError } from './errors.js'
import { path, Rest } from './rest.js'
import { placeOf } from './socket.js'

/** Asks who the bot is and where to connect. The list of its chats needs the permission that reading needs. */
export async function probe({ config, clock, signal }: AccountProbe<LarkConfig>): Promise<ProbeResult> {
  const rest = new Rest(config, clock, signal)
  try {
    const self = await selfOf(rest)
    if (config.mode !== 'webhook') await placeOf(rest, config)
    const lacks = await lacksPermission(rest)
    const missing =
      'im:chat:readonly and im:message: grant them in the Developer Console, on the page Permissions & Scopes'
    return { ...self, ...(lacks ? { missing: [missing] } : {}) }
  } catch (error) {
    throw connectError(error)
  }
}

async function lacksPermission(rest: Rest): Promise<boolean> {
  try {
    await rest.call('GET', `${path`/chats`}?page_size=1`)
    return false
  } catch (error) {
    if (error instanceof LarkError && error.isPermission) return true
    throw error
  }
}
