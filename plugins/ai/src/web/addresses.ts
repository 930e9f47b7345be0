import { lookup as resolve, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { WebError } from '../api/web.js'

/** The allocated IPv6 addresses, without old forms that contain an IPv4 address. */
const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3')
/** A public number that is the host machine in one cloud. */
const HOST_OF_GUESTS = '168.63.129.16'

/** Returns whether an address is public. Forms that contain other addresses (NAT64, 6to4, Teredo) are not. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // A mapped address counts as the one that it contains.
  const meant = ipaddr.process(address)
  if (meant.range() !== 'unicast' || meant.toString() === HOST_OF_GUESTS) return false
  return !(meant instanceof ipaddr.IPv6) || meant.match(GIVEN_OUT)
}

/** Resolves names for a socket, to public addresses only, so that the checked address is the one that is connected. */
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
