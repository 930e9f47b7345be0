export interface Demo {
  readonly base: string
  readonly token: string
}

/** A token in a build is readable by everybody who opens the page. */
const PRINTABLE = /^[\x21-\x7e]{1,512}$/

/**
 * What the environment says of the demo, or nothing in another mode.
 *
 * @throws Error where something is missing, or where a token would get into a build that is not the demo
 */
export function demoOf(mode: string, environment: Readonly<Record<string, string | undefined>>): Demo | undefined {
  const { VITE_API_BASE: base, VITE_API_TOKEN: token } = environment
  if (mode !== 'demo') {
    if (token)
      throw new Error(
        'VITE_API_TOKEN is set, and only the demo build may carry a token: use "npm run build:demo" with a token of scope "demo", or unset it',
      )
    return undefined
  }
  if (!base || !token) {
    const missing = [
      base ? '' : 'VITE_API_BASE (the address of the demo host)',
      token ? '' : 'VITE_API_TOKEN (a token of scope "demo" of that host)',
    ]
    throw new Error(`The demo build needs ${missing.filter(Boolean).join(' and ')}`)
  }
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    throw new Error('VITE_API_BASE must be an address that begins with http:// or https://')
  if (!PRINTABLE.test(token)) throw new Error('VITE_API_TOKEN must be printable ASCII without spaces')
  const url = new URL(base)
  return { base: url.origin + url.pathname.replace(/\/+$/, ''), token }
}
