// `npm start`: builds what the starter needs, then runs it and the console.
import { buildOrExit } from './build.mjs'
import { root } from './lib.mjs'

await buildOrExit('examples/starter')
process.chdir(root)
process.argv.splice(2, 0, 'start', '--console', '-c', 'examples/starter/mynah.config.yml')
await import('../plugins/mynah/dist/cli/main.js')
