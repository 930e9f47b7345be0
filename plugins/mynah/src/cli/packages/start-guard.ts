// Watches the first starts after packages were swapped. Packages with which the host does not start are put back.
import type { PackageRun } from '@mynah/contract/types'
import { messageOf } from '@mynah/kernel'
import { FolderInUse, lockFolder } from '../folder-lock.js'
import { EXIT } from '../exit-codes.js'
import { foldersOf, type Folders } from './folders.js'
import { endStarting, readJournal, removeJournal, writeJournal } from './journal.js'
import { recoverPackages } from './recover.js'
import { recordRun } from './runs.js'
import { canRollBack, keepManifests, keepReplaced, removeStaged, swap } from './swap.js'

/** Failed starts within this time are those of one cause, and a host that has run so long is taken as sound. */
const WINDOW_MS = 60_000
const FAILURES = 2
/** Ends that say nothing about the packages. */
const UNRELATED = new Set<number | null>([EXIT.ok, EXIT.port, EXIT.restart, EXIT.interrupted])

/** The reaction of the supervisor to a failed start. */
export type AfterFailure = 'as-usual' | 'start-again' | 'rolled-back'

/** The packages of one host, as its supervisor sees them. */
export class StartGuard {
  readonly #folders: Folders
  readonly #warn: (message: string) => void
  readonly #clock: () => number
  #timer: NodeJS.Timeout | undefined

  constructor(root: string, warn: (message: string) => void, clock: () => number = Date.now) {
    this.#folders = foldersOf(root)
    this.#warn = warn
    this.#clock = clock
  }

  /** Finishes or gives up what was cut off. Returns a line for the log. */
  beforeStart(): Promise<string | undefined> {
    clearTimeout(this.#timer)
    return recoverPackages(this.#folders)
  }

  /** The host has started. It is watched for a minute more. */
  started(): void {
    const found = readJournal(this.#folders)
    if (found?.step !== 'starting') return
    const { runId, state, message } = found.run
    recordRun(
      this.#folders,
      state === 'rolled-back' ? { runId, state, ...(message ? { message } : {}) } : { runId, state: 'done' },
    )
    this.#timer = setTimeout(() => void this.#sound(runId), WINDOW_MS)
    this.#timer.unref()
  }

  async #sound(runId: string): Promise<void> {
    try {
      await this.#locked(() => endStarting(this.#folders, runId))
    } catch (error) {
      this.#warn(`failed to note that the host runs with new packages: ${messageOf(error)}`)
    }
  }

  /** The host has ended. After the second failure within a minute the packages of before are put back. */
  async ended(code: number | null): Promise<AfterFailure> {
    clearTimeout(this.#timer)
    if (UNRELATED.has(code) || readJournal(this.#folders)?.step !== 'starting') return 'as-usual'
    return (await this.#locked(() => this.#failed())) ?? 'as-usual'
  }

  #failed(): AfterFailure {
    const found = readJournal(this.#folders)
    if (found?.step !== 'starting') return 'as-usual'
    const now = this.#clock()
    const failures = [...found.failures.filter((time) => now - time < WINDOW_MS), now]
    if (failures.length < FAILURES || found.run.state === 'rolled-back' || !canRollBack(this.#folders)) {
      writeJournal(this.#folders, { ...found, failures })
      return failures.length < FAILURES ? 'start-again' : 'as-usual'
    }
    this.#rollBack(found.run)
    return 'rolled-back'
  }

  #rollBack(run: PackageRun): void {
    const folders = this.#folders
    const row = {
      ...run,
      state: 'rolled-back' as const,
      message: 'the host did not start twice within a minute, so the packages of before were put back',
    }
    keepManifests(folders, folders.previous)
    const journal = { run: row, next: 'previous', failures: [] }
    writeJournal(folders, { ...journal, step: 'swapping' })
    swap(folders, folders.previous)
    // A recovery must not swap in again those that are kept now.
    writeJournal(folders, { ...journal, step: 'starting' })
    keepReplaced(folders)
    removeStaged(folders)
    recordRun(folders, row)
    removeJournal(folders)
  }

  /** Resolves with `undefined` while another process changes the packages, which then has a journal of its own. */
  async #locked<T>(work: () => T): Promise<T | undefined> {
    let unlock: () => Promise<void>
    try {
      unlock = await lockFolder(this.#folders.packages)
    } catch (error) {
      if (error instanceof FolderInUse) return undefined
      throw error
    }
    try {
      return work()
    } finally {
      await unlock()
    }
  }
}
