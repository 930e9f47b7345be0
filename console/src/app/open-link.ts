import { createClient, readLink, saveConnection } from '@mynah/sdk'
import { rememberHost } from '../lib/hosts.js'
import { maySignIn, takeToken } from '../lib/link-token.js'
import { hosts } from '../lib/preferences.js'

/**
 * Removes the host and the token of a link from the address, and signs in to a host on this machine that accepts the
 * token. Returns the base that the link names.
 */
export async function openLink(href: string): Promise<string | undefined> {
  const given = takeToken(href)
  const link = readLink(given.href)
  if (link.href !== href) history.replaceState(null, '', link.href)
  const { base } = link
  if (base && given.token && maySignIn(base, href) && (await isAccepted(base, given.token))) {
    saveConnection({ base, token: given.token })
    hosts.set(rememberHost(hosts.get(), { base }))
  }
  return base
}

/** Returns whether a host takes a token. A refused one must not replace the one that is stored. */
async function isAccepted(base: string, token: string): Promise<boolean> {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  const client = createClient({ base, token, storage })
  try {
    await client.rest('GET /system/status')
    return true
  } catch {
    // The login page says what is wrong with the host or the token.
    return false
  } finally {
    client.close()
  }
}
