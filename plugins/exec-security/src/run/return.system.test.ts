// When a run returns, at each level.
import { expect } from 'chai'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { runCommand } from './run-command.js'
import { TestLevels } from '../test/levels.js'

describe('runCommand: limits', () => {
  let cwd: string
  let levels: TestLevels
  before(async () => {
    levels = await TestLevels.open()
  })
  after(() => levels.close())
  beforeEach(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'mynah-return-')))
  })
  afterEach(() => rm(cwd, { recursive: true, force: true }))

  const ESCAPES = {
    'a session of its own': 'setsid sleep 1000 & sleep 0.2',
    'a session of its own that holds the output': 'setsid tail -f /dev/null & sleep 0.2',
    'an environment without the mark': 'env -i setsid /bin/sleep 1000 & sleep 0.2',
    'two forks and no parent': '(setsid sh -c "sleep 1000 & sleep 1000" &) ; sleep 0.2',
    'ears closed': "trap '' TERM; setsid bash -c 'trap \"\" TERM; sleep 1000' & while :; do sleep 1; done",
  }
  for (const level of ['bash alone', 'none', 'files', 'wall'] as const) {
    for (const [name, command] of Object.entries(ESCAPES)) {
      // The child sleeps much longer than the limit of a test.
      it(`ends its processes at the level ${level}, next to a child with ${name}`, async function () {
        if (level !== 'bash alone' && levels.missing(level) !== undefined) skipBecause(this, levels.missing(level))
        const launcher = level === 'bash alone' ? undefined : levels.launcher(level, await levels.view({ cwd }))
        const result = await runCommand(command, { cwd, limitMs: 1000, launcher })
        expect(result).to.deep.include({ level: launcher?.level ?? 'none', leftovers: [] })
      })
    }
  }
})
