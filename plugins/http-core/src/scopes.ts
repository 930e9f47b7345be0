// What the holder of a token may do.
import { WireError, type RestOperation } from '@mynah/contract'
import type { Principal } from './api.js'

/**
 * Throws `forbidden` where a token of lesser scope asks for anything that is not declared for it; what does not exist is
 * forbidden as well, so that such a token cannot look around.
 */
export function assertScope({ scope }: Principal, operation: RestOperation | undefined): void {
  if (scope === 'demo' && operation?.scope !== 'demo') throw new WireError('forbidden', 'A demo token may not do this')
  if (scope === 'monitor' && !operation?.monitored) throw new WireError('forbidden', 'A monitor token may not do this')
}
