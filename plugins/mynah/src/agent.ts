// The agent's authoring API, where its package is installed.
import { optional } from './optional.js'

/** Everything that `@mynah/plugin-agent/api` exports. */
export const agent = await optional('@mynah/plugin-agent')
