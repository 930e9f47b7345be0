// Finds out why a request failed. Browsers only say "failed to fetch".

/** The function that sends requests, as `fetch` of the platform. */
export type Fetch = typeof globalThis.fetch

/** The reason why a page cannot reach an address. */
export type Obstacle = 'mixed-content' | 'local-network' | 'cors' | 'refused'

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** Returns whether the browser blocks the request: an `https` page that requests `http` of another machine. */
export function isMixedContent(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return globalThis.location?.protocol === 'https:' && protocol === 'http:' && !LOOPBACK.test(hostname)
}

/** Returns why a request to `url` failed without a response. */
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

/** Returns whether the browser blocks addresses of the local network. Only some browsers support the question. */
async function isLocalNetworkBlocked(): Promise<boolean> {
  if (typeof document === 'undefined' || !navigator.permissions) return false
  try {
    return (await navigator.permissions.query({ name: 'local-network-access' as PermissionName })).state === 'denied'
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
