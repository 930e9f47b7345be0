// `npm test`: builds stale outputs and runs all tests, several files at once. Arguments go to mocha.
import { buildOrExit } from './build.mjs'
import { run } from './lib.mjs'

await buildOrExit()
process.exitCode = await run('mocha', process.argv.slice(2))
