// Checks packed packages for their users: entries and types resolve, licences are free, no needless package.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onDemand } from './on-demand.mjs'
import { output } from './trial.mjs'

/** Licences that only require their notice; for fonts, also a new name for a changed one. */
const LICENCES = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
  'PSF-2.0',
  'WTFPL',
  'Zlib',
  'MIT-0',
  'Bitstream-Vera',
])
/** Licences of packages whose manifest has none, from the text of their licence. */
const READ = new Map([
  ['middleware-handler@0.2.0', 'MIT'],
  ['dejavu-fonts-ttf@2.37.3', 'Bitstream-Vera'],
])
/** Packages that `mynah` alone must not install: users of models install them. */
const UNASKED =
  /^(?:ai|zod|openai|@ai-sdk\/.*|@modelcontextprotocol\/.*|@mynah\/plugin-(?:ai|agent|mcp|database)|sqlite3|typeorm)$/

/** Returns the faults that two linters of packages find in tarballs. */
export async function lintTarballs(tarballs) {
  const faults = []
  const modules = join(await onDemand('packages'), 'node_modules')
  const queue = [...tarballs]
  const worker = async () => {
    for (let tarball = queue.shift(); tarball; tarball = queue.shift()) {
      for (const args of [
        ['publint/src/cli.js', 'run', '--strict', tarball],
        ['@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'esm-only', '--no-emoji', '--format', 'ascii'],
      ]) {
        await output(process.execPath, [join(modules, args[0]), ...args.slice(1)]).catch((error) =>
          faults.push(error.message),
        )
      }
    }
  }
  await Promise.all([worker(), worker()])
  return faults
}

/** Yields the manifests of all packages in a `node_modules`, at any depth. */
export function* installed(modules) {
  for (const entry of readdirSync(modules, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || !(entry.isDirectory() || entry.isSymbolicLink())) continue
    const folder = join(modules, entry.name)
    if (entry.name.startsWith('@')) {
      yield* installed(folder)
      continue
    }
    let manifest
    try {
      manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    } catch (error) {
      if (error.code === 'ENOENT') continue
      throw error
    }
    yield manifest
    try {
      yield* installed(join(folder, 'node_modules'))
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  }
}

/** Returns whether licences that only require their notice satisfy an SPDX expression. */
export function isFree(expression) {
  if (typeof expression !== 'string') return false
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' AND ')) return plain.split(' AND ').every(isFree)
  return plain.split(' OR ').some((name) => LICENCES.has(name.trim()))
}

/** Returns packages whose licence requires more, one line each. */
export function licenceFaults(modules) {
  const of = ({ name, version, license, licenses }) =>
    READ.get(`${name}@${version}`) ?? license?.type ?? license ?? licenses?.map?.(({ type }) => type).join(' OR ')
  return Array.from(installed(modules))
    .filter((manifest) => manifest.name && !isFree(of(manifest)))
    .map((manifest) => `${manifest.name}@${manifest.version}: licence ${JSON.stringify(of(manifest))}`)
}

/** Returns the names of packages that are installed needlessly. */
export const unasked = (modules) =>
  Array.from(installed(modules), ({ name }) => name).filter((name) => UNASKED.test(name ?? ''))

/** Returns all packages of this project that `name` needs, itself included; with those of its peers if `peers`. */
export function closure(packages, name, { peers = false } = {}) {
  const byName = new Map(packages.map(({ manifest }) => [manifest.name, manifest]))
  const found = [name]
  for (const at of found)
    for (const needed of neededBy(byName.get(at), peers))
      if (byName.has(needed) && !found.includes(needed)) found.push(needed)
  return found
}

function neededBy({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }, peers) {
  const required = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys(dependencies), ...(peers ? required : [])]
}

/** Returns the file name that npm gives to the tarball of a package. */
export const tarballOf = ({ name, version }) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
