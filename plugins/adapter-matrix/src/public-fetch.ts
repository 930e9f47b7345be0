import { lookup } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { exchange, NoAnswerError } from './http.js'

/** Networks that the internet does not route, and IPv6 networks that hold IPv4 addresses. */
const PRIVATE = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
  ...['::/96', '::1/128', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2001::/32', '2002::/16'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]
const MAX_REDIRECTS = 3
const TIMEOUT_MS = 20_000

// A list for each family: one that holds the mapped IPv4 addresses would hold all of IPv4.
const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4')
for (const network of PRIVATE) {
  const [address = '', bits = ''] = network.split('/')
  lists[familyOf(address)].addSubnet(address, Number(bits), familyOf(address))
}

/** Returns whether an address is of a private network or of this machine. */
const isPrivateAddress = (address: string): boolean => lists[familyOf(address)].check(address, familyOf(address))

const refusal = (): NoAnswerError => new NoAnswerError('its address is in a private network', false)
const parsed = (address: string, base?: URL): URL | undefined =>
  URL.canParse(address, base?.href) ? new URL(address, base) : undefined

/** Checks the addresses that the connection then uses, so that a second answer of the name server changes nothing. */
const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) return callback(error ?? refusal(), '', 0)
    if (addresses.some(({ address }) => isPrivateAddress(address))) return callback(refusal(), '', 0)
    if (options.all) return callback(null, addresses)
    callback(null, first.address, first.family)
  })
}

export interface FetchOptions {
  readonly maxBytes: number
  readonly allowsPrivate: boolean
  readonly signal: AbortSignal
}

/**
 * Fetches a file of the web. Each redirect is checked as the first address is.
 *
 * @throws NoAnswerError with the reason
 */
export async function fetchPublic(
  address: string,
  { maxBytes, allowsPrivate, signal }: FetchOptions,
): Promise<{ readonly bytes: Buffer; readonly mime: string | undefined }> {
  let url = parsed(address)
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
      throw new NoAnswerError('its address is not of the web', false)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (!allowsPrivate && isIP(host) && isPrivateAddress(host)) throw refusal()
    const { status, headers, body } = await exchange(url, {
      maxBytes,
      timeoutMs: TIMEOUT_MS,
      signal,
      agent: false,
      ...(allowsPrivate ? {} : { lookup: publicLookup }),
    })
    if (status === 200) return { bytes: body, mime: headers['content-type'] }
    if (status < 300 || status > 399 || !headers.location) throw new NoAnswerError(`its server answers ${status}`, true)
    url = parsed(headers.location, url)
  }
  throw new NoAnswerError(`its server redirects more than ${MAX_REDIRECTS} times`, true)
}
