// `node --import mynah/typescript`: TypeScript is loaded as the host loads it, for tests of plugins that have no build.
import { enableTypeScript } from './cli/modules/typescript.js'

enableTypeScript()
