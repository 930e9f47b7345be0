// `npm run steady`: runs files of the system suite again and again on a busy machine, and prints how often each failed,
// and with what.
//
//   npm run steady -- [files] [--rounds 5] [--busy 2]
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildOrExit } from './build.mjs'
import { root, run } from './lib.mjs'

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, busy: { type: 'string', default: '2' } },
})
await buildOrExit()
const folder = mkdtempSync(join(tmpdir(), 'mynah-steady-'))
const loops = Array.from({ length: Number(values.busy) }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
)
/** The failures of all rounds by file. */
const failures = new Map()
try {
  for (let round = 1; round <= Number(values.rounds); round++) {
    process.stdout.write(`\n== round ${round} of ${values.rounds}\n`)
    const written = join(folder, String(round))
    await run(process.execPath, ['tools/test.mjs', '--system', ...files], {
      env: { ...process.env, MYNAH_FAILED: written },
    })
    if (!existsSync(written)) continue
    const failed = readFileSync(written, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    for (const { file, test, error } of failed) {
      const name = file.replace(`${root}/`, '')
      const ofFile = failures.get(name) ?? { rounds: new Set(), errors: new Set() }
      ofFile.rounds.add(round)
      ofFile.errors.add(`${test}: ${error}`)
      failures.set(name, ofFile)
    }
  }
} finally {
  for (const loop of loops) loop.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(
  `\n${failures.size} of the files failed in ${values.rounds} rounds, with ${values.busy} busy loops\n`,
)
for (const [file, { rounds, errors }] of [...failures].sort((a, b) => b[1].rounds.size - a[1].rounds.size)) {
  process.stdout.write(`\n${rounds.size} of ${values.rounds}  ${file}\n`)
  for (const error of errors) process.stdout.write(`    ${error}\n`)
}
process.exitCode = failures.size ? 1 : 0
