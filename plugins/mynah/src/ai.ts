// The model authoring API, where its package is installed.
import { optional } from './optional.js'

/** Everything that `@mynah/plugin-ai/api` exports. */
export const ai = await optional('@mynah/plugin-ai')
