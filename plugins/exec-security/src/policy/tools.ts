// Listed tools whose options can run other programs: which arguments need the owner although the tool is listed.
import { checkGit } from './git.js'
import { checkCurl, checkLookup, checkWget, ordinaryTarget } from './network.js'
import { checkAwk, checkInterpreter, checkSed } from './programs.js'
import { displayShape, secretFile, secretPath } from './secrets.js'
import { HOLE } from './words.js'
import type { Stdin } from './redirects.js'
import type { Arg } from './words.js'

const has = (args: readonly Arg[], pattern: RegExp): Arg | undefined => args.find((arg) => pattern.test(arg.shape))

const refuse = (name: string, args: readonly Arg[], pattern: RegExp): string | undefined => {
  const found = has(args, pattern)
  return found === undefined ? undefined : `${name} ${displayShape(found)} can run or read something that the list does not cover`
}

/** The words of a command line that are not options. */
function subcommand(args: readonly Arg[]): string[] {
  return args.flatMap((arg) => (arg.value !== undefined && !arg.value.startsWith('-') ? [arg.value] : []))
}

type Check = (name: string, args: readonly Arg[], stdin: Stdin) => string | undefined

const checkPackageManager: Check = (name, args, stdin) => {
  const escape = refuse(name, args, /^--(?:script-shell|shell|node-options|userconfig|globalconfig|git|prefix=\/|use-node-version|init-module|editor|viewer|onload-script|config\.script-shell)(?:=|$)/)
  if (escape !== undefined) return escape
  const [first, second, third] = subcommand(args)
  if ((first === 'config' || first === 'c') && second === 'edit') return `${name} config edit runs an editor`
  if (args.some((arg) => arg.shape === '-e' || arg.shape === '--eval') && name === 'bun') return checkInterpreter(name, args, stdin)
  if (first === 'explore') return `${name} explore runs a program`
  if (first === 'set' && /shell|git|editor|node-options|viewer|registry|prefix|script/.test(second ?? '')) return `${name} set ${second ?? ''} changes what later commands run`
  if ((first === 'config' || first === 'c') && /^(?:set|edit|--edit)$/.test(second ?? '') && /shell|git|editor|node-options|viewer|registry|prefix|script/.test(third ?? '')) {
    return `${name} ${first} ${second ?? ''} ${third ?? ''} changes what later commands run`
  }
  if ((first === 'config' || first === 'c' || first === 'get') && args.some((arg) => /_auth|token|password|secret/i.test(arg.shape))) return `${name} would print a credential`
  if (first === 'token') return `${name} token handles credentials`
  return undefined
}

/** A filter such as `.env` is no file, where nothing before it can make it one. */
const checkJq: Check = (name, args) => {
  const first = args.findIndex((arg) => !/^-[rcnSsejaCM]+$/.test(arg.shape))
  const files = args.filter((arg, i) => i !== first || !/^\.[\w.[\]"]*$/.test(arg.shape))
  return refuse(name, args, /(?<![.\w"$-])env(?![\w":])|\$(?:ENV|__prog_args)\b/) ?? secretArguments(name, files)
}

/** Containers may see the working directory; what gives them the machine itself needs the owner. */
const checkContainer: Check = (name, args) => {
  const escape = refuse(name, args, /^(?:--privileged|--pid|--ipc|--userns|--cap-add|--security-opt|--device|--volumes-from|-H|--host|--config|--url)(?:$|=)|docker\.sock/)
  if (escape !== undefined) return escape
  for (const [i, arg] of args.entries()) {
    const option = /^(?:-v|--volume|--mount)(?:=|$)|^-v/.exec(arg.shape)?.[0]
    if (option === undefined) continue
    const attached = arg.shape.slice(option.length)
    const mount = attached === '' ? args[i + 1] : { ...arg, shape: attached }
    if (mount === undefined) continue
    const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(mount.shape)?.[1] ?? mount.shape.split(':')[0] ?? ''
    const workingDirectory = mount.variables[0] === 'PWD' && source.startsWith(HOLE)
    if (!workingDirectory && source !== '.' && !ordinaryTarget({ ...mount, shape: source, unknown: [...mount.unknown, ...(source.startsWith(HOLE) ? ['command' as const] : [])] })) {
      return `${name} would give the container ${source.replaceAll(HOLE, '…')}`
    }
  }
  return undefined
}

const checkGh: Check = (name, args) => {
  const [first, second] = subcommand(args)
  if (first === 'auth' && (second === 'token' || has(args, /^(?:--show-token|-t)$/) !== undefined)) return 'gh would print a credential'
  if (first === 'alias' && (second === 'set' || second === 'import')) return 'gh alias can run other programs'
  if (first === 'extension' || first === 'extensions' || first === 'ext') return second === 'list' || second === 'search' ? undefined : 'gh extensions run other programs'
  if (first === 'config' && second === 'set') return refuse(name, args, /^(?:pager|editor|browser|git_protocol)$/)
  const secret = args.find((arg) => secretFile(arg))
  return secret === undefined ? undefined : `gh would read ${displayShape(secret)}, which may hold credentials`
}

const patterns: Readonly<Record<string, RegExp>> = {
  tar: /^(?:-[a-zA-Z]*[IF]|--(?:checkpoint-action|to-command|use-compress-program|rsh-command|rmt-command|info-script|new-volume-script|absolute-names)|--use)/,
  zip: /^(?:-[a-zA-Z]*T+|-TT|--unzip-command|--test)/,
  ssh: /^(?:-[oFEJIiR]|-[a-zA-Z]*o)|ProxyCommand|LocalCommand/i,
  scp: /^(?:-[oFSiJD])|ProxyCommand/i,
  sftp: /^(?:-[oFSibD])|ProxyCommand/i,
  rsync: /^(?:-[a-zA-Z]*e|--(?:rsh|rsync-path|daemon|config|files-from|password-file))/,
  make: /^(?:-f|--file|--makefile|--eval|-E|SHELL=|\.SHELLFLAGS=|MAKE=|MAKEFLAGS=)|^\/dev\//,
  less: /^\+|^(?:-[kKoOtT])|^--(?:lesskey|log-file|tag)/,
  more: /^\+/,
  man: /^(?:-[PHC]|--(?:pager|html|browser|config-file))/,
  sort: /^(?:-[a-zA-Z]*[oT]|--(?:output|compress-program|temporary-directory|files0-from))/,
  uniq: /^\u0001/,
  rg: /^--(?:pre|hostname-bin|search-zip|config)|^-[a-zA-Z]*z/,
  fd: /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)/,
  fdfind: /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)/,
  vim: /^(?:[-+]|--cmd)/, vi: /^(?:[-+]|--cmd)/, nvim: /^(?:[-+]|--cmd)/, view: /^(?:[-+]|--cmd)/, ed: /./, ex: /./, emacs: /^-/, nano: /^(?:-[a-zA-Z]*s|--speller)/,
  kubectl: /^(?:edit|--kubeconfig|--token|--as)(?:$|=)|^secrets?(?:$|\/)/,
  terraform: /^-(?:plugin-dir|get-plugins)/,
  openssl: /^(?:-engine|-provider|-config|-passin|engine|s_server)/
}

