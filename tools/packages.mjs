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

const hasClient = (folder) =>
  ['package.json', 'vite.config.ts'].some((name) => existsSync(join(root, folder, 'client', name)))

function manifestFaults({ description, keywords, license, publishConfig, engines }) {
  return [
    !description && 'description is missing',
    !keywords?.length && 'keywords are missing',
    license !== 'MIT' && 'its license is not MIT',
    publishConfig?.access !== 'public' && 'publishConfig.access is not public',
    engines?.node !== '>=20.19' && 'engines.node is not >=20.19',
  ].filter(Boolean)
}

/** Returns the faults of a package that contains `files`, one line each. */
export function packageFaults({ folder, manifest }, files) {
  const missing = (paths, why) => paths.filter((path) => !files.includes(path)).map((path) => `${path} ${why}`)
  const hasPage = files.some((path) => /^client\/dist\/[^/]+\.js$/.test(path))
  return [
    ...files.filter((path) => UNWANTED.test(path)).map((path) => `${path} must not be packed`),
    ...missing(['README.md', 'LICENSE'], 'is missing'),
    ...missing(promised(manifest), 'is promised, but not packed'),
    ...(hasClient(folder) && !hasPage ? ['its built console page is missing'] : []),
    ...manifestFaults(manifest),
  ].map((what) => `${manifest.name}: ${what}`)
}
