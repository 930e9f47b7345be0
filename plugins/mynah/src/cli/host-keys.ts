import { Type } from '@mynah/contract/type'

/**
 * Keys of the configuration that belong to no plugin. The console is a separate site, so serveClientHost must be false.
 */
export const HOST_KEYS = { serveClientHost: Type.Literal(false, { description: 'The host serves no console' }) }