const checkers: Readonly<Record<string, Check>> = {
  curl: (_name, args) => checkCurl(args),
  wget: (_name, args) => checkWget(args),
  dig: checkLookup,
  git: (_name, args) => checkGit(args),
  gh: checkGh,
  npm: checkPackageManager, pnpm: checkPackageManager, yarn: checkPackageManager, bun: checkPackageManager,
  node: checkInterpreter, python: checkInterpreter, python3: checkInterpreter, deno: checkInterpreter,
  perl: checkInterpreter, ruby: checkInterpreter, php: checkInterpreter, lua: checkInterpreter,
  jq: checkJq, docker: checkContainer, podman: checkContainer,
  awk: checkAwk, gawk: checkAwk, mawk: checkAwk, nawk: checkAwk,
  sed: checkSed, gsed: checkSed
}

/** Returns what a list does not cover about the arguments of a listed command, or undefined. */
export function checkListed(name: string, args: readonly Arg[], stdin: Stdin): string | undefined {
  const checker = Object.hasOwn(checkers, name) ? checkers[name] : undefined
  if (checker !== undefined) return checker(name, args, stdin)
  const pattern = Object.hasOwn(patterns, name) ? patterns[name] : undefined
  return (pattern === undefined ? undefined : refuse(name, args, pattern)) ?? (READERS.has(name) ? secretArguments(name, args) : undefined)
}

const NAMES_PROGRAMS = new Set(['tar', 'zip', 'ssh', 'scp', 'sftp', 'rsync', 'man', 'less', 'vim', 'vi', 'nvim', 'view', 'fd', 'fdfind', 'rg', 'sort'])

/** The texts that options of a tool name as programs to run. */
export function optionPrograms(name: string, args: readonly Arg[]): readonly string[] {
  const pattern = NAMES_PROGRAMS.has(name) ? patterns[name] : undefined
  if (pattern === undefined) return []
  return args.flatMap((arg, i) => {
    const value = arg.value ?? ''
    if (i > 0 && pattern.test(args[i - 1]?.shape ?? '')) return [value.replace(/^(?:\w+=|:?!)/, '')]
    if (!pattern.test(value)) return []
    return [value.replace(/^.*?(?:=|[:+]!)/s, '').replace(/^exec=/, '')]
  })
}

/** Other tools that show or copy the content of the files they are given. */
const READERS = new Set(
  `sort uniq cut tr tac nl rev fold paste join comm diff sdiff cmp less more bat batcat strings od xxd hexdump base64 base32 md5sum sha1sum
  sha256sum jq yq xargs rg ag ack egrep fgrep zcat zgrep bzcat xzcat gzip gunzip tar zip cp mv ln install rsync scp tee split csplit column
  expand unexpand fmt pr look shuf openssl gpg dos2unix iconv envsubst`.split(/\s+/)
)

/** Whether a command shows the content of the files that it is given. */
export function showsFiles(name: string): boolean {
  return READERS.has(name) || ['cat', 'head', 'tail', 'grep', 'wc'].includes(name)
}

function secretArguments(name: string, args: readonly Arg[]): string | undefined {
  const secret = args.find((arg) => secretPath(arg))
  return secret === undefined ? undefined : `${name} would read ${displayShape(secret)}, which may hold credentials`
}
