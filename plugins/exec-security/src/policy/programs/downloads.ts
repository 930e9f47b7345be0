// Where text from the network may be written: nowhere that something runs, loads or decides by.
import { expandCurlLists } from './curl-lists.js'
import { hasOption } from '../parse-args.js'
import type { ParsedArgs } from '../parsed-args.js'
import { hasWild } from '../patterns.js'
import type { PathRules } from '../path-rules.js'
import { HOLE, displayShape, staticArg, type Arg } from '../words.js'

const CODE =
  /\.(?:[cm]?[jt]sx?|sh|bash|zsh|fish|py|pyw|rb|pl|pm|php|lua|ps1|bat|cmd|exe|dll|so|dylib|node|wasm|jar|service|timer|desktop|plist|mk|gradle|vbs|command|run|d)$/i
const DECIDES =
  /^(?:\..*|package(?:-lock)?\.json|npm-shrinkwrap\.json|tsconfig.*\.json|jsconfig\.json|lerna\.json|nx\.json|turbo\.json|deno\.jsonc?|composer\.(?:json|lock)|pnpm-.*\.ya?ml|yarn\.lock|bun\.lockb?|gnumakefile|makefile|makefile\.\w+|cmakelists\.txt|dockerfile.*|.*\.dockerfile|(?:docker-)?compose.*\.ya?ml|procfile|vagrantfile|jenkinsfile|gemfile.*|rakefile|cargo\.(?:toml|lock)|go\.(?:mod|sum|work)|pyproject\.toml|setup\.(?:py|cfg)|requirements.*\.txt|tox\.ini|pipfile.*|justfile|.*\.config\.\w+|.*rc(?:\.(?:json|ya?ml|toml))?|mynah\..*|agents\.md|claude\.md|skill\.md|.*\.agent\.md|soul\.md|tools\.md|.*\.pth|authorized_keys|crontab|a\.out|core)$/i
const FOLDERS =
  /^(?:\.(?!\.?$).*|src|lib|libs|bin|sbin|plugins?|skills?|agents?|node_modules|scripts?|tools?|hooks|dist|build|tests?|__tests__|app|apps|packages?|pkg|server|api|routes|config|conf|etc|data|vendor|context-packages|include)$/i
const HARMLESS = /^(?:-|\/dev\/(?:null|stdout|stderr))$/

/** Why text from elsewhere should not be written to a place, beyond what its path already forbids. */
export function denyDownload(target: Arg, isFolder = false): string | undefined {
  const { shape } = target
  if (HARMLESS.test(shape) || /^[\w-]*cookies?\.jar$/.test(shape)) return undefined
  if (
    hasWild(target.pattern) &&
    !target.sources.every((source) => source === 'arithmetic' || source === 'variable' || source === 'command')
  )
    return `${displayShape(target)} is only known when it runs`
  const named = target.outputs.every(
    (output) =>
      output.kind === 'numeric' ||
      (output.kind === 'paths' && output.patterns.every((pattern) => pattern !== HOLE && !/[^\W\d_]|\./.test(pattern))),
  )
  if (!named) return `${displayShape(target)} is only known when it runs`
  const parts = shape
    .replace(/^\/tmp(?=\/)/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  const name = parts.at(-1) ?? ''
  const temporary = shape.startsWith('/tmp/')
  if (/#\d/.test(shape)) return `${displayShape(target)} is named by the address`
  if (parts.includes('..')) return `${displayShape(target)} leads out of its folder`
  if (
    parts.some((part) => part.startsWith('.')) ||
    (!temporary &&
      ((isFolder ? parts : parts.slice(0, -1)).some((part) => FOLDERS.test(part)) ||
        DECIDES.test(name) ||
        CODE.test(name)))
  ) {
    return `${displayShape(target)} may be run or loaded`
  }
  return undefined
}

/** The name under which a file of an address would be stored. */
function storedName(address: string): string {
  const path = address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** curl and wget name files after the address, where that is asked for. */
export function denyDefaultTarget(name: string, parsed: ParsedArgs, paths: PathRules): string | undefined {
  if (name === 'curl' && hasOption(parsed.givenOptions, 'O remote-name remote-name-all')) {
    for (const { effect, arg } of parsed.uses) {
      if (effect !== 'address') continue
      for (const address of expandCurlLists(arg.shape.replaceAll(HOLE, '?'))) {
        const stored = storedName(address).replaceAll(/\[\d+-\d+(?::\d+)?\]/g, '0')
        const problem = /[[{]/.test(stored) ? `${stored}, which is a pattern` : denyDownload(staticArg(stored))
        if (problem !== undefined) return `curl would write ${problem}`
      }
    }
  }
  if (name === 'git' && parsed.subcommandPath[0] === 'clone') {
    const [address, target] = parsed.operands
    const folder = storedName(withoutSlashes(address?.shape ?? '')).replace(/\.git$/, '')
    const problem = target === undefined && folder !== '' ? paths.deny(staticArg(folder), 'write') : undefined
    if (problem !== undefined) return `git clone would write ${problem}`
  }
  if (name !== 'wget') return undefined
  const tree = hasOption(parsed.givenOptions, 'r recursive m mirror x force-directories p page-requisites')
  const flat =
    hasOption(parsed.givenOptions, 'no-host-directories no-directories cut-dirs N timestamping unlink') ||
    parsed.uses.some(({ option, arg }) => option === '-n' && /[Hd]/.test(arg.shape))
  const continues = hasOption(parsed.givenOptions, 'c continue')
  const named =
    hasOption(parsed.givenOptions, 'O output-document') ||
    parsed.uses.some(({ option, arg }) => /^-(?:P|-directory-prefix)$/.test(option ?? '') && /[^./]/.test(arg.shape))
  if (!named && ((tree && flat) || hasOption(parsed.givenOptions, 'N timestamping')))
    return 'wget would write over files of the working directory'
  for (const { effect, arg } of parsed.uses) {
    if (effect !== 'address') continue
    const host = /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?([^/:?#]*)/i.exec(arg.shape)?.[1] ?? ''
    if (tree && !flat && !/[\w-]\.[a-z\d]/i.test(host))
      return `wget would write into the folder ${displayShape(staticArg(host))}`
    const stored = storedName(arg.shape.replaceAll(HOLE, '?'))
    if (!named && stored.startsWith('.')) return `wget would write ${stored}, which may be run or loaded`
    if (
      !named &&
      denyDownload(staticArg(stored)) !== undefined &&
      (continues || /\.(?:json|toml|ya?ml|lock)$|file$|^[A-Z]+\.md$/i.test(stored))
    )
      return `wget would write ${stored}, which may be run or loaded`
  }
  return undefined
}

function withoutSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
