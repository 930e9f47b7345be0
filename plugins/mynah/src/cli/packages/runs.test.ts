import { expect } from 'chai'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PackageRun } from '@mynah/contract/types'
import { foldersOf, type Folders } from './folders.js'
import { readRuns, recordRun } from './runs.js'

const RUN: PackageRun = {
  runId: 'r',
  action: 'update',
  packages: ['x@2'],
  state: 'starting',
  listing: true,
  by: 'test',
  at: 1,
}

describe('runs of the packages', () => {
  let folders: Folders
  beforeEach(() => {
    folders = foldersOf(mkdtempSync(join(tmpdir(), 'mynah-runs-')))
  })
  afterEach(() => rmSync(folders.root, { recursive: true, force: true }))

  for (const changes of [
    [
      { runId: 'r', state: 'done' },
      { runId: 'r', listing: false },
    ],
    [
      { runId: 'r', listing: false },
      { runId: 'r', state: 'done' },
    ],
  ] as const)
    it(`keep what both processes note, ${Object.keys(changes[0])[1]} first`, () => {
      recordRun(folders, RUN)
      for (const change of changes) recordRun(folders, change)
      expect(readRuns(folders)).to.deep.equal([{ ...RUN, state: 'done', listing: false }])
    })

  it('are listed without a line that was cut off, and without a run whose first line was', () => {
    recordRun(folders, RUN)
    appendFileSync(folders.runs, '{"runId":"q","action":"ad')
    recordRun(folders, { runId: 'q', state: 'done' })
    expect(readRuns(folders)).to.deep.equal([RUN])
  })

  it('keep the message of a state that is noted twice, and lose it with the state', () => {
    recordRun(folders, { ...RUN, state: 'done', message: 'dice does not start' })
    recordRun(folders, { runId: 'r', state: 'done' })
    expect(readRuns(folders)[0]?.message).to.equal('dice does not start')
    recordRun(folders, { runId: 'r', state: 'rolled-back' })
    expect(readRuns(folders)[0]).not.to.have.property('message')
  })

  it('are whole after the file was shortened', () => {
    recordRun(folders, RUN)
    for (let line = 0; line < 2_001; line++) recordRun(folders, { runId: 'r', done: line })
    expect(readFileSync(folders.runs, 'utf8').trim().split('\n')).to.have.length.below(10)
    expect(readRuns(folders)).to.deep.equal([{ ...RUN, done: 2_000 }])
  })
})
