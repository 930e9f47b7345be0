// `npm test` and `npm run test:pages`: builds stale outputs and runs the tests without a browser, or those with one
// (`--pages`), several files at once. Other arguments go to mocha.
import { buildOrExit } from './build.mjs'
import { run } from './lib.mjs'
import { onDemand } from './on-demand.mjs'

const PLAIN = { config: '.mocharc.json', sets: ['openapi', 'sim'] }
const PAGES = { config: '.mocharc.pages.json', sets: ['browser', 'firefox', 'entry-libraries'] }

const args = process.argv.slice(2)
const { config, sets } = args[0] === '--pages' ? PAGES : PLAIN
await buildOrExit()
// Installed here once, or several test files would install the same packages within their time limits.
for (const set of sets) await onDemand(set).catch((error) => process.stderr.write(`${error.message}\n`))
process.exitCode = await run('mocha', ['--config', config, ...args.filter((arg) => arg !== '--pages')])
