// Plans and runs of the packages of one project, for the host and for the command line.
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isWireError, WireError } from '@mynah/contract'
import type { PackagePlan, PackageRun } from '@mynah/contract/types'
import { messageOf } from '@mynah/kernel'
import { omitUndefined, SerialQueue } from '@mynah/kernel/util'
import type { PackageApply, PackageRequest, Packages } from '@mynah/plugin-management/api'
import { FolderInUse, lockFolder } from '../folder-lock.js'
import { fileFailure } from '../file-failure.js'
import { foldersOf, type Folders } from './folders.js'
import { readJournal, removeJournal, writeJournal } from './journal.js'
import type { LiveUpdate } from './live-packages.js'
import { Npm } from './npm.js'
import { Planner, type Prepared } from './plan.js'
import { recoverLocked } from './recover.js'
import { planRollback } from './rollback.js'
import { readRuns, recordRun } from './runs.js'
import { fillStage } from './stage.js'
import { canRollBack, keepManifests, keepReplaced, manifestsHash, removeStaged, swap, undoSwap } from './swap.js'

const PLAN_MS = 1_800_000
const MAX_PLANS = 20
/** Between two looks whether another process still works on the packages. */
const RETRY_MS = 500

interface EngineOptions {
  /** Starts the host again, for packages that take effect then. Absent where the caller does it. */
  readonly restart?: () => void
  /** Lets the running host use changed packages. Resolves with `undefined` where none runs. */
  readonly update?: () => Promise<LiveUpdate | undefined>
  readonly warn: (message: string) => void
}

interface Running {
  run: PackageRun
  readonly controller: AbortController
}

/** The packages of one project. */
export class PackageEngine implements Packages {
  readonly #folders: Folders
  readonly #npm: Npm
  readonly #planner: Planner
  readonly #options: EngineOptions
  readonly #plans = new Map<string, Prepared>()
  readonly #running = new Map<string, Running>()
  readonly #queue = new SerialQueue()
  readonly #listeners = new Set<(run: PackageRun) => void>()
  readonly #closed = new AbortController()

  constructor(root: string, options: EngineOptions) {
    this.#folders = foldersOf(root)
    this.#npm = new Npm(root, this.#folders.packages)
    this.#planner = new Planner(this.#folders, this.#npm)
    this.#options = options
  }

  async plan(request: PackageRequest): Promise<PackagePlan> {
    return this.#keep(await this.#planner.plan(request, this.#closed.signal))
  }

  async rollback(): Promise<PackagePlan> {
    return this.#keep(planRollback(this.#folders))
  }

  apply(planId: string, { by, scripts = [], listing }: PackageApply): string {
    const prepared = this.#plans.get(planId)
    if (!prepared || Date.now() - prepared.createdAt > PLAN_MS)
      throw new WireError('not_found', 'The plan is unknown or too old; make a new one')
    const { view } = prepared
    if (view.refusals.length > 0) throw new WireError('forbidden', view.refusals.join('; '))
    assertScripts(view, scripts)
    this.#plans.delete(planId)
    const runId = randomUUID()
    const run: PackageRun = {
      runId,
      action: view.action,
      packages: view.changes.filter(({ asked }) => asked).map(({ name, to }) => (to ? `${name}@${to}` : name)),
      state: 'planned',
      of: view.changes.length,
      ...(listing === true ? { listing } : {}),
      by,
      at: Date.now(),
    }
    const running = { run, controller: new AbortController() }
    this.#running.set(runId, running)
    this.#set(running, {})
    void this.#queue.run(() => this.#carryOut(running, prepared, scripts))
    return runId
  }

