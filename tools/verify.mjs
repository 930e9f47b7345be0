// `npm run verify`: all that is proven and takes too long for `.ci/run`, part by part.
//
//   npm run verify                 the parts that have not passed at this commit yet
//   npm run verify -- sim faults   these parts, also those that have passed
//
// The results are kept with the commit in .cache/verified.json. A release is refused without it.
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildOrExit } from './build.mjs'
import { root, run } from './lib.mjs'
import { otherNode } from './other-node.mjs'

const KEPT = join(root, '.cache/verified.json')
const npm = (...args) => ['npm', ['run', '--silent', ...args]]
const node = (...args) => [process.execPath, args]
const seed = randomInt(2 ** 31)
/** The tests of a suite on another version of Node, with random cases of their own. */
const on =
  (major, ...args) =>
  async () => ['env', [`MYNAH_TEST_SEED=${seed}`, await otherNode(major), 'tools/test.mjs', ...args]]

/** Commands by the name of their part, in the order in which they run. */
const PARTS = {
  types: npm('lint:types'),
  'test-22': on(22),
  'system-22': on(22, '--system'),
  'system-24': on(24, '--system'),
  'each-packed': node('tools/check-packed.mjs', '--each'),
  release: npm('release', '--', 'patch', '--dry-run'),
  chart: npm('build', '-w', 'mynah-plugin-memory-chart'),
  docs: node('tools/docs.mjs'),
  newcomer: npm('test:newcomer'),
  fuzz: npm('test:fuzz'),
  memory: [
    'env',
    ['MYNAH_TEST_LONG=1', 'MYNAH_FILE_LIMIT_S=1800', process.execPath, 'tools/test.mjs', '--grep', 'memory stays flat'],
  ],
  console: npm('test:console'),
  exec: npm('test:exec'),
  faults: npm('test:faults', '--', '--rounds', '200'),
  sim: npm('sim', '--', '--seeds', '2000'),
  bench: npm('bench', '--', '1'),
}

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** Returns what has passed at the current commit, by part; nothing where files have changed since. */
export function verifiedParts() {
  if (!existsSync(KEPT) || git('status', '--porcelain') !== '') return {}
  const { commit, parts } = JSON.parse(readFileSync(KEPT, 'utf8'))
  return commit === git('rev-parse', 'HEAD') ? parts : {}
}

/** Returns the parts that have not passed at the current commit. */
export function unverifiedParts() {
  const passed = verifiedParts()
  return Object.keys(PARTS).filter((name) => !passed[name]?.passed)
}

function keep(parts) {
  if (git('status', '--porcelain') !== '') return
  mkdirSync(dirname(KEPT), { recursive: true })
  writeFileSync(KEPT, `${JSON.stringify({ commit: git('rev-parse', 'HEAD'), parts }, undefined, 2)}\n`)
}

function table(parts) {
  const width = Math.max(...Object.keys(PARTS).map(({ length }) => length))
  return Object.keys(PARTS)
    .map((name) => {
      const { passed, seconds } = parts[name] ?? {}
      const result = { true: 'passed', false: 'FAILED' }[passed] ?? 'not run'
      return `${result.padEnd(7)}  ${name.padEnd(width)}${seconds === undefined ? '' : `  ${seconds} s`}`
    })
    .join('\n')
}

async function main(names) {
  const unknown = names.find((name) => !PARTS[name])
  if (unknown) throw new Error(`there is no part "${unknown}"; the parts are ${Object.keys(PARTS).join(', ')}`)
  process.stdout.write(`random tests draw their cases from MYNAH_TEST_SEED=${seed}\n`)
  await buildOrExit()
  const parts = verifiedParts()
  for (const name of names.length ? names : unverifiedParts()) {
    process.stdout.write(`\n== ${name}\n`)
    const began = Date.now()
    const part = PARTS[name]
    const [program, args] = typeof part === 'function' ? await part() : part
    const code = await run(program, args)
    parts[name] = { passed: code === 0, seconds: Math.round((Date.now() - began) / 1000) }
    keep(parts)
  }
  process.stdout.write(`\n${table(parts)}\n`)
  return Object.values(parts).every(({ passed }) => passed)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1
