import type { Mistake } from '@mynah/kernel'

const ESCAPES = 'in a user or password, write % as %25, # as %23, ? as %3F, / as %2F and @ as %40'

/** Returns what is wrong with the address of a PostgreSQL server. */
export function urlMistakes({ url }: { readonly url?: string | undefined }): Mistake[] {
  const message = url === undefined ? undefined : mistakeIn(url)
  return message === undefined ? [] : [{ path: 'database.url', message }]
}

function mistakeIn(url: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(url)) return `has a % that stands for no character: ${ESCAPES}`
  if (url.includes('#')) return `may not have a #: ${ESCAPES}`
  // Addresses of sockets have no host.
  if (url.startsWith('socket:') || url.startsWith('/') || /:\/\/(?:[^/?]*@)?(?:[/?]|$)/.test(url)) return undefined
  if (!URL.canParse(url)) return `is no address such as postgres://user:password@host:5432/database: ${ESCAPES}`
  const { protocol, search } = new URL(url)
  if (protocol !== 'postgres:' && protocol !== 'postgresql:')
    return 'is no address such as postgres://user:password@host:5432/database'
  return search.includes('@') ? `has a ? before its host: ${ESCAPES}` : undefined
}
