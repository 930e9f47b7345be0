// `npm run lint:unused`: names unused exports, files and dependencies of all packages. knip.json lists the entry files.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from './lib.mjs'
import { onDemand } from './on-demand.mjs'

/** Runs knip. Returns its exit code. */
export async function checkUnused(args = []) {
  const knip = join(await onDemand('unused'), 'node_modules/knip/bin/knip.js')
  return run(process.execPath, [knip, '--no-progress', '--no-config-hints', ...args])
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = await checkUnused(process.argv.slice(2))
