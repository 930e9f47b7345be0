// `npm run dev`: builds on change. The starter host restarts and the console reloads.
import { join } from 'node:path'
import { watch } from 'chokidar'
import { buildOrExit, tryBuild } from './build.mjs'
import { root, workspaces } from './lib.mjs'

/** Changes within this time of each other are built together. */
const SETTLED_MS = 100

await buildOrExit()
process.chdir(root)

let timer
let building = Promise.resolve()
// The watch mode of the compiler misses changes and does not build the pages of plugins.
const folders = workspaces()
  .filter((folder) => folder !== 'console')
  .flatMap((folder) => [join(root, folder, 'src'), join(root, folder, 'client/src')])
const watcher = watch(folders, { ignoreInitial: true }).on('all', (event) => {
  if (event.endsWith('Dir')) return
  clearTimeout(timer)
  timer = setTimeout(() => (building = building.then(tryBuild)), SETTLED_MS)
})

process.argv.splice(2, 0, 'dev', '--console', '-c', 'examples/starter/mynah.config.yml')
await import('../plugins/mynah/dist/cli/main.js')
clearTimeout(timer)
await watcher.close()
