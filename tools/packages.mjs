// Checks the content of packages that are published.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, workspaces } from './lib.mjs'

const UNWANTED = /(^|\/)test\/|\.test\.|\.tsbuildinfo$|(^|\/)(\.env|data)(\/|$)/

/** Returns folder and manifest of each workspace that is published. */
export function publicPackages() {
  return workspaces()
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => !manifest.private)
}

/** Returns the paths in each tarball that npm would create, by package name. */
export function packedFiles(packages, args = ['--dry-run']) {
  const output = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', ...args, ...packages.flatMap(({ folder }) => ['-w', folder])],
    { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
  )
  return new Map(Object.values(JSON.parse(output)).map(({ name, files }) => [name, files.map(({ path }) => path)]))
}

/** Returns the files that a manifest promises: exports and programs. */
function promised({ exports = {}, bin = {} }) {
  const paths = (value) => (typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(paths))
  return [...paths(exports), ...paths(bin)]
    .filter((path) => !path.includes('*'))
    .map((path) => path.replace(/^\.\//, ''))
}

/** Returns the faults of a package that contains `files`, one line each. */
export function packageFaults({ folder, manifest }, files) {
  const faults = []
  const fault = (what) => faults.push(`${manifest.name}: ${what}`)
  for (const path of files) if (UNWANTED.test(path)) fault(`${path} must not be packed`)
  for (const path of ['README.md', 'LICENSE']) if (!files.includes(path)) fault(`${path} is missing`)
  if (!manifest.description) fault('description is missing')
  if (!manifest.keywords?.length) fault('keywords are missing')
  for (const path of promised(manifest)) if (!files.includes(path)) fault(`${path} is promised, but not packed`)
  if (
    existsSync(join(root, folder, 'client/package.json')) ||
    existsSync(join(root, folder, 'client/vite.config.ts'))
  ) {
    if (!files.some((path) => /^client\/dist\/[^/]+\.js$/.test(path))) fault('its built console page is missing')
  }
  if (manifest.license !== 'MIT') fault('its license is not MIT')
  if (manifest.publishConfig?.access !== 'public') fault('publishConfig.access is not public')
  if (manifest.engines?.node !== '>=20.19') fault('engines.node is not >=20.19')
  return faults
}
