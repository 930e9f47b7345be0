import { expandCurlLists } from '../programs/curl-lists.js'
import { hasOption } from '../parse-args.js'
import type { ParsedArgs } from '../parsed-args.js'
import { hasWild } from '../patterns.js'
import type { TextPaths } from './text-paths.js'
import { HOLE, displayShape, staticArg, type Arg, type Source } from '../words.js'
import { firstReason } from '../first-reason.js'
import { anyOf } from '../any-of.js'

const CODE = anyOf(
  /\.(?:[cm]?[jt]sx?|sh|bash|zsh|fish|py|pyw|rb|pl|pm|php|lua|ps1|bat|cmd|exe|dll|so|dylib|node|wasm|jar|service)$/i,
  /\.(?:timer|desktop|plist|mk|gradle|vbs|command|run|d)$/i,
)
const DECIDES = anyOf(
  /^(?:\..*|package(?:-lock)?\.json|npm-shrinkwrap\.json|tsconfig.*\.json|jsconfig\.json|lerna\.json|nx\.json)$/i,
  /^(?:turbo\.json|deno\.jsonc?|composer\.(?:json|lock)|pnpm-.*\.ya?ml|yarn\.lock|bun\.lockb?|gnumakefile)$/i,
  /^(?:makefile|makefile\.\w+|cmakelists\.txt|dockerfile.*|.*\.dockerfile|(?:docker-)?compose.*\.ya?ml|procfile)$/i,
  /^(?:vagrantfile|jenkinsfile|gemfile.*|rakefile|cargo\.(?:toml|lock)|go\.(?:mod|sum|work)|pyproject\.toml)$/i,
  /^(?:setup\.(?:py|cfg)|requirements.*\.txt|tox\.ini|pipfile.*|justfile|.*\.config\.\w+)$/i,
  /^(?:.*rc(?:\.(?:json|ya?ml|toml))?|mynah\..*|agents\.md|claude\.md|skill\.md|.*\.agent\.md|soul\.md|tools\.md)$/i,
  /^(?:.*\.pth|authorized_keys|crontab|a\.out|core)$/i,
)
const FOLDERS = anyOf(
  /^(?:\.(?!\.?$).*|src|lib|libs|bin|sbin|plugins?|skills?|agents?|node_modules|scripts?|tools?|hooks|dist|build)$/i,
  /^(?:tests?|__tests__|app|apps|packages?|pkg|server|api|routes|config|conf|etc|data|vendor|context-packages)$/i,
  /^include$/i,
)
const HARMLESS = /^(?:-|\/dev\/(?:null|stdout|stderr))$/