  cancel(runId: string): void {
    const running = this.#running.get(runId)
    if (!running && !readRuns(this.#folders).some((run) => run.runId === runId))
      throw new WireError('not_found', 'There is no such run')
    if (!running || ['swapping', 'starting'].includes(running.run.state))
      throw new WireError('conflict', 'The run cannot be cancelled any more')
    running.controller.abort()
  }

  runs(limit: number, before = Infinity): { runs: PackageRun[]; rollback: boolean } {
    const live = new Map(Array.from(this.#running, ([id, { run }]) => [id, run]))
    const runs = readRuns(this.#folders)
      .map((run) => live.get(run.runId) ?? run)
      .filter(({ at }) => at < before)
    return { runs: runs.slice(0, limit), rollback: canRollBack(this.#folders) }
  }

  listed(runId: string): void {
    recordRun(this.#folders, { runId, listing: false })
  }

  listen(listener: (run: PackageRun) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Cancels all runs that have not begun to swap, and waits for them. */
  async close(): Promise<void> {
    this.#closed.abort()
    for (const { controller } of this.#running.values()) controller.abort()
    await this.#queue.run(async () => {})
  }

  /** Resolves with the end of a run. */
  async ended(runId: string): Promise<PackageRun> {
    await this.#queue.run(async () => {})
    return readRuns(this.#folders).find((run) => run.runId === runId) as PackageRun
  }

  #keep(prepared: Prepared): PackagePlan {
    this.#plans.set(prepared.view.planId, prepared)
    const [oldest] = this.#plans.keys()
    if (this.#plans.size > MAX_PLANS && oldest !== undefined) this.#plans.delete(oldest)
    return prepared.view
  }

  async #carryOut(running: Running, prepared: Prepared, scripts: readonly string[]): Promise<void> {
    const { controller, run } = running
    let unlock: (() => Promise<void>) | undefined
    try {
      unlock = await this.#lock(controller.signal)
      const rest = recoverLocked(this.#folders, new Set(this.#running.keys()))
      if (rest) this.#options.warn(rest)
      await this.#change(running, prepared, scripts)
      removeStaged(this.#folders)
    } catch (error) {
      this.#giveUp(running, error)
    } finally {
      await unlock?.()
      this.#running.delete(run.runId)
    }
    if (running.run.state === 'starting') this.#options.restart?.()
  }

  async #change(running: Running, prepared: Prepared, scripts: readonly string[]): Promise<void> {
    const folders = this.#folders
    const { runId } = running.run
    const { manifests, view } = prepared
    const next = manifests ? join('staged', runId) : 'previous'
    const stage = join(folders.packages, next)
    this.#assertUnchanged(prepared)
    writeJournal(folders, { step: 'staging', run: running.run, next, failures: [] })
    if (manifests) {
      this.#set(running, { state: 'fetching', done: 0 })
      await fillStage(
        folders,
        this.#npm,
        stage,
        { ...prepared, manifests },
        {
          scripts,
          signal: running.controller.signal,
          onProgress: (done) => this.#show(running, { done }),
          onBuild: () => this.#set(running, { state: 'building' }),
        },
      )
    }
    this.#set(running, { state: 'staged' })
    running.controller.signal.throwIfAborted()
    this.#assertUnchanged(prepared)
    this.#set(running, { state: 'swapping' })
    keepManifests(folders, stage)
    writeJournal(folders, { step: 'swapping', run: running.run, next, failures: [] })
    try {
      swap(folders, stage)
    } catch (error) {
      undoSwap(folders, stage)
      writeJournal(folders, { step: 'staging', run: running.run, next, failures: [] })
      throw error
    }
    await this.#finish(running, next, view.takesEffect === 'restart')
  }

  /** The new packages are in place. The next start does the rest if this fails. */
  async #finish(running: Running, next: string, restarts: boolean): Promise<void> {
    let needsRestart = restarts
    let end: Partial<PackageRun> = running.run.of === undefined ? {} : { done: running.run.of }
    const set = (): void => {
      const starts = needsRestart && this.#options.restart !== undefined
      this.#set(running, { state: starts ? 'starting' : 'done', ...end })
    }
    try {
      writeJournal(this.#folders, { step: 'starting', run: running.run, next, failures: [] })
      keepReplaced(this.#folders)
      const update = restarts ? undefined : await this.#options.update?.()
      if (update?.state === 'live' && update.failures.length > 0) end = { ...end, message: update.failures.join('; ') }
      if (update?.state === 'restart') {
        needsRestart = true
        this.#options.warn(`the host starts again for an installation: ${update.reason}`)
      }
      set()
      // After the record, which a kill in between would leave without an end. The supervisor of a running host watches
      // it for a minute, and removes the journal then.
      if (!needsRestart && !update) removeJournal(this.#folders)
    } catch (error) {
      this.#options.warn(`failed to note the end of an installation: ${this.#reasonOf(error)}`)
      set()
    }
  }

  #assertUnchanged({ base }: Prepared): void {
    if (manifestsHash(this.#folders.root) !== base)
      throw new WireError('conflict', 'package.json or package-lock.json has changed meanwhile; make a new plan')
  }

  #giveUp(running: Running, error: unknown): void {
    const refused = isWireError(error) && /^(?:conflict|forbidden|unsupported)/.test(error.code)
    this.#set(
      running,
      running.controller.signal.aborted
        ? { state: 'cancelled' }
        : { state: refused ? 'refused' : 'failed', message: this.#reasonOf(error) },
    )
    try {
      const found = readJournal(this.#folders)
      if (found?.run.runId !== running.run.runId) return
      if (found.step !== 'staging') {
        // The next start needs the stage.
        const message = `${this.#reasonOf(error)}; it is finished when the host starts again`
        return this.#set(running, { message })
      }
      removeStaged(this.#folders)
      rmSync(this.#folders.replaced, { recursive: true, force: true })
      removeJournal(this.#folders)
    } catch (failure) {
      this.#options.warn(`failed to delete a stage: ${this.#reasonOf(failure)}`)
    }
  }

  #reasonOf(error: unknown): string {
    if (isWireError(error)) return error.message
    return this.#npm.redact(fileFailure(error)?.message ?? messageOf(error))
  }

  /** Waits while another process works on the packages. */
  async #lock(signal: AbortSignal): Promise<() => Promise<void>> {
    for (;;) {
      signal.throwIfAborted()
      try {
        return await lockFolder(this.#folders.packages)
      } catch (error) {
        if (!(error instanceof FolderInUse)) throw error
        await wait(RETRY_MS, undefined, { signal })
      }
    }
  }

  #set(running: Running, change: Partial<PackageRun>): void {
    this.#show(running, change)
    try {
      recordRun(this.#folders, running.run)
    } catch (error) {
      this.#options.warn(`failed to record an installation: ${this.#reasonOf(error)}`)
    }
  }

  #show(running: Running, change: Partial<PackageRun>): void {
    running.run = omitUndefined({ ...running.run, ...change })
    for (const listener of this.#listeners) listener(running.run)
  }
}

/** @throws WireError `forbidden` for a script that is not confirmed, or that the plan does not have */
function assertScripts({ changes }: PackagePlan, confirmed: readonly string[]): void {
  const needed = changes.filter(({ script }) => script).map(({ name, to }) => `${name}@${to as string}`)
  const missing = needed.filter((script) => !confirmed.includes(script))
  if (missing.length > 0)
    throw new WireError('forbidden', `These install scripts are not confirmed: ${missing.join(', ')}`)
  const unknown = confirmed.filter((script) => !needed.includes(script))
  if (unknown.length > 0) throw new WireError('forbidden', `The plan has no script of ${unknown.join(', ')}`)
}
