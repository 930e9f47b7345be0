import { createHash } from 'node:crypto'
import { MatrixError, path, type MatrixClient } from './client.js'
import type { MatrixConfig } from './config.js'
import { isTokenRefusal } from './errors.js'
import { isUserId } from './events.js'

/** The account of an access token. */
export interface Account {
  readonly id: string
  readonly name: string | undefined
  readonly isGuest: boolean
}

/**
 * Returns the id of the device of an endpoint. It is the same after each start: the homeserver takes a message once
 * for each device.
 */
export const deviceOf = (endpoint: string): string =>
  `MYNAH${createHash('sha256').update(endpoint).digest('hex').slice(0, 10).toUpperCase()}`

/** Returns what is wrong with the options beyond their schema. */
export function mistakeIn({ token, user, password }: MatrixConfig): string | undefined {
  if (token !== undefined || (user !== undefined && password !== undefined)) return undefined
  return 'The account needs `user` and `password`, or `token`'
}

/** Logs in with the password, as one device. */
export async function logIn(client: MatrixClient, config: MatrixConfig, device: string): Promise<void> {
  try {
    const { access_token: token } = await client.call('POST', '/login', {
      body: {
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user: config.user },
        password: config.password,
        device_id: device,
        initial_device_display_name: 'Mynah',
      },
    })
    if (typeof token !== 'string' || token === '') throw new Error('The homeserver gives no access token')
    client.token = token
  } catch (error) {
    if (!(error instanceof MatrixError) || error.code !== 'M_FORBIDDEN') throw error
    throw new CredentialError(`The homeserver refuses the login (${error.message}): check \`user\` and \`password\``)
  }
}

/** The account may not log in as it is configured. It is not tried again for a minute. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
}

/** Returns whose token it is. */
export async function whoAmI(client: MatrixClient): Promise<Account> {
  const { user_id: id, is_guest: isGuest } = await client.get('/account/whoami').catch((error: unknown) => {
    if (!isTokenRefusal(error)) throw error
    const { message } = error as Error
    throw new CredentialError(`The homeserver refuses the access token (${message}): check \`token\``)
  })
  if (!isUserId(id)) throw new Error('The homeserver gives no user: check `homeserver`')
  const { displayname: name } = await client.get(path`/profile/${id}`).catch((error: unknown) => {
    if (error instanceof MatrixError && error.status < 500) return { displayname: undefined }
    throw error
  })
  return {
    id,
    name: typeof name === 'string' && name !== '' ? name.slice(0, 512) : undefined,
    isGuest: isGuest === true,
  }
}
