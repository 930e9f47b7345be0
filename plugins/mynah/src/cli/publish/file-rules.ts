// Rules for the files in a tarball.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '@mynah/contract'
import { fix, note, ok, type Manifest, type Profile, type RuleResult } from './rule-result.js'
import { secretIn } from './secret-patterns.js'

/** They hold secrets or data of the author. */
const PRIVATE = [
  /(?:^|\/)\.env(?!\.example$)[^/]*$/,
  /(?:^|\/)(?:\.npmrc|\.netrc|credentials\.json)$/,
  /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)$/,
  /\.(?:pem|key|p12|pfx|kdbx)$/,
  /^data\//,
]
const NEEDLESS = /(?:^|\/)(?:test|__tests__)\/|\.test\.|\.tsbuildinfo$/
const MAX_PACKED = 5_000_000
/** Larger files are data, and are not searched. */
const MAX_SEARCHED = 20_000_000
/** A text of `definePlugin`: where it is packed, the kernel is packed. */
const KERNEL_MARK = 'no plugin definition (an object with a name and a setup)'
const MAX_NAMED = 5

/** A package as it would be published, unpacked in a folder. */
export interface PackedPackage {
  readonly manifest: Manifest
  /** Folder of the project that was packed. */
  readonly project: string
  /** Size of the tarball. */
  readonly bytes: number
  /** Folder of the unpacked files. */
  readonly folder: string
  /** Their paths. */
  readonly files: readonly string[]
}

/** Returns the results of the rules for packed files. `own` are private values of the project. */
export function checkFiles(packed: PackedPackage, profile: Profile, own: readonly string[]): RuleResult[] {
  return [
    documentsOf(packed, profile),
    entryOf(packed),
    pageOf(packed),
    sizeOf(packed),
    privateOf(packed),
    needlessOf(packed, profile),
    nativeOf(packed),
    ...(profile === 'plugin' ? [bundledOf(packed)] : []),
    secretsOf(packed, own),
  ]
}

const listed = (paths: readonly string[]): string =>
  paths.length > MAX_NAMED
    ? `${paths.slice(0, MAX_NAMED).join(', ')} and ${paths.length - MAX_NAMED} more`
    : paths.join(', ')

function documentsOf({ files }: PackedPackage, profile: Profile): RuleResult {
  const has = (name: string): boolean => files.some((path) => path.toLowerCase().split('.')[0] === name)
  if (!has('readme')) return fix('documents', 'there is no README', 'Write a README.md: what it does, and each option')
  if (has('license') || has('licence')) return ok('documents', 'README and licence')
  const text = 'the text of the licence is not in the package'
  return (profile === 'own' ? fix : note)('documents', text, 'Add it as the file LICENSE')
}

/** Returns the files that a manifest promises: exports and programs. */
function promisedFiles({ exports: exported, bin, main }: Manifest): string[] {
  const paths = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(isRecord(value) ? value : {}).flatMap(paths)
  return [...paths(exported), ...paths(bin), ...(exported === undefined ? paths(main) : [])]
    .filter((path) => !path.includes('*'))
    .map((path) => path.replace(/^\.\//, ''))
}

/** Types may be TypeScript; everything else that is promised is run by Node. */
const isCode = (path: string): boolean => !/\.d\.[cm]?ts$/.test(path) && /\.(?:[cm]?tsx?|jsx)$/.test(path)

function entryOf({ manifest, files }: PackedPackage): RuleResult {
  const promised = promisedFiles(manifest)
  const missing = promised.filter((path) => !files.includes(path))
  if (missing.length > 0)
    return fix(
      'entry',
      `${listed(missing)} is promised by package.json, but not packed`,
      'Build the project, and list the folder in files',
    )
  const source = promised.filter(isCode)
  if (source.length > 0) return fix('entry', `${listed(source)} is not JavaScript`, 'Name the built files in exports')
  return ok('entry', `${promised.length} ${promised.length === 1 ? 'file' : 'files'}, all packed`)
}

function pageOf({ project, files }: PackedPackage): RuleResult {
  const hasPage = ['package.json', 'vite.config.ts', 'vite.config.js'].some((name) =>
    existsSync(join(project, 'client', name)),
  )
  if (!hasPage) return ok('page', 'none')
  return files.some((path) => /^client\/dist\/[^/]+\.js$/.test(path))
    ? ok('page', 'built')
    : fix('page', 'the page of the console is not packed', 'Build it, and list client/dist in files')
}

function sizeOf({ bytes }: PackedPackage): RuleResult {
  const text = `${Math.ceil(bytes / 1000)} kB packed`
  return bytes < MAX_PACKED
    ? ok('size', text)
    : fix('size', text, `Keep it below ${MAX_PACKED / 1e6} MB: list only what runs in files`)
}

function privateOf({ files }: PackedPackage): RuleResult {
  const found = files.filter((path) => PRIVATE.some((pattern) => pattern.test(path)))
  return found.length === 0
    ? ok('private files', 'none')
    : fix('private files', `${listed(found)} must not be published`, 'List only what runs in files in package.json')
}

function needlessOf({ files }: PackedPackage, profile: Profile): RuleResult {
  const found = files.filter((path) => NEEDLESS.test(path))
  if (found.length === 0) return ok('needless files', 'none')
  const text = `${listed(found)} ${found.length === 1 ? 'is' : 'are'} not needed`
  return (profile === 'own' ? fix : note)(
    'needless files',
    text,
    'Exclude them in files in package.json: "!dist/**/*.test.*"',
  )
}

/** npm compiles a package that has this file, even without a script. */
const nativeOf = ({ files }: PackedPackage): RuleResult =>
  files.includes('binding.gyp')
    ? fix('native code', 'npm would compile it on each host (binding.gyp)', 'Use a package that has its builds')
    : ok('native code', 'none is compiled')

function bundledOf({ files, folder }: PackedPackage): RuleResult {
  const found = files.filter(
    (path) =>
      /^node_modules\/(?:mynah|@mynah)\//.test(path) ||
      (/\.[cm]?js$/.test(path) && textOf(folder, path).includes(KERNEL_MARK)),
  )
  return found.length === 0
    ? ok('bundled', 'no part of Mynah')
    : fix('bundled', `${listed(found)} has a copy of Mynah in it`, 'Mark mynah and @mynah/* as external in the bundler')
}

function textOf(folder: string, path: string): string {
  const file = join(folder, path)
  return statSync(file).size > MAX_SEARCHED ? '' : readFileSync(file, 'utf8')
}

function secretsOf({ files, folder }: PackedPackage, own: readonly string[]): RuleResult {
  const found = files.flatMap((path) => {
    const secret = secretIn(textOf(folder, path), own)
    return secret ? [{ ...secret, path }] : []
  })
  if (found.length === 0) return ok('secrets', `none in ${files.length} files`)
  const text = listed(found.map(({ path, line, kind }) => `${path}:${line} (${kind})`))
  const isSure = found.some(({ kind }) => kind !== 'possible credential')
  return (isSure ? fix : note)('secrets', text, 'Remove it, and revoke what was in it if it was ever published')
}