/** Returns why text from elsewhere may not be written to a path, beyond what the path itself forbids. */
export function denyDownload(target: Arg, isFolder = false): string | undefined {
  const { shape } = target
  if (HARMLESS.test(shape) || /^[\w-]*cookies?\.jar$/.test(shape)) return undefined
  if (isUnknownName(target)) return `${displayShape(target)} is only known when it runs`
  if (/#\d/.test(shape)) return `${displayShape(target)} is named by the address`
  const parts = shape
    .replace(/^\/tmp(?=\/)/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return `${displayShape(target)} leads out of its folder`
  const isLoaded = parts.some((part) => part.startsWith('.')) || (!shape.startsWith('/tmp/') && runs(parts, isFolder))
  return isLoaded ? `${displayShape(target)} may be run or loaded` : undefined
}

/** Returns whether a file in these folders is run, loaded, or decides what is. */
function runs(parts: readonly string[], isFolder: boolean): boolean {
  const name = parts.at(-1) ?? ''
  const folders = isFolder ? parts : parts.slice(0, -1)
  return folders.some((part) => FOLDERS.test(part)) || DECIDES.test(name) || CODE.test(name)
}

/** Returns whether a name is computed, other than from numbers and names of files without an extension. */
function isUnknownName({ pattern, sources, outputs }: Arg): boolean {
  const isText = (source: Source): boolean => source === 'arithmetic' || source === 'variable' || source === 'command'
  if (hasWild(pattern) && !sources.every(isText)) return true
  return !outputs.every(({ kind }) => kind === 'numeric')
}

/** The name under which a file of an address would be stored. */
function storedName(address: string): string {
  const path = address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Returns why a file that curl, wget or git names after an address may not be written. */
export function denyDefaultTarget(name: string, parsed: ParsedArgs, paths: TextPaths): string | undefined {
  if (name === 'curl') return denyCurlTarget(parsed)
  if (name === 'git') return denyCloneTarget(parsed, paths)
  return name === 'wget' ? denyWgetTarget(parsed) : undefined
}

function denyCurlTarget({ givenOptions, uses }: ParsedArgs): string | undefined {
  if (!hasOption(givenOptions, 'O remote-name remote-name-all')) return undefined
  const addresses = uses.flatMap(({ effect, arg }) =>
    effect === 'address' ? expandCurlLists(arg.shape.replaceAll(HOLE, '?')) : [],
  )
  return firstReason(addresses, (address) => {
    const stored = storedName(address).replaceAll(/\[\d+-\d+(?::\d+)?\]/g, '0')
    const problem = /[[{]/.test(stored) ? `${stored}, which is a pattern` : denyDownload(staticArg(stored))
    return problem === undefined ? undefined : `curl would write ${problem}`
  })
}

function denyCloneTarget({ subcommandPath, operands }: ParsedArgs, paths: TextPaths): string | undefined {
  const [address, target] = operands
  if (subcommandPath[0] !== 'clone' || target !== undefined) return undefined
  const folder = storedName(withoutSlashes(address?.shape ?? '')).replace(/\.git$/, '')
  const problem = folder === '' ? undefined : paths.deny(staticArg(folder), 'write')
  return problem === undefined ? undefined : `git clone would write ${problem}`
}

/** Options with which wget makes folders after the address, and those that leave some of them out. */
const WGET_TREE = 'r recursive m mirror x force-directories p page-requisites'
const WGET_FLAT = 'no-host-directories no-directories cut-dirs N timestamping unlink'

function denyWgetTarget({ givenOptions, uses }: ParsedArgs): string | undefined {
  const given = (list: string): boolean => hasOption(givenOptions, list)
  const isNamed =
    given('O output-document') ||
    uses.some(({ option, arg }) => /^-(?:P|-directory-prefix)$/.test(option ?? '') && /[^./]/.test(arg.shape))
  const isFlat = given(WGET_FLAT) || uses.some(({ option, arg }) => option === '-n' && /[Hd]/.test(arg.shape))
  if (!isNamed && (given('N timestamping') || (given(WGET_TREE) && isFlat)))
    return 'wget would write over files of the working directory'
  return firstReason(uses, ({ effect, arg }) => {
    if (effect !== 'address' || isNamed) return undefined
    return given(WGET_TREE) ? denyHostFolder(arg) : denyWgetFile(arg, given('c continue'))
  })
}

/** Checks the folder that is named after the host. */
function denyHostFolder({ shape }: Arg): string | undefined {
  const host = /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?([^/:?#]*)/i.exec(shape)?.[1] ?? ''
  return /[\w-]\.[a-z\d]/i.test(host) ? undefined : `wget would write into the folder ${host.replaceAll(HOLE, '…')}`
}

/** Checks the name of a file. wget writes over none, unless it continues. */
function denyWgetFile({ shape }: Arg, continues: boolean): string | undefined {
  const stored = storedName(shape.replaceAll(HOLE, '?'))
  const decides = /\.(?:json|toml|ya?ml|lock)$|file$|^[A-Z]+\.md$/i.test(stored)
  const isDenied = stored.startsWith('.') || (denyDownload(staticArg(stored)) !== undefined && (continues || decides))
  return isDenied ? `wget would write ${stored}, which may be run or loaded` : undefined
}

function withoutSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
