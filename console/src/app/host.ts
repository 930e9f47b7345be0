import { AUTH_REQUIRED_EVENT, STORAGE_KEYS } from '@mynah/contract/wire'
import { createClient, forgetToken, loadConnection, saveConnection, type Client } from '@mynah/sdk'
import { rememberHost } from '../lib/hosts.js'
import { hosts } from '../lib/preferences.js'
import { hostDown, resources } from '../lib/resources.js'
import { createStore } from '../lib/store.js'

/** The client of the connected host, or undefined while signed out. */
export const connection = createStore<Client | undefined>(undefined)

/** Initial values of the login page. */
export interface LoginStart {
  readonly base?: string
  /** Why the login page is shown. */
  readonly reason?: 'expired' | 'link'
  /** Whether a token of another host is stored in this browser. */
  readonly stored?: boolean
  /** Where to go afterwards. */
  readonly target?: string
}

export const loginStart = createStore<LoginStart>({})

/** Returns the client. Pages are mounted only while there is one. */
export function host(): Client {
  const client = connection.get()
  if (!client) throw new Error('Not connected to a host')
  return client
}

/** Connects to a host. `remember` stores base and token in this browser. */
export function connect(base: string, token: string, options: { remember: boolean }): void {
  if (options.remember) {
    saveConnection({ base, token })
    hosts.set(rememberHost(hosts.get(), { base }))
  }
  connection.get()?.close()
  forgetPage()
  connection.set(createClient({ base, token }))
}

/** Clears data of the former host. */
function forgetPage(): void {
  resources.clear()
  hostDown.set(undefined)
}

function leave(start: LoginStart): void {
  const client = connection.get()
  if (!client) return
  loginStart.set(start)
  connection.set(undefined)
  client.close()
  forgetPage()
}

/** Signs out: deletes the token and opens the login page. */
export function signOut(): void {
  const base = connection.get()?.base
  if (base) forgetToken(base)
  leave(base ? { base } : {})
}

/** Switches to another host, through the login page if no token is stored. */
export function switchHost(base: string): void {
  const { token } = loadConnection({ linkBase: base })
  if (token) connect(base, token, { remember: true })
  else leave({ base, target: '/dashboard' })
}

/** Opens the login page for another base or token. The stored ones stay until then. */
export function changeHost(): void {
  const base = connection.get()?.base
  leave({ ...(base ? { base } : {}), target: location.pathname + location.search })
}

/** Opens the login page on a 401 of the connected host, and returns afterwards. */
export function watchAuthentication(): void {
  addEventListener(AUTH_REQUIRED_EVENT, (event) => {
    const base = connection.get()?.base
    const refused = event instanceof CustomEvent ? (event.detail as { base?: unknown } | null)?.base : undefined
    if (base === undefined || (refused !== undefined && refused !== base)) return
    leave({ base, reason: 'expired', target: location.pathname + location.search })
  })
  // Signing out in one tab signs out all tabs.
  addEventListener('storage', (event) => {
    const base = connection.get()?.base
    if (base !== undefined && event.key === STORAGE_KEYS.token && event.newValue === null)
      leave({ base, target: location.pathname + location.search })
  })
}
