import { lazyPart } from '../../lib/lazy-part.js'

/** The bar of a draft, which loads with the first change. */
export const ConfigDraftBar = lazyPart(() => import('./draft-bar.js').then((module) => module.ConfigDraftBar))
