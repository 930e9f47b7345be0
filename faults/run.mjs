// `npm run test:faults [-- <file>…] [--rounds <n>] [--database sqlite|postgres]`: runs every fault of this folder, or
// those of the files that are named, and prints the results.
import { readdir } from 'node:fs/promises'
import { buildOrExit } from '../tools/build.mjs'
import { readArguments } from './lib/lives.mjs'

await buildOrExit()
const wanted = readArguments()
const rows = []
for (const file of (await readdir(new URL('.', import.meta.url)))
  .filter((name) => name.endsWith('.mjs') && name !== 'run.mjs')
  .filter((name) => !wanted.files || wanted.files.includes(name.slice(0, -'.mjs'.length)))
  .sort()) {
  const began = Date.now()
  const { run } = await import(new URL(file, import.meta.url))
  const row = await run(wanted).catch((error) => ({
    fault: file,
    rounds: wanted.rounds ?? '',
    result: error.message,
    passed: false,
  }))
  rows.push({ ...row, seconds: Math.round((Date.now() - began) / 1000) })
}

const columns = {
  outcome: ({ passed }) => (passed ? 'ok' : 'FAIL'),
  fault: ({ fault }) => fault,
  rounds: ({ rounds }) => String(rounds),
  result: ({ result }) => result,
  s: ({ seconds }) => String(seconds),
}
const table = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((cell) => cell(row)))]
const widths = Object.keys(columns).map((_, index) => Math.max(...table.map((cells) => cells[index].length)))
console.log(
  `\n${table
    .map((cells) =>
      cells
        .map((cell, index) => cell.padEnd(widths[index]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}`,
)
process.exitCode = rows.every(({ passed }) => passed) ? 0 : 1
