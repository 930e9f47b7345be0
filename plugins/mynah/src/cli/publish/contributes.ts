// The description of a plugin in its manifest, which is shown before it is installed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '@mynah/contract'
import { writeFileAtomically } from '@mynah/kernel/files'
import type { Contributions } from './probe-report.js'
import { note, ok, type Manifest, type RuleResult } from './rule-result.js'

/** Returns a plugin's contributions without the empty lists. */
const shortened = (contributes: Contributions): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(contributes).filter(([, names]) => names.length > 0))

const ownOf = ({ mynah }: Manifest): Record<string, unknown> => (isRecord(mynah) ? mynah : {})

/** Compares the contributions of a run with those in the manifest. */
export function checkContributes(manifest: Manifest, contributes: Contributions): RuleResult {
  const own = ownOf(manifest)
  const isSame = JSON.stringify(own['contributes']) === JSON.stringify(shortened(contributes))
  return isSame && typeof own['displayName'] === 'string'
    ? ok('contributes', 'package.json says what it adds')
    : note('contributes', 'package.json does not say what it adds to a host', 'Run: mynah publish-check --write')
}

/** Writes the contributions of a run to the manifest of a project. Returns whether anything changed. */
export async function writeContributes(project: string, contributes: Contributions): Promise<boolean> {
  const file = join(project, 'package.json')
  const text = readFileSync(file, 'utf8')
  const manifest = JSON.parse(text) as Manifest
  const own = ownOf(manifest)
  const displayName = own['displayName'] ?? displayNameOf(manifest.name)
  const mynah = { ...own, displayName, contributes: shortened(contributes) }
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? ''
  const written = `${JSON.stringify({ ...manifest, mynah }, undefined, indent)}\n`
  if (written === text) return false
  await writeFileAtomically(file, written)
  return true
}

/** Returns a title for a package, such as `Dice rolls` for `mynah-plugin-dice-rolls`. */
function displayNameOf(name: string): string {
  const words = name.replace(/^.*mynah-plugin-/, '').replaceAll(/[-_.]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
