// The additions to the changelog of a package since its installed version.
import { isWireError } from '@mynah/contract'
import type { PackageChange } from '@mynah/contract/types'
import { valid } from 'semver'

/** Names under which packages keep their changelog. */
const FILES = ['CHANGELOG.md', 'Changelog.md', 'changelog.md', 'CHANGELOG', 'CHANGES.md', 'HISTORY.md', 'History.md']
/** For a tarball that takes long to read. One that does not arrive is given up earlier. */
const PATIENCE_MS = 45_000
const MOST_TEXT = 4_000
const MOST_LINE = 300

type Changelog = NonNullable<PackageChange['changelog']>
/** Compares files of two versions of a package. */
export type Diff = (before: string, after: string, files: readonly string[], signal: AbortSignal) => Promise<string>

const NONE: Changelog = { missing: 'none in the package' }

/** Returns what the new version of a package adds to its changelog, or why that is not known. */
export async function changelogOf(
  { name, from, to }: Pick<PackageChange, 'name' | 'from' | 'to'>,
  diff: Diff,
  signal: AbortSignal,
): Promise<Changelog | undefined> {
  if (from === undefined || to === undefined) return undefined
  if (!valid(from) || !valid(to)) return { missing: 'not read: its version is not a number' }
  const patience = AbortSignal.timeout(PATIENCE_MS)
  try {
    const text = addedIn(await diff(`${name}@${from}`, `${name}@${to}`, FILES, AbortSignal.any([signal, patience])))
    return text ? { text } : NONE
  } catch (error) {
    signal.throwIfAborted()
    // A package may be too large for the limits of the process that reads it.
    if (patience.aborted) return { missing: `not read: it takes longer than ${PATIENCE_MS / 1000} s` }
    if (isWireError(error)) return { missing: `not read: ${error.message}` }
    throw error
  }
}

/** Returns the added lines of a comparison in the format of git. */
function addedIn(diff: string): string {
  const added: string[] = []
  let isContent = false
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) isContent = false
    else if (line.startsWith('@@ ')) isContent = true
    else if (isContent && line.startsWith('+')) added.push(line.slice(1, MOST_LINE + 1).trimEnd())
  }
  const text = added.join('\n').trim()
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text
}
