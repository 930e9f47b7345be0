// Prepares the new packages next to those of the project, which stay untouched.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord, WireError } from '@mynah/contract'
import type { PackageChange } from '@mynah/contract/types'
import type { Folders } from './folders.js'
import { changesBetween, nameAt, parseLock } from './lockfile.js'
import type { Npm } from './npm.js'
import { copyNpmrc, type Prepared } from './plan.js'
import { linkTree } from './tree.js'

/** Free space below which nothing is begun. */
const MIN_FREE = 32 * 1024 * 1024
const PROGRESS_MS = 400

interface StageOptions {
  readonly scripts: readonly string[]
  readonly signal: AbortSignal
  /** Is called with the number of packages that are in place. */
  readonly onProgress: (done: number) => void
  /** Is called before scripts run. */
  readonly onBuild: () => void
}

/** Makes `stage` a whole set of packages as planned. */
export async function fillStage(
  folders: Folders,
  npm: Npm,
  stage: string,
  { view, manifests }: Prepared & { readonly manifests: NonNullable<Prepared['manifests']> },
  { scripts, signal, onProgress, onBuild }: StageOptions,
): Promise<void> {
  await assertSpace(folders, view.changes)
  await mkdir(stage, { recursive: true, mode: 0o700 })
  const modules = join(folders.root, 'node_modules')
  if (existsSync(modules)) await linkTree(modules, join(stage, 'node_modules'), signal)
  const { mode } = await stat(join(folders.root, 'package.json'))
  await writeFile(join(stage, 'package.json'), withScripts(manifests.manifest, scripts), { mode: mode & 0o777 })
  await writeFile(join(stage, 'package-lock.json'), manifests.lockText)
  await copyNpmrc(folders.root, stage)
  const stopTelling = tellProgress(stage, view.changes, onProgress)
  try {
    await npm.install(stage, signal)
  } finally {
    stopTelling()
  }
  await assertAsPlanned(stage, manifests.lockText)
  if (scripts.length > 0) {
    onBuild()
    await npm.rebuild(stage, scripts, signal)
  }
  await rm(join(stage, '.npmrc'), { force: true })
}

async function assertSpace({ packages }: Folders, changes: readonly PackageChange[]): Promise<void> {
  const { bavail, bsize } = await statfs(packages)
  const free = bavail * bsize
  const needed = MIN_FREE + 2 * changes.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
  if (free < needed)
    throw new WireError('unsupported', `the disk has ${megabytes(free)} free, and ${megabytes(needed)} are needed`)
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

/** Notes the confirmed scripts where npm itself looks for them. */
function withScripts(manifest: string, scripts: readonly string[]): string {
  if (scripts.length === 0) return manifest
  const values = JSON.parse(manifest) as Record<string, unknown>
  const before = isRecord(values['allowScripts']) ? values['allowScripts'] : {}
  const allowScripts = { ...before, ...Object.fromEntries(scripts.map((script) => [script, true])) }
  const indent = /\n([ \t]+)"/.exec(manifest)?.[1] ?? ''
  return `${JSON.stringify({ ...values, allowScripts }, undefined, indent)}\n`
}

/** @throws WireError `conflict` if npm has made something else of the lockfile */
async function assertAsPlanned(stage: string, lockText: string): Promise<void> {
  const planned = parseLock(lockText)
  const made = parseLock(await readFile(join(stage, 'package-lock.json'), 'utf8'))
  const [different] = changesBetween(planned, made, new Set())
  if (different)
    throw new WireError('conflict', `${nameAt(different.path)} is not as planned any more; make a new plan`)
}

/** Counts the packages that are in place, until the returned function is called. */
function tellProgress(stage: string, changes: readonly PackageChange[], tell: (done: number) => void): () => void {
  const added = changes.filter(({ from, to }) => from === undefined && to !== undefined)
  const timer = setInterval(
    () => tell(added.filter(({ path }) => existsSync(join(stage, path, 'package.json'))).length),
    PROGRESS_MS,
  )
  return () => clearInterval(timer)
}
