import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { PackageRun } from '@mynah/contract/types'
import type { Folders } from './folders.js'

/** Runs that are kept when the file is shortened. */
const KEPT = 500
const MAX_LINES = 2_000
const ENDED: ReadonlySet<PackageRun['state']> = new Set(['done', 'refused', 'cancelled', 'failed', 'rolled-back'])

/** A line of the file: the changed fields of a run. */
type RunChange = Partial<PackageRun> & Pick<PackageRun, 'runId'>

/**
 * Appends what has changed in a run, or a whole run. The host and its supervisor write to the same file: each of them
 * gives only what it knows, since a line that repeated the rest would undo what the other one has just written.
 */
export function recordRun(folders: Folders, run: RunChange): void {
  mkdirSync(folders.packages, { recursive: true, mode: 0o700 })
  const { text, lines } = read(folders)
  // A line that was cut off must not swallow the next one.
  const start = text === '' || text.endsWith('\n') ? '' : '\n'
  appendFileSync(folders.runs, `${start}${JSON.stringify(run)}\n`, { mode: 0o600 })
  chmodSync(folders.runs, 0o600)
  if (lines.length <= MAX_LINES) return
  const kept = readRuns(folders).slice(0, KEPT).reverse()
  writeFileSync(`${folders.runs}.tmp`, kept.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600 })
  renameSync(`${folders.runs}.tmp`, folders.runs)
}

/** Returns whether nothing follows in a run. */
export const isEnded = ({ state }: Pick<PackageRun, 'state'>): boolean => ENDED.has(state)

/** Returns all runs, the newest first. */
export function readRuns(folders: Folders): PackageRun[] {
  const runs = new Map<string, RunChange>()
  for (const line of read(folders).lines) {
    const change = parsed(line)
    if (change) runs.set(change.runId, withChange(runs.get(change.runId), change))
  }
  return Array.from(runs.values()).filter(isWhole).reverse()
}

/** A message belongs to its state: that of an interruption is over when the run goes on. */
function withChange({ message, ...before }: Partial<PackageRun> = {}, change: RunChange): RunChange {
  const isSame = change.state === undefined || change.state === before.state
  return { ...before, ...(isSame && message !== undefined ? { message } : {}), ...change }
}

function read({ runs }: Folders): { text: string; lines: string[] } {
  try {
    const text = readFileSync(runs, 'utf8')
    return { text, lines: text.split('\n').filter(Boolean) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { text: '', lines: [] }
    throw error
  }
}

/** The first line of a run may have been cut off. */
const isWhole = (run: RunChange): run is PackageRun =>
  run.action !== undefined && run.packages !== undefined && run.state !== undefined && run.at !== undefined

/** Returns what a line says, or `undefined` for one that was cut off. */
function parsed(line: string): RunChange | undefined {
  try {
    return JSON.parse(line) as RunChange
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
