// Writes the licence, the keywords and the addresses of the project to every published package; --check only compares.
//
// The addresses are `homepage`, `bugs` and `repository` in the root package.json. While these are empty, packages name
// no address, and links of a README that leave its package stay relative.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { publicPackages } from './packages.mjs'
import { root } from './lib.mjs'

const PROJECT = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The address of the files of this repository, or undefined while the project has no address. */
export const SOURCE = sourceOf(PROJECT)
const LINK = /\]\((?!#|[a-z]{1,20}:)([^)\s#]{1,300})(#[^)\s]{1,200})?\)/g

function sourceOf({ homepage }) {
  return homepage ? `${homepage}/blob/main/` : undefined
}

/** Returns which addresses of the project are missing, one line each. */
export const missingAddresses = (project = PROJECT) =>
  ['homepage', 'bugs', 'repository']
    .filter((key) => !project[key])
    .map(
      (key) => `"${key}" in package.json is empty: write the address of the project, then run node tools/manifests.mjs`,
    )

/** Returns the addresses of a package, or none while the project has none. */
function addressesOf(folder, { homepage, bugs, repository }) {
  if (!homepage) return {}
  const git = typeof repository === 'string' ? { type: 'git', url: repository } : repository
  const page = folder === '.' ? homepage : `${homepage}/tree/main/${folder}#readme`
  return {
    homepage: page,
    ...(bugs ? { bugs } : {}),
    ...(git.url ? { repository: { ...git, directory: folder } } : {}),
  }
}

/** Returns a manifest with all that it must have, in the usual order. */
export function completed(manifest, folder, project = PROJECT) {
  const keywords = Array.from(
    new Set([
      'mynah',
      ...(folder.startsWith('plugins/') && folder !== 'plugins/mynah' ? ['mynah-plugin'] : []),
      ...(manifest.keywords ?? ['bot', 'chat']),
    ]),
  )
  const {
    name,
    version,
    description,
    license: _,
    type,
    keywords: __,
    repository: ___,
    homepage: ____,
    bugs: _____,
    ...rest
  } = manifest
  return {
    name,
    version,
    description,
    license: 'MIT',
    keywords,
    ...addressesOf(folder, project),
    type,
    ...rest,
  }
}

/** Returns a text whose relative links that leave the package are addresses, where the project has one. */
export function withAddresses(text, folder, source = SOURCE) {
  if (!source) return text
  return text.replace(LINK, (whole, target, heading = '') => {
    const path = normalize(join(folder, target))
    return path === folder || path.startsWith(`${folder}/`) ? whole : `](${source}${path}${heading})`
  })
}

/** Updates the packages, or only compares them with `check`. Returns the differences, one line each. */
export function manifests({ check }) {
  const faults = []
  const licence = readFileSync(join(root, 'LICENSE'), 'utf8')
  for (const { folder, manifest } of publicPackages()) {
    const wanted = { 'package.json': `${JSON.stringify(completed(manifest, folder), null, 2)}\n`, LICENSE: licence }
    const readme = join(root, folder, 'README.md')
    if (existsSync(readme)) wanted['README.md'] = withAddresses(readFileSync(readme, 'utf8'), folder)
    for (const [name, text] of Object.entries(wanted)) {
      const file = join(root, folder, name)
      if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
      if (check)
        faults.push(`${folder}/${name}: differs from what a published package needs; run: node tools/manifests.mjs`)
      else writeFileSync(file, text)
    }
  }
  return faults
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const faults = manifests({ check: process.argv.includes('--check') })
  for (const line of faults) process.stderr.write(`${line}\n`)
  process.exitCode = faults.length ? 1 : 0
}
