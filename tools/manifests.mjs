// What every published package says of itself beside what it is: where it comes from, its licence, and links that work
// outside this repository. Writes it; with --check says what is missing.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { publicPackages } from './packages.mjs'
import { root } from './lib.mjs'

const { repository, homepage, bugs } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Where a file of this repository is read by those who do not have it. */
export const SOURCE = `${homepage}/blob/main/`
const LINK = /\]\((?!#|[a-z]{1,20}:)([^)\s#]{1,300})(#[^)\s]{1,200})?\)/g

/** The manifest with all that it must have, in the usual order. */
function completed(manifest, folder) {
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
  const page = folder === '.' ? homepage : `${homepage}/tree/main/${folder}#readme`
  return {
    name,
    version,
    description,
    license: 'MIT',
    keywords,
    homepage: page,
    bugs,
    repository: { ...repository, directory: folder },
    type,
    ...rest,
  }
}

/** Relative links that leave the package, as addresses; the others stay. */
export function withAddresses(text, folder) {
  return text.replace(LINK, (whole, target, heading = '') => {
    const path = normalize(join(folder, target))
    return path === folder || path.startsWith(`${folder}/`) ? whole : `](${SOURCE}${path}${heading})`
  })
}

/** Brings packages up to date, or with `check` only compares; gives what is wrong, one line each. */
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
      if (check) faults.push(`${folder}/${name}: not as a published package has it; run: node tools/manifests.mjs`)
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
