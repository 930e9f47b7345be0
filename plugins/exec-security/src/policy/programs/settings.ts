import { dangerousEnvironment } from './environment.js'
import { hasOption } from '../parse-args.js'
import { HOLE, displayShape, staticArg, type Arg } from '../words.js'
import { anyOf } from '../any-of.js'

/** Keys of git whose value only changes how things look or who is named. */
const GIT_HARMLESS = anyOf(
  /^(?:color\.\w+|user\.(?:name|email))$/i,
  /^core\.(?:quotepath|autocrlf|longpaths|abbrev|precomposeunicode|filemode|untrackedcache|ignorecase|eol)$/i,
  /^(?:core\.safecrlf|advice\.\w+|log\.(?:date|decorate|abbrevcommit|follow|showroot|graphcolors))$/i,
  /^(?:init\.defaultbranch|pull\.\w+|push\.(?:default|autosetupremote|followtags))$/i,
  /^(?:fetch\.(?:prune|prunetags|parallel)|rebase\.(?:autostash|autosquash|updaterefs))$/i,
  /^merge\.(?:ff|conflictstyle|renames)$/i,
  /^(?:diff\.(?:algorithm|renames|context|colormoved|noprefix|mnemonicprefix|interhunkcontext)|gc\.auto)$/i,
  /^(?:commit\.verbose|commit\.gpgsign|tag\.(?:sort|gpgsign)|branch\.sort|status\.\w+|column\.\w+)$/i,
  /^grep\.(?:linenumber|column|patterntype|extendedregexp|fullname|threads)$/i,
  /^blame\.(?:showroot|showemail|date|coloring|blankboundary)$/i,
  /^(?:http\.(?:lowspeedlimit|lowspeedtime|postbuffer|version)|protocol\.version|help\.autocorrect|rerere\.\w+)$/i,
  /^(?:feature\.\w+|index\.\w+|stash\.\w+|submodule\.(?:recurse|fetchjobs)|checkout\.\w+|pack\.\w+)$/i,
  /^safe\.directory$/i,
)
const GIT_OFF =
  /^core\.(?:pager=(?:cat)?|fsmonitor=(?:false|0)?|hookspath=\/dev\/null)$|^(?:pager\.\w+)=(?:false|0|cat)$/i
const GIT_SECRET = /^credential\.|extraheader|token|password|^http\..*\.(?:cookie|sslkey)/i

/** Keys of package managers that decide what is started, loaded or trusted. */
const NPM_DECIDES = anyOf(
  /shell|git|editor|node-options|viewer|registry|prefix|script|cafile|^ca$|cert|key|proxy|onload|init|cache|path/i,
  /plugin|userconfig|globalconfig|browser|_|password|token|otp|auth|email|workspace-dir|hooks|store/i,
)

/** A flag of the tools of go that only shapes the result. */
const GO_FLAG = /^(?:-[swNlmBS]|-[lm]=\d|-X=[\w./-]+=[\w.:+/@ -]*|-extldflags=-static|-buildid=\w*|-w=\w+)$/

/**
 * Returns whether flags for the tools of go only shape the result. As in go, a quote counts at the beginning of a flag.
 */
function shapesResult(flags: string): boolean {
  const words = Array.from(
    flags.replace(/^all=/, '').matchAll(/'([^']*)'|"([^"]*)"|\S+/g),
    ([word, single, double]) => single ?? double ?? word,
  )
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (!GO_FLAG.test(word === '-X' || word === '-extldflags' ? `${word}=${words[++at] ?? ''}` : word)) return false
  }
  return true
}

/** Settings of rustc that name a program, a library or a file. */
const RUSTC_DECIDES = anyOf(
  /^(?:linker(?:-flavor|-plugin-lto)?|link-args?|pre-link-args?|post-link-args?|ar|llvm-args|profile-\w+)$/,
  /^(?:remark-dir|incremental|dlltool|passes|save-temps|extra-filename|no-integrated-as)$/,
)

type SettingCheck = (setting: Arg, program: string) => string | undefined

const BY_PROGRAM: ReadonlyMap<string, SettingCheck> = new Map([
  ['git', denyGitSetting],
  ['date', denyDateOperand],
  ['make', denyMakeVariable],
  ['gmake', denyMakeVariable],
  ['go', denyGoFlags],
  ['rustc', denyRustcSetting],
  ['systemctl', denyUnit],
  ['ps', denyProcessColumns],
  ['top', denyProcessColumns],
])

/** Returns why a setting is not covered. */
export function denySetting(setting: Arg, program: string, path: readonly string[]): string | undefined {
  const check = BY_PROGRAM.get(program)
  return check === undefined ? denyConfigKey(setting, program, path) : check(setting, program)
}

function denyGitSetting(setting: Arg): string | undefined {
  const { shape } = setting
  if (setting.value === undefined && !/^[\w.-]+=/.test(shape)) return 'a setting given to git is computed'
  if (GIT_OFF.test(shape)) return undefined
  const key = shape.split('=')[0] ?? ''
  return GIT_HARMLESS.test(key) ? undefined : `git -c ${displayShape(setting)} is not known to be harmless`
}

