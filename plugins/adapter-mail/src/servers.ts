/** Where a server is, and whether TLS begins with the connection. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
}

const PORTS: Readonly<Record<string, number>> = { 'imaps:': 993, 'imap:': 143, 'smtps:': 465, 'smtp:': 587 }

/** Parses an address such as `imaps://imap.example.org:993`. */
export function endpointOf(address: string): ServerAddress {
  const { protocol, hostname, port } = new URL(address)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (PORTS[protocol] as number) : Number(port),
    isSecure: protocol.endsWith('s:'),
  }
}

/** Returns whether a server is on this machine, where a password may go without TLS. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
