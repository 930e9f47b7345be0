// Covered commands work in the sandbox as they do without it, since owners switch off a sandbox that stops their work.
import { expect } from 'chai'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './run-command.js'
import { TestLevels } from '../test/levels.js'
import { EVERYDAY_READONLY } from '../test/families/everyday.js'
import { cases } from '../test/long.js'
import { anyOf } from '../policy/any-of.js'

const FILES = [
  'README.md',
  'LICENSE',
  'package.json',
  'notes.txt',
  'app.log',
  'src/index.ts',
  'src/auth/tokens.ts',
  'docs/guide.md',
  'docs/api.md',
  'docs/a.md',
  'docs/b.md',
  'test/a.test.ts',
  'logs/app.log',
  'data.csv',
  '.gitignore',
  '.env.example',
  'list.txt',
  'file.txt',
  'a.txt',
  'patterns.txt',
]
/** Commands that never end, or whose output depends on the user, the machine or the run. */
const ELSEWHERE = anyOf(
  /^time |ls -\w*a|\/(?:etc|var|usr)\b|tail -\w*[fF]|tail -100f|find \/ |\/tmp|\/proc|\/dev|\/sys|\/run|~|\$HOME/,
  /\.\.|date|nohup/,
)
const LIMIT_MS = 8000

/** Returns the lines of an output, sorted, since either of the two streams may come first. */
const lines = (output: string): string => output.split('\n').sort().join('\n')

describe('runCommand: ordinary commands', () => {
  let cwd: string
  let levels: TestLevels

  before(async function () {
    levels = await TestLevels.open()
    if (levels.missing('wall') !== undefined) return this.skip()
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'mynah-ordinary-')))
    for (const name of FILES) {
      await mkdir(join(cwd, name, '..'), { recursive: true })
      await writeFile(join(cwd, name), `foo ${name}\nimport x\nTODO error\nversion 1\n`)
    }
  })
  after(async () => {
    await levels.close()
    if (cwd !== undefined) await rm(cwd, { recursive: true, force: true })
  })

  const open = EVERYDAY_READONLY.filter((command) => !ELSEWHERE.test(command))
  const step = Math.max(1, Math.ceil(open.length / cases(40, Infinity)))
  const chosen = open.filter((_, i) => i % step === 0)

  it(`print and exit in the sandbox as outside it: ${chosen.length} of ${open.length}`, async function () {
    this.timeout(300_000)
    const different: string[] = []
    for (const command of chosen) {
      const outside = await runCommand(command, { cwd, limitMs: LIMIT_MS })
      const inside = await runCommand(command, {
        cwd,
        limitMs: LIMIT_MS,
        launcher: levels.launcher('wall', await levels.view({ cwd })),
      })
      expect(inside.level, command).to.equal('wall')
      if (inside.exitCode !== outside.exitCode || lines(inside.output) !== lines(outside.output))
        different.push(
          `${command}  # ${outside.exitCode} ${outside.output.slice(0, 100)}` +
            ` | ${inside.exitCode} ${inside.output.slice(0, 100)}`,
        )
    }
    expect(different).to.deep.equal([])
  })
})
