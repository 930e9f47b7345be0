// Ordinary commands end in a view as they do without one, since owners switch off a wall that stops their work.
import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { runCommand } from './run-command.js'
import { EVERYDAY_READONLY, ORDINARY_WRITABLE } from '../test/families/everyday.js'
import { TestLevels } from '../test/levels.js'
import { cases } from '../test/long.js'
import { anyOf } from '../policy/any-of.js'

const NAMES = [
  ...['README.md', 'LICENSE', 'notes.txt', 'app.log', 'src/index.js', 'src/auth/tokens.ts', 'docs/guide.md'],
  ...['docs/api.md', 'docs/a.md', 'docs/b.md', 'test/a.test.ts', 'logs/app.log', 'data.csv', '.gitignore'],
  ...['.env.example', 'list.txt', 'file.txt', 'a.txt', 'b.txt', 'patterns.txt'],
]
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(NAMES.map((name) => [name, `foo ${name}\nimport x\nTODO error\nversion 1\n`])),
  'src/index.js': 'console.log("hi")\n',
  'package.json':
    '{"name":"p","version":"1.0.0","scripts":{"build":"node src/index.js","test":"node --test","lint":"echo ok"}}',
  Makefile: 'all:\n\techo built > out.txt\n\tcat out.txt\ntest: all\n\ttest -f out.txt\n',
  'm.c': '#include <stdio.h>\nint main(){puts("c");return 0;}\n',
  'm.py': 'import json,os,sqlite3,subprocess,multiprocessing,tempfile,ssl\nprint(json.dumps({"a":1}))\n',
  'd.json': '{"a":[1,2,3]}',
  't.test.mjs': 'import {test} from "node:test"; test("x",()=>{})',
  'e.ts': 'const a: number = 1; console.log(a)\n',
  'srv.mjs':
    'import h from "node:http"; const s=h.createServer((q,r)=>r.end("ok")).listen(0,"127.0.0.1",async()=>{console.log(await (await fetch("http://127.0.0.1:"+s.address().port)).text());s.close()})',
}
const REPOSITORY =
  'git init -q . && git config user.email a@b.c && git config user.name n && git add -A && git commit -qm one && git tag v0 && git branch side'
/** Commands that never end. */
const ENDLESS = anyOf(/ -\w*[fF]\b|tail -\w*[fF]|-100f|find \/( |$)|watch|(?:^| )yes\b/)
/** The share of all that ends in the same way. The others read the machine, its logs and files of other people. */
const SHARE = 0.96
/** The same of one list. */
const SHARE_OF_LIST = 0.95
const LIMIT_MS = 15_000

describe('ordinary commands', function () {
  this.timeout(1_200_000)
  let base: string
  let cwd: string
  let levels: TestLevels
  const total = { all: 0, different: 0 }

  before(async function () {
    levels = await TestLevels.open()
    if (levels.missing('wall') !== undefined) skipBecause(this, levels.missing('wall'))
    base = await realpath(await mkdtemp(join(tmpdir(), 'mynah-ordinary-')))
    cwd = join(base, 'project')
  })
  after(async () => {
    await levels.close()
    if (base !== undefined) await rm(base, { recursive: true, force: true })
  })

  async function fill(): Promise<void> {
    await rm(base, { recursive: true, force: true })
    await mkdir(join(base, 'home'), { recursive: true })
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(cwd, name)), { recursive: true })
      await writeFile(join(cwd, name), text)
    }
    execFileSync('bash', ['-c', REPOSITORY], { cwd, stdio: 'ignore' })
  }

  async function end(command: string, writable: boolean, isInside: boolean): Promise<string> {
    const launcher = isInside
      ? levels.launcher('wall', await levels.view({ cwd, writable, origin: { user: String(writable) } }))
      : undefined
    const { exitCode, signal } = await runCommand(command, {
      cwd,
      limitMs: LIMIT_MS,
      env: { HOME: join(base, 'home'), TERM: 'dumb' },
      launcher,
    })
    return String(exitCode ?? signal)
  }

  for (const [name, all, writable] of [
    ['that write, in a writable root', ORDINARY_WRITABLE, true],
    ['that read, in a root that is only shown', EVERYDAY_READONLY, false],
  ] as const) {
    const open = all.filter((command) => !command.startsWith('#') && (writable || !ENDLESS.test(command)))
    const step = Math.max(1, Math.ceil(open.length / cases(20, Infinity)))
    const chosen = open.filter((_, i) => i % step === 0)

    it(`${name} end at level wall as without it: ${chosen.length} of ${open.length}`, async () => {
      const different: string[] = []
      await fill()
      for (const command of chosen) {
        if (writable) await fill()
        const outside = await end(command, writable, false)
        if (writable) await fill()
        const inside = await end(command, writable, true)
        if (inside !== outside) different.push(`${command}  # ${outside} outside, ${inside} inside`)
      }
      // A slice may hold one of the few by chance.
      const allowed = Math.max(1, Math.floor(chosen.length * (1 - SHARE_OF_LIST)))
      total.all += chosen.length
      total.different += different.length
      if (chosen.length === open.length) console.log(`        ${different.length} differ:\n${different.join('\n')}`)
      expect(different.length, different.join('\n')).to.be.at.most(allowed)
    })
  }

  it(`end at level wall as without it, to a share of ${SHARE}`, function () {
    if (total.all < ORDINARY_WRITABLE.length + EVERYDAY_READONLY.length / 2) return this.skip()
    expect(1 - total.different / total.all).to.be.at.least(SHARE)
  })
})