function denyDateOperand(setting: Arg): string | undefined {
  if (setting.shape.startsWith('+')) return undefined
  return setting.value === undefined
    ? `the argument ${setting.text} of date is computed`
    : 'date with an operand sets the clock'
}

/** Variables of make that name a program. */
const MAKE_PROGRAM =
  /^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFILES|AS|YACC|LEX|RM|INSTALL|.*_(?:CMD|COMMAND|BIN|EXEC|PREFIX|TOOL|RUNNER))$/

function denyMakeVariable(setting: Arg, program: string): string | undefined {
  const { shape } = setting
  const assigned = /^([A-Za-z_.]\w*)[:+?!]*=/s.exec(shape)
  if (assigned === null) {
    const isComputed = shape.startsWith(HOLE) || /[=$`]/.test(shape)
    return isComputed ? `the argument ${setting.text} of ${program} is computed` : undefined
  }
  const [whole, name = ''] = assigned
  const value = shape.slice(whole.length)
  const runs = whole.includes('!') || MAKE_PROGRAM.test(name) || /[$`;&|<>(]/.test(value)
  return runs || dangerousEnvironment(name, staticArg(value))
    ? `${program} ${displayShape(setting)} may change what is run`
    : undefined
}

function denyGoFlags(setting: Arg): string | undefined {
  return shapesResult(setting.shape)
    ? undefined
    : `go ${displayShape(setting)} may start another program or write elsewhere`
}

function denyRustcSetting(setting: Arg): string | undefined {
  return setting.value === undefined || RUSTC_DECIDES.test(setting.shape.split('=', 1).join(''))
    ? `rustc -C ${displayShape(setting)} may start another program or write elsewhere`
    : undefined
}

function denyUnit(setting: Arg): string | undefined {
  return setting.value === undefined || setting.shape.includes('/')
    ? `systemctl would take ${displayShape(setting)} for a unit`
    : undefined
}

/** Checks letters without a hyphen, of which `e` shows the environment of processes. */
function denyProcessColumns(setting: Arg, program: string): string | undefined {
  return /^[a-z]+$/i.test(setting.shape) && /e/i.test(setting.shape)
    ? `${program} ${displayShape(setting)} shows the environment of processes`
    : undefined
}

/** Checks a setting of a package manager or of gh, which has a configuration with subcommands. */
function denyConfigKey(setting: Arg, program: string, path: readonly string[]): string | undefined {
  const { shape } = setting
  if (/^(?:delete|rm|list|ls|get)$/.test(path.at(-1) ?? ''))
    return /_|token|password|secret|auth/i.test(shape) ? `${program} would touch a credential` : undefined
  if (setting.value === undefined) return `a setting given to ${program} is computed`
  if (program === 'gh')
    return /^(?:pager|editor|browser|git_protocol|http_unix_socket)$/.test(shape)
      ? `${program} config set ${shape} changes what later commands run`
      : undefined
  if (/^[./~]|:\/\//.test(shape)) return `${program} ${path.join(' ')} ${shape} changes what later commands run`
  const key = shape.split('=')[0] ?? ''
  return NPM_DECIDES.test(key) && !/^(?:true|false|\d+)$/.test(key)
    ? `${program} ${path.join(' ')} ${key} changes what later commands run`
    : undefined
}

const GIT_CONFIG_VERB = /^(?:get|list|set|unset|edit|rename-section|remove-section)$/
/** Options of `git config` that show or delete. */
const GIT_CONFIG_READS = 'get get-all get-regexp get-urlmatch l list unset unset-all get-color'

/** Returns why a call of `git config` is not covered: a value may be run later, and what it shows may be a secret. */
export function denyGitConfig(operands: readonly Arg[], given: ReadonlySet<string>): string | undefined {
  const { verb, key, value } = gitConfigCall(operands)
  if (verb === 'edit') return 'git config edit runs an editor'
  if (key !== undefined && GIT_SECRET.test(key)) return 'git config would touch a credential'
  if (/^(?:get|list|unset)$/.test(verb) || hasOption(given, GIT_CONFIG_READS)) return undefined
  const isHarmless = key !== undefined && GIT_HARMLESS.test(key)
  if (operands.some((operand) => operand.value === undefined))
    return isHarmless && operands[0]?.value !== undefined ? undefined : 'an argument of git config is computed'
  if (key === undefined || isHarmless) return undefined
  return value === undefined && verb !== 'set' ? undefined : `git config ${key} changes what later commands run`
}

interface GitConfigCall {
  /** The subcommand, or nothing where the call has the older form without one. */
  readonly verb: string
  readonly key: string | undefined
  readonly value: string | undefined
}

function gitConfigCall(operands: readonly Arg[]): GitConfigCall {
  const [first = '', ...others] = operands.map(({ value = '' }) => value)
  if (GIT_CONFIG_VERB.test(first)) return { verb: first, key: others[0], value: others[1] }
  return { verb: '', key: operands.length === 0 ? undefined : first, value: others[0] }
}
