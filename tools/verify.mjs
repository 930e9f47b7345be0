// `npm run verify`: what takes too long for `.ci/run`. `npm run verify -- release` runs the parts that are named.
import { buildOrExit } from './build.mjs'
import { run } from './lib.mjs'

const PARTS = {
  'each-packed': ['node', ['tools/check-packed.mjs', '--each']],
  release: ['npm', ['run', '--silent', 'release', '--', 'patch', '--dry-run']],
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !PARTS[name])
if (unknown.length) {
  process.stderr.write(`no part "${unknown[0]}"; the parts are ${Object.keys(PARTS).join(', ')}\n`)
  process.exit(1)
}
await buildOrExit()
const ended = []
for (const name of names.length ? names : Object.keys(PARTS)) {
  process.stdout.write(`\n== ${name}\n`)
  const began = Date.now()
  const code = await run(...PARTS[name])
  ended.push({ name, code, seconds: Math.round((Date.now() - began) / 1000) })
}
process.stdout.write('\n')
for (const { name, code, seconds } of ended)
  process.stdout.write(`${code ? 'failed' : 'passed'}  ${name}  ${seconds} s\n`)
process.exitCode = ended.some(({ code }) => code) ? 1 : 0
