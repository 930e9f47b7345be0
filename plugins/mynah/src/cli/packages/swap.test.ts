// Cuts a change of the packages off at every step, as a killed process does, and lets the next start recover.
import { expect } from 'chai'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PackageRun } from '@mynah/contract/types'
import { foldersOf, type Folders } from './folders.js'
import { endStarting, readJournal, writeJournal } from './journal.js'
import { recoverLocked, recoverPackages } from './recover.js'
import { readRuns, recordRun } from './runs.js'
import { StartGuard } from './start-guard.js'
import { canRollBack, keepManifests, keepReplaced, swap, undoSwap } from './swap.js'

const RUN: PackageRun = { runId: 'r', action: 'add', packages: ['x@2'], state: 'swapping', by: 'test', at: 1 }
const warn = (message: string): never => {
  throw new Error(message)
}
const FILES = ['node_modules/x/v', 'package.json', 'package-lock.json']

describe('swapping packages', () => {
  let folders: Folders
  let stage: string
  const write = (folder: string, name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const state = (folder: string): string[] =>
    FILES.map((name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : 'missing'))
  const journal = (step: 'staging' | 'swapping' | 'starting', next = 'staged/r'): void =>
    writeJournal(folders, { step, run: RUN, next, failures: [] })
  const stageNew = (): void => {
    for (const name of FILES) write(stage, name, 'new')
  }

  beforeEach(() => {
    folders = foldersOf(mkdtempSync(join(tmpdir(), 'mynah-swap-')))
    stage = join(folders.staged, 'r')
    for (const name of FILES) write(folders.root, name, 'old')
  })
  afterEach(() => rmSync(folders.root, { recursive: true, force: true }))

  for (const done of [0, 1, 2, 3, 4])
    it(`is finished after ${done} of 4 renames`, async () => {
      stageNew()
      keepManifests(folders, stage)
      journal('swapping')
      const steps = [
        ['node_modules', folders.root, folders.replaced],
        ['node_modules', stage, folders.root],
        ['package.json', stage, folders.root],
        ['package-lock.json', stage, folders.root],
      ] as const
      for (const [name, from, to] of steps.slice(0, done)) renameSync(join(from, name), join(to, name))
      expect(await recoverPackages(folders)).to.contain('it is finished')
      expect(state(folders.root)).to.deep.equal(['new', 'new', 'new'])
      expect(state(folders.previous)).to.deep.equal(['old', 'old', 'old'])
      expect(existsSync(folders.staged)).to.equal(false)
      expect(canRollBack(folders)).to.equal(true)
      expect(await recoverPackages(folders)).to.equal(undefined)
      expect(state(folders.root)).to.deep.equal(['new', 'new', 'new'])
    })

  it('is given up while packages are staged', async () => {
    stageNew()
    journal('staging')
    expect(await recoverPackages(folders)).to.contain('those of before')
    expect(state(folders.root)).to.deep.equal(['old', 'old', 'old'])
    expect(readRuns(folders)[0]).to.include({ state: 'failed', message: 'interrupted before anything changed' })
    expect([folders.staged, folders.journal].filter((path) => existsSync(path))).to.deep.equal([])
  })

  it('is given up after the manifests were kept', async () => {
    stageNew()
    journal('staging')
    keepManifests(folders, stage)
    await recoverPackages(folders)
    expect(state(folders.root)).to.deep.equal(['old', 'old', 'old'])
    expect(existsSync(folders.replaced)).to.equal(false)
  })

  it('keeps what was replaced, also if it was cut off before that', async () => {
    stageNew()
    keepManifests(folders, stage)
    swap(folders, stage)
    journal('starting')
    await recoverPackages(folders)
    expect(state(folders.previous)).to.deep.equal(['old', 'old', 'old'])
    expect(state(folders.root)).to.deep.equal(['new', 'new', 'new'])
  })

  it('goes back in the same way, cut off at any rename', async () => {
    for (const done of [0, 1, 2]) {
      for (const name of FILES) write(folders.root, name, 'new')
      rmSync(folders.previous, { recursive: true, force: true })
      for (const name of FILES) write(folders.previous, name, 'old')
      keepManifests(folders, folders.previous)
      journal('swapping', 'previous')
      if (done > 0) renameSync(join(folders.root, 'node_modules'), join(folders.replaced, 'node_modules'))
      if (done > 1) renameSync(join(folders.previous, 'node_modules'), join(folders.root, 'node_modules'))
      await recoverPackages(folders)
      expect(state(folders.root), String(done)).to.deep.equal(['old', 'old', 'old'])
      expect(state(folders.previous), String(done)).to.deep.equal(['new', 'new', 'new'])
    }
  })

  it('does not go back over what npm has installed since then', () => {
    stageNew()
    keepManifests(folders, stage)
    swap(folders, stage)
    keepReplaced(folders)
    expect(canRollBack(folders)).to.equal(true)
    write(folders.root, 'package-lock.json', 'of npm')
    expect(canRollBack(folders)).to.equal(false)
  })

  it('reads runs after a line that was cut off, and keeps them from other users', () => {
    recordRun(folders, { ...RUN, state: 'planned' })
    writeFileSync(folders.runs, '{"runId":"half', { flag: 'a' })
    recordRun(folders, { ...RUN, runId: 's', at: 2 })
    expect(readRuns(folders).map(({ runId }) => runId)).to.deep.equal(['s', 'r'])
    if (process.platform !== 'win32') expect(statSync(folders.runs).mode & 0o777).to.equal(0o600)
  })

  for (const done of [0, 1, 2, 3, 4])
    it(`is undone after ${done} of 4 renames`, () => {
      stageNew()
      keepManifests(folders, stage)
      const steps = [
        ['node_modules', folders.root, folders.replaced],
        ['node_modules', stage, folders.root],
        ['package.json', stage, folders.root],
        ['package-lock.json', stage, folders.root],
      ] as const
      for (const [name, from, to] of steps.slice(0, done)) renameSync(join(from, name), join(to, name))
      undoSwap(folders, stage)
      expect(state(folders.root)).to.deep.equal(['old', 'old', 'old'])
      expect(state(stage)).to.deep.equal(['new', 'new', 'new'])
      swap(folders, stage)
      expect(state(folders.root)).to.deep.equal(['new', 'new', 'new'])
    })

  it('is undone where a rename fails', () => {
    stageNew()
    keepManifests(folders, stage)
    rmSync(join(folders.root, 'package-lock.json'))
    write(folders.root, 'package-lock.json/file', 'in the way')
    expect(() => swap(folders, stage)).to.throw('EISDIR')
    undoSwap(folders, stage)
    expect(
      ['node_modules/x/v', 'package.json'].map((name) => readFileSync(join(folders.root, name), 'utf8')),
    ).to.deep.equal(['old', 'old'])
    expect(state(stage)).to.deep.equal(['new', 'new', 'new'])
  })

  it('ends the runs that were cut off where no journal names them, and keeps those that wait', async () => {
    const states = {
      cut: 'planned',
      staged: 'fetching',
      last: 'swapping',
      ended: 'cancelled',
      waits: 'planned',
    } as const
    for (const [runId, was] of Object.entries(states)) recordRun(folders, { ...RUN, runId, state: was })
    recoverLocked(folders, new Set(['waits']))
    expect(Object.fromEntries(readRuns(folders).map((run) => [run.runId, run.state]))).to.deep.equal({
      cut: 'failed',
      staged: 'failed',
      last: 'done',
      ended: 'cancelled',
      waits: 'planned',
    })
    expect(readRuns(folders).find(({ runId }) => runId === 'cut')?.message).to.contain('before anything changed')
    recordRun(folders, { ...RUN, runId: 'cut', state: 'fetching' })
    const cut = readRuns(folders).find(({ runId }) => runId === 'cut')
    expect(cut, 'its process lives').to.include({ state: 'fetching' }).and.not.to.have.property('message')
  })

  it('keeps the reason of a run that failed before its stage was deleted', async () => {
    recordRun(folders, { ...RUN, state: 'failed', message: 'the registry has gone' })
    journal('staging')
    await recoverPackages(folders)
    expect(readRuns(folders)[0]).to.include({ state: 'failed', message: 'the registry has gone' })
  })

  it('keeps the journal of a run that began after the one whose time is over', () => {
    journal('staging')
    endStarting(folders, RUN.runId)
    expect(readJournal(folders)?.step).to.equal('staging')
    journal('starting')
    endStarting(folders, 'other')
    expect(readJournal(folders)?.step).to.equal('starting')
    endStarting(folders, RUN.runId)
    expect(readJournal(folders)).to.equal(undefined)
  })

  describe('StartGuard', () => {
    let now = 0
    const swapped = (): StartGuard => {
      stageNew()
      keepManifests(folders, stage)
      swap(folders, stage)
      journal('starting')
      keepReplaced(folders)
      return new StartGuard(folders.root, warn, () => now)
    }
    beforeEach(() => {
      now = 1_000_000
    })

    it('puts the packages of before back after two failed starts within a minute', async () => {
      const guard = swapped()
      expect(await guard.ended(2)).to.equal('start-again')
      now += 10_000
      expect(await guard.ended(1)).to.equal('rolled-back')
      expect(state(folders.root)).to.deep.equal(['old', 'old', 'old'])
      expect(state(folders.previous)).to.deep.equal(['new', 'new', 'new'])
      expect(readRuns(folders)[0]?.state).to.equal('rolled-back')
      expect(await guard.ended(1)).to.equal('as-usual')
    })

    it('keeps them back where putting them back was cut off before its end', async () => {
      const guard = swapped()
      expect(await guard.ended(2)).to.equal('start-again')
      // The record comes when all packages are in their places.
      mkdirSync(folders.runs)
      expect(await guard.ended(1).catch((error: unknown) => error)).to.have.property('code', 'EISDIR')
      rmSync(folders.runs, { recursive: true })
      recordRun(folders, { ...RUN, state: 'starting' })
      await guard.beforeStart()
      expect(state(folders.root)).to.deep.equal(['old', 'old', 'old'])
      expect(state(folders.previous)).to.deep.equal(['new', 'new', 'new'])
      guard.started()
      expect(readRuns(folders)[0]).to.include({ state: 'rolled-back' })
      expect(await guard.ended(1)).to.equal('start-again')
      expect(await guard.ended(1), 'no second time').to.equal('as-usual')
      expect(state(folders.root)).to.deep.equal(['old', 'old', 'old'])
    })

    it('leaves them after failures that are far apart, a port in use, and a clean stop', async () => {
      const guard = swapped()
      expect(await guard.ended(1)).to.equal('start-again')
      now += 61_000
      expect(await guard.ended(1)).to.equal('start-again')
      expect(await guard.ended(3)).to.equal('as-usual')
      expect(await guard.ended(0)).to.equal('as-usual')
      expect(state(folders.root)).to.deep.equal(['new', 'new', 'new'])
    })

    it('records that the host has started with them', () => {
      recordRun(folders, { ...RUN, state: 'starting' })
      swapped().started()
      expect(readRuns(folders)[0]?.state).to.equal('done')
      expect(readJournal(folders)?.step).to.equal('starting')
    })

    it('does nothing without a change', async () => {
      const guard = new StartGuard(folders.root, warn)
      expect(await guard.beforeStart()).to.equal(undefined)
      guard.started()
      expect(await guard.ended(1)).to.equal('as-usual')
      expect(existsSync(folders.packages)).to.equal(false)
    })
  })
})
