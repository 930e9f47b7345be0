// `npm test`: builds stale outputs and runs all tests, several files at once. Arguments go to mocha.
import { buildOrExit } from './build.mjs'
import { run } from './lib.mjs'
import { onDemand } from './on-demand.mjs'

await buildOrExit()
// Installed here once, or several test files would install the same packages within their time limits.
for (const set of ['browser', 'openapi', 'entry-libraries'])
  await onDemand(set).catch((error) => process.stderr.write(`${error.message}\n`))
process.exitCode = await run('mocha', process.argv.slice(2))
