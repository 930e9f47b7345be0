// Brings the packages to the old or the new state after a run was cut off. Needs neither npm nor a network.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FolderInUse, lockFolder } from '../folder-lock.js'
import type { Folders } from './folders.js'
import { readJournal, removeJournal, writeJournal, type Journal } from './journal.js'
import { isEnded, readRuns, recordRun } from './runs.js'
import { keepReplaced, removeStaged, swap } from './swap.js'

/** Plans take seconds. Older folders belong to commands that were killed. */
const PLAN_MS = 600_000
const INTERRUPTED = 'interrupted before anything changed'

/**
 * Finishes or gives up a run that was cut off. Does nothing while another process works on the packages.
 *
 * @returns what was done, for the log
 */
export async function recoverPackages(folders: Folders): Promise<string | undefined> {
  if (!existsSync(folders.packages)) return undefined
  let unlock: () => Promise<void>
  try {
    unlock = await lockFolder(folders.packages)
  } catch (error) {
    // A run that lives finishes by itself.
    if (error instanceof FolderInUse) return undefined
    throw error
  }
  try {
    return recoverLocked(folders)
  } finally {
    await unlock()
  }
}

/**
 * The same for a caller that has the lock.
 *
 * @param waiting ids of the runs of this process that have not begun
 */
export function recoverLocked(folders: Folders, waiting: ReadonlySet<string> = new Set()): string | undefined {
  removeOldPlans(folders)
  const found = readJournal(folders)
  const said = found ? recoverRun(folders, found) : undefined
  removeStaged(folders)
  // The first start with new packages ends their run.
  endOthers(folders, new Set([...waiting, ...(found?.step === 'staging' || !found ? [] : [found.run.runId])]))
  return said
}

function recoverRun(folders: Folders, found: Journal): string | undefined {
  const { run, step } = found
  if (step === 'staging') {
    // The reason of a run that failed is on the disk before its journal goes.
    if (readRuns(folders).every((one) => one.runId !== run.runId || !isEnded(one)))
      recordRun(folders, { ...run, state: 'failed', message: INTERRUPTED })
    rmSync(folders.replaced, { recursive: true, force: true })
    removeJournal(folders)
    return `an installation (${run.packages.join(', ')}) was interrupted; the packages are those of before`
  }
  if (step === 'swapping') {
    swap(folders, join(folders.packages, found.next))
    writeJournal(folders, { ...found, step: 'starting' })
  }
  keepReplaced(folders)
  if (step === 'starting') return undefined
  return `an installation (${run.packages.join(', ')}) was interrupted while packages were swapped; it is finished`
}

/** Ends the runs whose process was killed where no journal names them. A process that lives goes on with its own. */
function endOthers(folders: Folders, kept: ReadonlySet<string>): void {
  for (const run of readRuns(folders)) {
    const { runId, state } = run
    if (isEnded(run) || kept.has(runId)) continue
    const isInPlace = state === 'swapping' || state === 'starting'
    recordRun(folders, isInPlace ? { runId, state: 'done' } : { runId, state: 'failed', message: INTERRUPTED })
  }
}

function removeOldPlans({ plans }: Folders): void {
  if (!existsSync(plans)) return
  for (const name of readdirSync(plans)) {
    const folder = join(plans, name)
    const { mtimeMs = 0 } = statSync(folder, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > PLAN_MS) rmSync(folder, { recursive: true, force: true })
  }
}
