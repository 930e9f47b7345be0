// `npm test`: builds what is stale and runs all tests, several files at once, the long ones first; arguments go to mocha.
import { buildOrExit } from './build.mjs'
import { run } from './lib.mjs'

await buildOrExit()
process.exitCode = await run('mocha', process.argv.slice(2))
