// `npm run dev`: compiles on change; the starter host starts again and the console reloads by itself.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildOrExit } from './build.mjs'
import { root } from './lib.mjs'

await buildOrExit()
process.chdir(root)
const compiler = spawn(join(root, 'node_modules/.bin/tsc'), ['-b', '--watch', '--preserveWatchOutput'], { stdio: ['ignore', 'inherit', 'inherit'] })
process.on('exit', () => compiler.kill())
process.argv.splice(2, 0, 'dev', '--console', '-c', 'examples/starter/mynah.config.yml')
await import('../plugins/mynah/dist/cli/main.js')
compiler.kill()
