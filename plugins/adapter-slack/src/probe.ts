import type { AccountProbe, ProbeResult } from '@mynah/plugin-chat/api'
import { SlackApi } from './api.js'
import { socketAddress } from './bot.js'
import type { SlackConfig } from './config.js'
import { connectError } from './errors.js'
import { idOf, nameOf } from './wire.js'

/** Scopes of a bot, and what it cannot do without each. */
const SCOPES: Readonly<Record<string, string>> = {
  'channels:history': 'read public channels',
  'channels:read': 'name public channels',
  'chat:write': 'send',
  'files:read': 'get files',
  'files:write': 'send files',
  'groups:history': 'read private channels',
  'groups:read': 'name private channels',
  'im:history': 'read private messages',
  'im:read': 'know with whom a private message is',
  'im:write': 'begin private messages',
  'mpim:history': 'read private messages of several users',
  'mpim:read': 'name private messages of several users',
  'reactions:read': 'see reactions',
  'reactions:write': 'react',
  'users:read': 'know the names of users',
}

/** Asks whose tokens these are and what they allow. No socket is opened, so that nothing is received. */
export async function probe({ config, signal }: AccountProbe<SlackConfig>): Promise<ProbeResult> {
  const api = new SlackApi(config, signal)
  try {
    const { user_id: user, user: name } = await api.call('auth.test')
    if (config.appToken !== undefined) await socketAddress(api, config.appToken, config)
    const id = idOf(user)
    const known = nameOf(name)
    const missing = missingIn(config, api.scopes)
    return {
      ...(id === undefined ? {} : { id }),
      ...(known === undefined ? {} : { name: known }),
      ...(missing.length > 0 ? { missing } : {}),
    }
  } catch (error) {
    throw connectError(error)
  }
}

function missingIn({ appToken, signingSecret }: SlackConfig, scopes: ReadonlySet<string>): string[] {
  const lacks = Object.entries(SCOPES).filter(([scope]) => !scopes.has(scope))
  return [
    ...(appToken === undefined && signingSecret === undefined
      ? ['Nothing would be received: set `appToken` for Socket Mode, or `signingSecret` where Slack calls this host']
      : []),
    ...lacks.map(
      ([scope, use]) =>
        `The scope "${scope}", to ${use}: add it on the page OAuth & Permissions and install the app again`,
    ),
  ]
}
