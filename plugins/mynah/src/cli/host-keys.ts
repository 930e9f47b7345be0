// Keys of a configuration that are read by no plugin: what the whole has to say.
import { Type } from '@mynah/contract/type'

/** The console is a site of its own, so the key is accepted and must be false. */
export const HOST_KEYS = { serveClientHost: Type.Literal(false, { description: 'The host serves no console' }) }
