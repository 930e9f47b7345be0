// Puts staged packages in the place of those of the project, by renames. Each step may have been done already.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { MANIFESTS, type Folders } from './folders.js'
import { syncFolder } from './journal.js'

const MODULES = 'node_modules'
/** Says which manifests replaced the packages that are kept. */
const REPLACED_BY = 'replaced-by.json'

/** Returns a hash of the manifests of a folder. A missing one counts as empty. */
export function manifestsHash(folder: string): string {
  const hash = createHash('sha256')
  for (const name of MANIFESTS) hash.update(`${name}\0${textIn(folder, name)}\0`)
  return hash.digest('hex')
}

function textIn(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Keeps the manifests of the project before they are replaced. */
export function keepManifests({ root, replaced }: Folders, next: string): void {
  rmSync(replaced, { recursive: true, force: true })
  mkdirSync(replaced, { recursive: true, mode: 0o700 })
  for (const name of MANIFESTS) if (existsSync(join(root, name))) copyFileSync(join(root, name), join(replaced, name))
  writeFileSync(join(replaced, REPLACED_BY), JSON.stringify({ manifests: manifestsHash(next) }))
}

/** Swaps the packages in `next` for those of the project. Finishes a swap that was cut off. */
export function swap({ root, replaced }: Folders, next: string): void {
  const current = join(root, MODULES)
  if (existsSync(join(next, MODULES))) {
    if (existsSync(current)) renameSync(current, join(replaced, MODULES))
    renameSync(join(next, MODULES), current)
  }
  for (const name of MANIFESTS) if (existsSync(join(next, name))) renameSync(join(next, name), join(root, name))
  syncFolder(root)
}

/**
 * Puts the packages of before back where a rename has failed. Each step may have been done already, and {@link swap}
 * finishes forward what is cut off in between.
 */
export function undoSwap({ root, replaced }: Folders, next: string): void {
  const current = join(root, MODULES)
  if (existsSync(join(replaced, MODULES))) {
    if (existsSync(current)) renameSync(current, join(next, MODULES))
    renameSync(join(replaced, MODULES), current)
  }
  for (const name of MANIFESTS) {
    if (existsSync(join(next, name))) continue
    if (existsSync(join(root, name))) renameSync(join(root, name), join(next, name))
    if (existsSync(join(replaced, name))) copyFileSync(join(replaced, name), join(root, name))
  }
  syncFolder(root)
}

/** Deletes all stages. npm of a killed run may still write into its own: the next deletion takes the rest. */
export function removeStaged({ staged }: Folders): void {
  try {
    rmSync(staged, { recursive: true, force: true })
  } catch (error) {
    if (!['ENOTEMPTY', 'EBUSY', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Makes the replaced packages the previous ones. The former previous ones are moved to the folder of stages. */
export function keepReplaced({ replaced, previous, staged }: Folders): void {
  if (!existsSync(replaced)) return
  const old = join(staged, 'old')
  rmSync(old, { recursive: true, force: true })
  mkdirSync(staged, { recursive: true, mode: 0o700 })
  if (existsSync(previous)) renameSync(previous, old)
  renameSync(replaced, previous)
}

/** Returns whether the kept packages are those which the present ones replaced. */
export function canRollBack({ root, previous }: Folders): boolean {
  if (!existsSync(join(previous, MODULES))) return false
  const { manifests } = JSON.parse(textIn(previous, REPLACED_BY) || '{}') as { readonly manifests?: string }
  return manifests === manifestsHash(root)
}
