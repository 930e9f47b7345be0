// Checks the content of packages that are published.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, workspaces } from './lib.mjs'

/** Returns folder and manifest of each workspace that is published. */
export function publicPackages() {
  return workspaces()
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => !manifest.private)
}

/** Returns the paths in each tarball that npm would create and its size, by package name. */
export function packedFiles(packages, args = ['--dry-run']) {
  const output = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', ...args, ...packages.flatMap(({ folder }) => ['-w', folder])],
    { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
  )
  return new Map(
    Object.values(JSON.parse(output)).map(({ name, size, files }) => [
      name,
      { bytes: size, files: files.map(({ path }) => path) },
    ]),
  )
}

/**
 * Returns what `mynah publish-check` would fix in a package of Mynah, one line each. Needs the built packages.
 *
 * @param packed - paths and size of the tarball, whose files are those of the workspace
 */
export async function packageFaults({ folder, manifest }, { files, bytes }) {
  const { checkFiles } = await import('../plugins/mynah/dist/cli/publish/file-rules.js')
  const { checkManifest } = await import('../plugins/mynah/dist/cli/publish/manifest-rules.js')
  const project = join(root, folder)
  return faultLines(manifest.name, [
    ...checkManifest(manifest, 'own', manifest.version),
    ...checkFiles({ manifest, project, folder: project, files, bytes }, 'own', []),
  ])
}

/** Returns the rules that refuse a package, one line each. */
export const faultLines = (name, rules) =>
  rules.filter(({ state }) => state === 'fix').map(({ rule, text }) => `${name}: ${rule}: ${text}`)
