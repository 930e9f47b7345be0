import type { AccountProbe, ProbeResult } from '@mynah/plugin-chat/api'
import { INTENTS, intentsOf, type DiscordConfig } from './config.js'
import { connectError } from './errors.js'
import { Rest } from './rest.js'
import { countOf, fieldsOf, idOf, listOf, nameOf, textOf, type Fields } from './wire.js'

const MAX_GUILDS = 10
const ADMINISTRATOR = 1n << 3n

/** Intents that the Developer Portal switches on, and the flags of the application that say so. */
const PRIVILEGED = [
  { bit: INTENTS.messageContent, flags: (1 << 18) | (1 << 19), name: 'Message Content Intent' },
  { bit: INTENTS.members, flags: (1 << 14) | (1 << 15), name: 'Server Members Intent' },
] as const

const PERMISSIONS = [
  ['View Channels', 1n << 10n],
  ['Send Messages', 1n << 11n],
  ['Embed Links', 1n << 14n],
  ['Attach Files', 1n << 15n],
  ['Read Message History', 1n << 16n],
  ['Add Reactions', 1n << 6n],
  ['Send Messages in Threads', 1n << 38n],
] as const
const CREATE_THREADS = ['Create Public Threads', 1n << 35n] as const

/** Asks whose token it is and what it may do. Opens no connection to the gateway, which would count as a login. */
export async function probe({ config, clock, signal }: AccountProbe<DiscordConfig>): Promise<ProbeResult> {
  const rest = new Rest(config, clock, signal)
  try {
    const me = fieldsOf(await rest.get('/users/@me'))
    const application = fieldsOf(await rest.get('/applications/@me'))
    const guilds = listOf(await rest.get('/users/@me/guilds'))
    const id = idOf(me.id)
    const name = nameOf(me.global_name, me.username)
    const missing = [...missingIntents(config, application), ...missingPermissions(config, guilds)]
    return {
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      ...(missing.length > 0 ? { missing } : {}),
    }
  } catch (error) {
    throw connectError(error)
  }
}

function missingIntents(config: DiscordConfig, application: Fields): string[] {
  const flags = countOf(application.flags) ?? 0
  return PRIVILEGED.filter(({ bit, flags: any }) => (intentsOf(config) & bit) !== 0 && (flags & any) === 0).map(
    ({ name }) => `${name} is off: switch it on in the Developer Portal, on the page Bot of the application`,
  )
}

function missingPermissions({ replies }: DiscordConfig, guilds: readonly Fields[]): string[] {
  if (guilds.length === 0)
    return ['The bot is in no server: add it with an address of OAuth2, URL Generator in the Developer Portal']
  const wanted = replies === 'thread' ? [...PERMISSIONS, CREATE_THREADS] : PERMISSIONS
  return guilds.slice(0, MAX_GUILDS).flatMap(({ name, permissions }) => {
    const has = BigInt(/^\d{1,30}$/.exec(textOf(permissions))?.[0] ?? 0)
    const lacks = wanted.filter(([, bit]) => (has & (bit | ADMINISTRATOR)) === 0n).map(([permission]) => permission)
    if (lacks.length === 0) return []
    return [`${lacks.join(', ')} in "${textOf(name, 100)}": grant it in Server Settings, Roles, to the role of the bot`]
  })
}
