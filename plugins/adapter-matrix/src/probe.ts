import { isRecord } from '@mynah/contract'
import type { AccountProbe, ProbeResult } from '@mynah/plugin-chat/api'
import { MatrixClient, MatrixError, path } from './client.js'
import type { MatrixConfig } from './config.js'
import { reasonOf } from './errors.js'
import { isRoomId } from './events.js'
import { deviceOf, logIn, mistakeIn, whoAmI } from './session.js'

/** Rooms that are looked at. */
const MAX_ROOMS = 10
const DEVICE = deviceOf('a test of the account')

/** Logs in as a device of its own and leaves again. Takes no events. */
export async function probe({ config, signal }: AccountProbe<MatrixConfig>): Promise<ProbeResult> {
  const mistake = mistakeIn(config)
  if (mistake !== undefined) throw new Error(mistake)
  const client = new MatrixClient(config.homeserver)
  const stop = (): void => client.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    client.token = config.token
    if (config.token === undefined) await logIn(client, config, DEVICE)
    const { id, name, isGuest } = await whoAmI(client)
    const missing = [
      ...(isGuest ? ['The account is a guest (is_guest), which may not send: register it with a password'] : []),
      ...(await lackingRooms(client, config)),
    ]
    // Ends the device of the test.
    if (config.token === undefined) await client.call('POST', '/logout', { body: {} })
    return { id, ...(name === undefined ? {} : { name }), ...(missing.length ? { missing } : {}) }
  } catch (error) {
    throw new Error(reasonOf(error))
  } finally {
    signal.removeEventListener('abort', stop)
    client.close()
  }
}

/** Returns why the bot would hear nothing, or not all. */
async function lackingRooms(client: MatrixClient, config: MatrixConfig): Promise<string[]> {
  const { joined_rooms: joined } = await client.get('/joined_rooms')
  const rooms = Array.isArray(joined) ? joined.filter(isRoomId) : []
  const { autoJoin = 'master', master } = config
  // A variable without a value makes an empty text of it.
  const masters = [master ?? []].flat().filter((id) => id !== '')
  if (rooms.length === 0 && (autoJoin === 'none' || (autoJoin === 'master' && masters.length === 0)))
    return ['The account is in no room, and accepts no invitation: set `master` to your user id, or `autoJoin` to all']
  const states = await Promise.all(
    rooms.slice(0, MAX_ROOMS).map((room) =>
      client.get(path`/rooms/${room}/state/m.room.encryption`).catch((error: unknown) => {
        if (error instanceof MatrixError && error.status < 500) return undefined
        throw error
      }),
    ),
  )
  const encrypted = states.filter((state) => isRecord(state) && typeof state['algorithm'] === 'string').length
  if (encrypted === 0) return []
  return [
    `${encrypted} of its rooms are encrypted (m.room.encryption), where it can read nothing: create rooms without`,
  ]
}
