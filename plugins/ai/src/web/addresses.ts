// Which addresses are public: everything else belongs to this machine or to a network around it.
import { lookup as resolve, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { WebError } from '../api/web.js'

/** All that is given out so far: old forms that hold an address of IPv4, and what means nothing yet, lie outside. */
const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3')
/** Public by its number, and the machine itself below every guest of one cloud. */
const HOST_OF_GUESTS = '168.63.129.16'

/** Whether an address may be connected to. Addresses that stand for others (mapped, NAT64, 6to4, Teredo) are none. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // A mapped address is the one that it maps to.
  const meant = ipaddr.process(address)
  if (meant.range() !== 'unicast' || meant.toString() === HOST_OF_GUESTS) return false
  return !(meant instanceof ipaddr.IPv6) || meant.match(GIVEN_OUT)
}

/** Resolves names for a socket and gives it only what may be connected to: what is checked is what is connected. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0)
    const allowed = addresses.filter(({ address }) => isPublic(address))
    const first: LookupAddress | undefined = allowed[0]
    if (!first)
      return callback(
        new WebError('forbidden', `${hostname} is an address of this machine or of a private network`),
        '',
        0,
      )
    if (options.all) callback(null, allowed)
    else callback(null, first.address, first.family)
  })
}
