import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { RunFolder } from '../view/run-folder.js'

/** The home folder of the person whose host it is. */
export const HOME = '/home/bot'

/** A host and its folder for commands, new ones for each test. */
export interface TestRunFolder {
  host: string
  folder: RunFolder
}

/** Opens the folder before each test of a suite, and deletes it after it. */
export function testRunFolder(): TestRunFolder {
  const test = {} as TestRunFolder
  before(function () {
    if (process.platform !== 'linux') skipBecause(this, 'Linux only')
  })
  beforeEach(async () => {
    test.host = await mkdtemp(join(tmpdir(), 'mynah-host-'))
    test.folder = await RunFolder.open(test.host, HOME)
  })
  afterEach(async () => {
    await rm(test.folder.path, { recursive: true, force: true })
    await rm(test.host, { recursive: true, force: true })
  })
  return test
}
