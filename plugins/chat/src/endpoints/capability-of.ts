import { WireError } from '@mynah/contract'
import type { Bot, CAPABILITIES } from '../api/adapter.js'
import type { Endpoint } from './endpoint.js'

/**
 * Returns a capability of an endpoint that is online, bound to its bot.
 *
 * @throws WireError `unsupported`, or `not_ready` where the endpoint is not online
 */
export function capabilityOf<C extends (typeof CAPABILITIES)[number]>(
  endpoint: Endpoint,
  capability: C,
): NonNullable<Bot[C]> {
  const call = endpoint.bot?.[capability]
  if (!call) throw new WireError('unsupported', `The platform of "${endpoint.id}" has no ${capability}`)
  if (endpoint.status !== 'online')
    throw new WireError('not_ready', `The endpoint "${endpoint.id}" is ${endpoint.status}`)
  return call.bind(endpoint.bot) as unknown as NonNullable<Bot[C]>
}
