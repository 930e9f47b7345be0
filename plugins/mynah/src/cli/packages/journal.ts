// The journal says how far a change of the packages is. Each step is on the disk before the next one begins.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import type { PackageRun } from '@mynah/contract/types'
import type { Folders } from './folders.js'

/** How far a run is on the disk. */
export interface Journal {
  /**
   * - `staging`: the project is untouched
   * - `swapping`: some renames are done; it is finished forward
   * - `starting`: the new packages are in place, and the host has not run with them yet
   */
  readonly step: 'staging' | 'swapping' | 'starting'
  readonly run: PackageRun
  /** Folder of the new packages, below that of the packages. */
  readonly next: string
  /** When starts with the new packages failed, in milliseconds since the epoch. */
  readonly failures: readonly number[]
}

/** Writes the journal, and returns when it is on the disk. */
export function writeJournal({ journal, packages }: Folders, content: Journal): void {
  mkdirSync(packages, { recursive: true, mode: 0o700 })
  const temporary = `${journal}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeSync(file, JSON.stringify(content))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, journal)
  syncFolder(packages)
}

/** Makes renames in a folder survive a loss of power. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and writes their entries by itself.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Returns the journal, or `undefined` if there is none. */
export function readJournal({ journal }: Folders): Journal | undefined {
  try {
    return JSON.parse(readFileSync(journal, 'utf8')) as Journal
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Ends a run: nothing is left to do for a later start. */
export const removeJournal = ({ journal }: Folders): void => rmSync(journal, { force: true })

/** Ends the first time of a run with new packages, unless another run has begun since. */
export function endStarting(folders: Folders, runId: string): void {
  const found = readJournal(folders)
  if (found?.step === 'starting' && found.run.runId === runId) removeJournal(folders)
}
