import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { measuredTimeFaults } from './check-measured-time.mjs'

describe('the check of measured times', () => {
  it('names the lines of tests that measure, and no others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mynah-measured-'))
    try {
      mkdirSync(join(folder, 'kernel/src'), { recursive: true })
      writeFileSync(join(folder, 'package.json'), '{"workspaces":["kernel"]}')
      writeFileSync(join(folder, 'kernel/package.json'), '{}')
      // Written in two parts, or this test would be named itself.
      writeFileSync(
        join(folder, 'kernel/src/a.test.ts'),
        `const began = 1\nconst took = ${'performance'}.now() - began\n`,
      )
      writeFileSync(join(folder, 'kernel/src/b.test.ts'), 'const now = Date.now()\n')
      writeFileSync(join(folder, 'kernel/src/c.ts'), `${'performance'}.now()\n`)
      expect(measuredTimeFaults(folder)).to.deep.equal([
        'kernel/src/a.test.ts:2 measures time; count something instead, or add it to bench/',
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
