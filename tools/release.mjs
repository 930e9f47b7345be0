// `npm run release -- <patch|minor|major|x.y.z> [--dry-run]`: releases all packages with one version.
//
// Builds, writes versions and changelog, packs, checks, lists all parts, commits, tags and publishes in the order of
// dependencies. A dry run writes, commits and publishes nothing.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { buildOrExit } from './build.mjs'
import { root, workspaces } from './lib.mjs'
import { missingAddresses } from './manifests.mjs'
import { packageFaults, packedFiles, publicPackages } from './packages.mjs'
import { lintTarballs, tarballOf } from './published.mjs'
import { unverifiedParts } from './verify.mjs'

const UNRELEASED = '## Unreleased\n'
const OUT = '.cache/release'

/** Returns the next version. */
export function nextVersion(current, wanted) {
  if (/^\d+\.\d+\.\d+$/.test(wanted)) return wanted
  const [major, minor, patch] = current.split('.').map(Number)
  switch (wanted) {
    case 'major':
      return `${major + 1}.0.0`
    case 'minor':
      return `${major}.${minor + 1}.0`
    case 'patch':
      return `${major}.${minor}.${patch + 1}`
    default:
      throw new Error(`"${wanted}" is no version: patch, minor, major or x.y.z`)
  }
}

/** Returns the packages, each after all that it needs. */
export function inOrder(packages) {
  const byName = new Map(packages.map((entry) => [entry.manifest.name, entry]))
  const ordered = new Set()
  const add = (entry, path) => {
    if (ordered.has(entry)) return
    if (path.includes(entry))
      throw new Error(`a circle of packages: ${[...path, entry].map(({ manifest }) => manifest.name).join(' → ')}`)
    const { dependencies, peerDependencies } = entry.manifest
    for (const name of Object.keys({ ...peerDependencies, ...dependencies }).sort())
      if (byName.has(name)) add(byName.get(name), [...path, entry])
    ordered.add(entry)
  }
  for (const entry of packages) add(entry, [])
  return Array.from(ordered)
}

/** Returns the changelog with its unreleased part under a version, and that part. */
export function releasedChangelog(text, version, date) {
  const at = text.indexOf(UNRELEASED)
  if (at < 0) throw new Error('CHANGELOG.md has no part "Unreleased"')
  const begin = at + UNRELEASED.length
  const next = text.indexOf('\n## ', begin)
  const notes = text.slice(begin, next < 0 ? undefined : next).trim()
  if (!notes) throw new Error('CHANGELOG.md says nothing under "Unreleased"')
  const rest = next < 0 ? '' : text.slice(next)
  return { notes, text: `${text.slice(0, at)}${UNRELEASED}\n## ${version} (${date})\n\n${notes}\n${rest}` }
}

/** Returns a manifest with `version`, also for its dependencies in `names`. */
export function atVersion(manifest, version, names) {
  const kept = (needed) =>
    needed &&
    Object.fromEntries(
      Object.entries(needed).map(([name, range]) => [
        name,
        names.has(name) ? `${/^[\^~]?/.exec(range)[0]}${version}` : range,
      ]),
    )
  const parts = Object.fromEntries(
    ['dependencies', 'peerDependencies', 'devDependencies', 'optionalDependencies']
      .filter((key) => manifest[key])
      .map((key) => [key, kept(manifest[key])]),
  )
  return { ...manifest, version, ...parts }
}

const say = (line) => process.stdout.write(`${line}\n`)
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const npm = (args, options = {}) =>
  execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  })

function writeVersions(version, packages) {
  const names = new Set(packages.map(({ manifest }) => manifest.name))
  for (const folder of ['.', ...workspaces()]) {
    const file = join(root, folder, 'package.json')
    writeFileSync(
      file,
      `${JSON.stringify(atVersion(JSON.parse(readFileSync(file, 'utf8')), version, names), null, 2)}\n`,
    )
  }
  npm(['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'])
}

/** Packs everything and checks it. Throws with all faults. */
async function packed(packages) {
  rmSync(join(root, OUT), { recursive: true, force: true })
  mkdirSync(join(root, OUT), { recursive: true })
  const files = packedFiles(packages, ['--pack-destination', join(root, OUT)])
  const tarballs = packages.map(({ manifest }) => join(root, OUT, tarballOf(manifest)))
  const faults = [
    ...(await Promise.all(packages.map((entry) => packageFaults(entry, files.get(entry.manifest.name))))).flat(),
    ...(await lintTarballs(tarballs)),
  ]
  if (faults.length) throw new Error(faults.join('\n'))
  writeFileSync(
    join(root, OUT, 'sbom.cdx.json'),
    npm(['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--loglevel', 'error']),
  )
  return tarballs
}

async function release(wanted, dry) {
  const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const version = nextVersion(current, wanted)
  const changelog = releasedChangelog(
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    version,
    new Date().toISOString().slice(0, 10),
  )
  const changed = git('status', '--porcelain')
  if (changed && !dry) throw new Error(`there are changes that are not committed:\n${changed}`)
  const missing = missingAddresses()
  if (missing.length && !dry) throw new Error(missing.join('\n'))
  const unverified = dry ? [] : unverifiedParts()
  if (unverified.length)
    throw new Error(`run npm run verify first; these parts have not passed at this commit: ${unverified.join(', ')}`)
  if (git('tag', '--list', `v${version}`)) throw new Error(`there is a tag v${version} already`)
  await buildOrExit()
  if (!dry) {
    writeVersions(version, publicPackages())
    writeFileSync(join(root, 'CHANGELOG.md'), changelog.text)
  }
  const packages = inOrder(publicPackages())
  const tarballs = await packed(packages)
  say(`${current} → ${version}: ${packages.length} packages, in this order\n`)
  for (const { manifest } of packages) say(`  ${manifest.name}`)
  say(`\nThe changelog:\n\n${changelog.notes}\n\nTarballs and the list of all parts (sbom.cdx.json) are in ${OUT}`)
  if (dry) {
    if (missing.length) say(`\nA release would be refused:\n${missing.join('\n')}`)
    return say('\nA dry run: nothing else was written, committed or published')
  }
  git('commit', '--all', '--message', `Version ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
  for (const tarball of tarballs) npm(['publish', tarball], { stdio: 'inherit' })
  say('\nPublished. Now: git push --follow-tags')
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } })
    await release(positionals[0] ?? 'patch', values['dry-run'] === true)
  } catch (error) {
    process.stderr.write(`release: ${error.message}\n`)
    process.exitCode = 1
  }
}
