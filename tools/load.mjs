// `npm run load -- --messages 100/s`: builds stale outputs, then loads the running starter host, or the one of -c.
import { buildOrExit } from './build.mjs'
import { root } from './lib.mjs'

await buildOrExit()
process.chdir(root)
const own = process.argv.slice(2)
const names = own.some((word) => /^(?:-c|--config|--url)(?:=|$)/.test(word))
process.argv.splice(2, own.length, 'load', ...(names ? [] : ['-c', 'examples/starter/mynah.config.yml']), ...own)
await import('../plugins/mynah/dist/cli/main.js')
