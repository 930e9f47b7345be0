// `npm test` and `npm run test:system`: builds stale outputs and runs the tests that start nothing, or those that start
// hosts, browsers, servers and shells (`--system`), several files at once. Other arguments go to mocha.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buildOrExit } from './build.mjs'
import { root, run } from './lib.mjs'
import { onDemand } from './on-demand.mjs'
import { isSystemTest, sourceOf, testFiles } from './test-files.mjs'

const UNIT = { config: '.mocharc.json', sets: ['openapi', 'sim'], has: (file) => !isSystemTest(file) }
const SYSTEM = {
  config: '.mocharc.system.json',
  sets: ['browser', 'firefox', 'entry-libraries'],
  has: isSystemTest,
}

/** Returns the lines of a file that the reporter writes. */
const linesOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [])

/** Returns one line for the tests of a file that were skipped for one reason. */
function skippedLines(titles) {
  const groups = new Map()
  for (const title of titles) {
    const [, file, name, reason = 'no reason is given'] = /^(.*?): (.*?)(?: – skipped: (.*))?$/.exec(title)
    const names = groups.get(file) ?? new Map()
    groups.set(file, names.set(reason, [...(names.get(reason) ?? []), name]))
  }
  return Array.from(groups, ([file, reasons]) =>
    Array.from(reasons, ([reason, names]) => {
      const what = names.length === 1 ? names[0] : `${names.length} tests`
      return `skipped: ${relative(root, file)}: ${what} – ${reason}`
    }),
  ).flat()
}

const OF_FILES = [
  ['--no-config', '--enable-source-maps', '--exit'],
  ['--require', './tools/suites.mjs', '--reporter', './tools/reporter.cjs'],
  ['--parallel', '--jobs', '4', '--timeout', '60000'],
].flat()

async function main(args) {
  const suite = args[0] === '--system' ? SYSTEM : UNIT
  const rest = args.filter((arg) => arg !== '--system')
  // Files that are named run without the patterns of the suite.
  const files = rest.filter((arg) => /\.test\.[mc]?js$/.test(arg))
  await buildOrExit()
  // Installed here once, or several test files would install the same packages within their time limits.
  for (const set of suite.sets) await onDemand(set).catch((error) => process.stderr.write(`${error.message}\n`))
  const folder = mkdtempSync(join(tmpdir(), 'mynah-tests-'))
  try {
    const [ran, skipped] = [join(folder, 'ran'), join(folder, 'skipped')]
    const how = files.length ? OF_FILES : ['--config', suite.config]
    const code = await run(process.execPath, [join(root, 'node_modules/mocha/bin/mocha.js'), ...how, ...rest], {
      env: { ...process.env, MYNAH_RAN: ran, MYNAH_SKIPPED: skipped, MYNAH_TEST_SETS: suite.sets.join() },
    })
    for (const line of skippedLines(linesOf(skipped))) process.stdout.write(`${line}\n`)
    if (rest.length) return code
    const known = new Set(linesOf(ran).map(sourceOf))
    const missing = testFiles().filter((file) => suite.has(file) && !known.has(file))
    for (const file of missing)
      process.stdout.write(`not run: ${file} has no tests, or no pattern of ${suite.config} finds it\n`)
    return code || (missing.length ? 1 : 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main(process.argv.slice(2))
