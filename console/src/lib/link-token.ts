// The link that a host prints on a terminal has its token behind the `#`, which a browser sends to no server.

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Returns the token of a link, and the link without it. */
export function takeToken(href: string): { readonly token?: string; readonly href: string } {
  const url = new URL(href)
  const token = new URLSearchParams(url.hash.slice(1)).get('token')
  if (token === null) return { href }
  url.hash = ''
  return token === '' ? { href: url.href } : { token, href: url.href }
}

/**
 * Returns whether a link alone may sign in: where both addresses are those of this machine. Elsewhere the link of a
 * stranger could lead people to the stranger's host, and they would give it their keys.
 */
export const maySignIn = (base: string, console: string): boolean =>
  [base, console].every((address) => LOOPBACK.test(new URL(address).hostname))
