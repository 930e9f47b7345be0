import { expect } from 'chai'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestClock, until } from '@mynah/kernel/testing'
import { watchTokenFile } from './watch-token-file.js'

describe('watchTokenFile', () => {
  let folder: string
  let clock: TestClock
  let changes: number
  let warnings: string[]
  let end: () => void
  const note = (message: string): void => void warnings.push(message)
  const log = { debug: note, info: note, warn: note, error: note }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-token-'))
    clock = new TestClock()
    changes = 0
    warnings = []
    await writeFile(join(folder, 'http-token'), 'one')
    end = watchTokenFile(
      join(folder, 'http-token'),
      () => {
        changes++
      },
      { clock, log },
    )
  })
  afterEach(async () => {
    end()
    await rm(folder, { recursive: true, force: true })
  })

  /** Waits until the system has reported a change, so that a timer is pending. */
  const told = (): Promise<void> => until(() => clock.pending > 0)

  for (const [what, change] of [
    ['written in place', () => writeFile(join(folder, 'http-token'), 'two')],
    ['removed', () => rm(join(folder, 'http-token'))],
    [
      'replaced',
      async () => {
        await writeFile(join(folder, 'new'), 'two')
        await rename(join(folder, 'new'), join(folder, 'http-token'))
      },
    ],
  ] as const) {
    it(`notifies once after the file was ${what}`, async () => {
      await change()
      await told()
      expect(changes).to.equal(0)
      await clock.advance(199)
      expect(changes).to.equal(0)
      await clock.advance(1)
      expect(changes).to.equal(1)
    })
  }

  it('ignores other files and can be stopped', async () => {
    await writeFile(join(folder, 'mynah.sqlite'), '')
    // Events arrive in order, so this one comes after the ignored one.
    await writeFile(join(folder, 'http-token'), 'two')
    await told()
    end()
    await clock.advance(1000)
    expect(changes).to.equal(0)
    expect(clock.pending).to.equal(0)
    expect(warnings).to.deep.equal([])
  })

  it('logs another way to read the token if the folder cannot be watched', () => {
    watchTokenFile(join(folder, 'nowhere/http-token'), () => {}, { clock, log })()
    expect(warnings).to.deep.equal(['failed to watch the token file: ENOENT; "mynah reload" reads it'])
  })
})
