import { WireError, type RestOperation } from '@mynah/contract'
import type { Principal } from './api.js'

/**
 * Checks that the scope of a token allows an operation. Routes that do not exist are forbidden too, so that a limited token
 * cannot probe for them.
 *
 * @throws WireError `forbidden`
 */
export function assertScope({ scope }: Principal, operation: RestOperation | undefined): void {
  if (scope === 'demo' && operation?.scope !== 'demo') throw new WireError('forbidden', 'A demo token may not do this')
  if (scope === 'monitor' && !operation?.monitored) throw new WireError('forbidden', 'A monitor token may not do this')
}
