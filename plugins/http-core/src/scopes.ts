// What the holder of a token may do.
import { WireError, type Scope } from '@mynah/contract'
import type { Principal } from './api.js'

/**
 * Throws `forbidden` where a token of demo scope asks for anything that is not declared for it; what does not exist is
 * forbidden as well, so that such a token cannot look around.
 */
export function assertScope(principal: Principal, scope: Scope | undefined): void {
  if (principal.scope === 'demo' && scope !== 'demo') throw new WireError('forbidden', 'A demo token may not do this')
}
