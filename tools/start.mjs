// `npm start`: builds stale outputs, then runs the starter host and the console.
import { buildOrExit } from './build.mjs'
import { root } from './lib.mjs'

await buildOrExit()
process.chdir(root)
process.argv.splice(2, 0, 'start', '--console', '-c', 'examples/starter/mynah.config.yml')
await import('../plugins/mynah/dist/cli/main.js')
