// Why an address gave no answer: a browser says only "failed to fetch", so a second look is needed to tell the user.

export type Fetch = typeof globalThis.fetch

/** What may stand between a page and an address. */
export type Obstacle = 'mixed-content' | 'local-network' | 'cors' | 'refused'

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** Whether the page may not even ask: an `https` page asking for `http` outside this machine. */
export function isMixedContent(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return globalThis.location?.protocol === 'https:' && protocol === 'http:' && !LOOPBACK.test(hostname)
}

/** Finds why a request to `url` failed without an answer. */
export async function obstacleOf(url: string, fetch: Fetch, signal: AbortSignal): Promise<Obstacle> {
  if (isMixedContent(url)) return 'mixed-content'
  try {
    await fetch(url, { mode: 'no-cors', cache: 'no-store', credentials: 'omit', signal })
    return 'cors'
  } catch {
    signal.throwIfAborted()
    return (await isLocalNetworkBlocked()) ? 'local-network' : 'refused'
  }
}

/** Whether the browser withholds addresses of the local network from this page; only some browsers know the question. */
async function isLocalNetworkBlocked(): Promise<boolean> {
  if (typeof document === 'undefined' || !navigator.permissions) return false
  try {
    return (await navigator.permissions.query({ name: 'local-network-access' as PermissionName })).state === 'denied'
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
