// Checks that the manifest of each published package names every package that its code or its types import.
// The workspace hides a missing one, because npm hoists the packages of all workspaces to one folder.
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { importsOf, isSource, isTest } from './check-arrows.mjs'
import { filesIn, root } from './lib.mjs'
import { publicPackages } from './packages.mjs'

/** Code that is bundled when the package is built: what it imports is inside the bundle, and needs no name. */
const BUNDLED = { console: /^(src|vite|test|tools)\/|^vite\.config/, '*': /^(client|tools)\// }
const BUILTIN = new Set(builtinModules)

/** Returns the name of the package of an import, or undefined for files, modules of Node and the package itself. */
function packageOf(to, own) {
  if (/^(\.|\/|#|[a-z]+:)/.test(to)) return undefined
  const name = to
    .split('/')
    .slice(0, to.startsWith('@') ? 2 : 1)
    .join('/')
  return BUILTIN.has(name) || name === own ? undefined : name
}

/**
 * Returns imports that a manifest does not name, one line each.
 *
 * @param files - paths and texts of the files of a package
 * @param allowed - names that no manifest needs
 */
export function importFaults(manifest, files, allowed = []) {
  const kinds = ['dependencies', 'peerDependencies', 'optionalDependencies']
  const named = new Set([...allowed, ...kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}))])
  const missing = new Map()
  for (const [file, text] of files)
    for (const { to } of importsOf(text)) {
      const name = packageOf(to, manifest.name)
      if (name && !named.has(name) && !missing.has(name)) missing.set(name, file)
    }
  return Array.from(
    missing,
    ([name, file]) => `${manifest.name}: ${file} imports "${name}", which its package.json does not name`,
  )
}

/** Returns the faults of all published packages, from their sources. */
export function checkImports(packages = publicPackages(), from = root) {
  return packages.flatMap(({ folder, manifest }) => {
    const bundled = BUNDLED[folder] ?? BUNDLED['*']
    const files = filesIn(join(from, folder), (file) => isSource(file) && !isTest(file) && !bundled.test(file))
    return importFaults(
      manifest,
      files.map((file) => [file, readFileSync(join(from, folder, file), 'utf8')]),
    )
  })
}
