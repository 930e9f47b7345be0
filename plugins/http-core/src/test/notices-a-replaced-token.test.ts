// The token file is watched by its folder: replaced, written in place or removed, and what has nothing to do with it.
import { expect } from 'chai'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { TestClock } from '@mynah/kernel/testing'
import { watchToken } from '../token-watch.js'

describe('the watch of the token file', () => {
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
    end = watchToken(
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

  /** Waits until the system has told of a change, which then is due. */
  const told = async (): Promise<void> => {
    while (clock.pending === 0) await pause(1)
  }

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
    it(`tells that it was ${what}, once, when that has come to rest`, async () => {
      await change()
      await told()
      expect(changes).to.equal(0)
      await clock.advance(199)
      expect(changes).to.equal(0)
      await clock.advance(1)
      expect(changes).to.equal(1)
    })
  }

  it('passes over other files, and ends', async () => {
    await writeFile(join(folder, 'mynah.sqlite'), '')
    // Events come in order: this one is told after the one before would have been.
    await writeFile(join(folder, 'http-token'), 'two')
    await told()
    end()
    await clock.advance(1000)
    expect(changes).to.equal(0)
    expect(clock.pending).to.equal(0)
    expect(warnings).to.deep.equal([])
  })

  it('says how else the token is read where a folder cannot be watched', () => {
    watchToken(join(folder, 'nowhere/http-token'), () => {}, { clock, log })()
    expect(warnings).to.deep.equal(['the token file cannot be watched (ENOENT); "mynah reload" reads it'])
  })
})
