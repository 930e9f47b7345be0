import { dangerousEnvironment } from '../programs/environment.js'
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

type SettingCheck = (setting: Arg, program: string) => string | undefined

const BY_PROGRAM: ReadonlyMap<string, SettingCheck> = new Map([
  ['git', denyGitSetting],
  ['date', denyDateOperand],
  ['make', denyMakeVariable],
  ['gmake', denyMakeVariable],
  ['systemctl', denyUnit],
  // What their columns may show is checked in every mode.
  ['ps', () => undefined],
  ['top', () => undefined],
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

function denyUnit(setting: Arg): string | undefined {
  return setting.value === undefined || setting.shape.includes('/')
    ? `systemctl would take ${displayShape(setting)} for a unit`
    : undefined
}

/** Checks the configuration of another program: to read it shows no secret, and to set it may decide what runs later. */
function denyConfigKey({ shape }: Arg, program: string, path: readonly string[]): string | undefined {
  if (!/^(?:delete|rm|list|ls|get)$/.test(path.at(-1) ?? ''))
    return `${program} ${[...path, shape.replaceAll(HOLE, '…')].join(' ')} may change what later commands run`
  return /_|token|password|secret|auth/i.test(shape) ? `${program} would touch a credential` : undefined
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
