// Rules that the manifest of a package alone can meet or break.
import { satisfies, SemVer, validRange } from 'semver'
import { isRecord } from '@mynah/contract'
import { fix, isOfHost, note, ok, type Manifest, type Profile, type RuleResult } from './rule-result.js'

/** The categories of the marketplace. A package without one is shown as `util`. */
const CATEGORIES = ['adapter', 'ai', 'feature', 'game', 'service', 'tool', 'theme', 'util']
const PLUGIN_NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?mynah-plugin-[a-z0-9][a-z0-9._-]*$/
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']
/** They are installed with the package. */
const INSTALLED = ['dependencies', 'optionalDependencies'] as const

/** Returns the entries of a manifest's field with names and ranges. */
export function rangesIn(manifest: Manifest, field: string): Record<string, string> {
  const found = manifest[field]
  return Object.fromEntries(
    Object.entries(isRecord(found) ? found : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

/**
 * Returns the results of the rules for a manifest.
 *
 * @param host the version of Mynah that the package is checked with
 */
export function checkManifest(manifest: Manifest, profile: Profile, host: string): RuleResult[] {
  const shared = [licenceOf(manifest), repositoryOf(manifest, profile), scriptsOf(manifest)]
  return profile === 'own'
    ? [ownManifest(manifest), sameRelease(manifest), ...shared]
    : [nameOf(manifest), keywordOf(manifest), categoryOf(manifest), ...shared, ...peersOf(manifest, host)]
}

const nameOf = ({ name }: Manifest): RuleResult =>
  PLUGIN_NAME.test(name)
    ? ok('name', name)
    : fix(
        'name',
        `"${name}" is not found as a plugin`,
        'Name the package mynah-plugin-<name> or @<you>/mynah-plugin-<name>',
      )

const keywordsOf = ({ keywords }: Manifest): string[] =>
  Array.isArray(keywords) ? keywords.filter((word): word is string => typeof word === 'string') : []

const keywordOf = (manifest: Manifest): RuleResult =>
  keywordsOf(manifest).includes('mynah-plugin')
    ? ok('keyword', 'mynah-plugin')
    : fix('keyword', 'the marketplace does not list it', 'Add "mynah-plugin" to keywords in package.json')

function categoryOf(manifest: Manifest): RuleResult {
  const found = keywordsOf(manifest).filter((word) => CATEGORIES.includes(word))
  if (found.length === 1) return ok('category', found[0] as string)
  const text = found.length === 0 ? 'the keywords name no category' : `the keywords name ${found.join(' and ')}`
  return fix('category', text, `Keep exactly one of these in keywords: ${CATEGORIES.join(', ')}`)
}

function licenceOf({ license }: Manifest): RuleResult {
  if (typeof license === 'string' && license && license !== 'UNLICENSED') return ok('licence', license)
  return fix(
    'licence',
    'others may not use it: there is no licence',
    'Write its SPDX name to license in package.json, such as "MIT"',
  )
}

function repositoryOf({ repository }: Manifest, profile: Profile): RuleResult {
  const url = isRecord(repository) ? repository['url'] : repository
  if (typeof url === 'string' && url) return ok('repository', url)
  const text = 'users cannot find its source'
  return profile === 'own'
    ? note('repository', text, 'Write the address to the root package.json, then run: node tools/manifests.mjs')
    : fix('repository', text, 'Write the address to repository in package.json: npm pkg set repository=<url>')
}

function scriptsOf(manifest: Manifest): RuleResult {
  const found = INSTALL_SCRIPTS.filter((name) => name in rangesIn(manifest, 'scripts'))
  return found.length === 0
    ? ok('install script', 'none')
    : fix(
        'install script',
        `"${found.join('", "')}" would run on each host`,
        'Do the work in setup, or ship its result',
      )
}

function peersOf(manifest: Manifest, host: string): RuleResult[] {
  const peers = rangesIn(manifest, 'peerDependencies')
  const copies = INSTALLED.flatMap((field) => Object.keys(rangesIn(manifest, field)).filter(isOfHost))
  const second =
    copies.length > 0
      ? fix(
          'one copy',
          `${copies.join(', ')} would be installed a second time`,
          'Move them to peerDependencies and devDependencies',
        )
      : ok('one copy', 'the plugin uses the packages of its host')
  const range = peers['mynah']
  if (range === undefined)
    return [
      fix('peer', 'mynah is not in peerDependencies', `Run: npm pkg set peerDependencies.mynah="^${host}"`),
      second,
    ]
  return [
    ...Object.entries(peers)
      .filter(([name]) => isOfHost(name))
      .map(([name, wanted]) => peerOf(name, wanted, host)),
    second,
  ]
}

function peerOf(name: string, range: string, host: string): RuleResult {
  const rule = name === 'mynah' ? 'peer' : `peer ${name}`
  const text = `${name} ${range}`
  const remedy = `Name the versions that you have tested, such as "^${host}"`
  if (validRange(range) === null) return fix(rule, `${text} is no range of versions`, remedy)
  if (!satisfies(host, range)) return fix(rule, `${text} excludes ${host}, with which it is checked`, remedy)
  if (validRange(range) === '*') return note(rule, `${text} promises to work with each version`, remedy)
  const { major, minor } = new SemVer(host)
  const next = `0.${minor + 1}.0`
  if (major === 0 && !satisfies(next, range))
    return note(
      rule,
      `${text} excludes ${next}, the next minor version`,
      'Check it again when that is out, and publish a version that includes it',
    )
  return ok(rule, text)
}

function ownManifest({ name, description, publishConfig, engines, license, keywords }: Manifest): RuleResult {
  const faults = [
    !description && 'description is missing',
    !(Array.isArray(keywords) && keywords.length > 0) && 'keywords are missing',
    license !== 'MIT' && 'license is not MIT',
    !(isRecord(publishConfig) && publishConfig['access'] === 'public') && 'publishConfig.access is not public',
    !(isRecord(engines) && engines['node'] === '>=20.19') && 'engines.node is not >=20.19',
  ].filter((fault) => fault !== false)
  return faults.length === 0
    ? ok('manifest', name)
    : fix('manifest', faults.join(', '), 'Run: node tools/manifests.mjs')
}

/** The packages of one release fit each other only. */
function sameRelease(manifest: Manifest): RuleResult {
  const { version } = manifest
  const fields = [...INSTALLED, 'peerDependencies']
  const others = fields.flatMap((field) =>
    Object.entries(rangesIn(manifest, field)).filter(([name, range]) => isOfHost(name) && !satisfies(version, range)),
  )
  return others.length === 0
    ? ok('one release', version)
    : fix(
        'one release',
        `${others.map((pair) => pair.join(' ')).join(', ')} excludes ${version}`,
        'Write the version of the workspace',
      )
}
