// Words of the form `key=value` that configure a program: which of them decide what it starts, loads or shows.
import { dangerousEnvironment } from './environment.js'
import { HOLE, displayShape, staticArg, type Arg } from '../words.js'

/** Keys of git whose value only changes how things look or who is named. */
const GIT_HARMLESS =
  /^(?:color\.\w+|user\.(?:name|email)|core\.(?:quotepath|autocrlf|longpaths|abbrev|precomposeunicode|filemode|untrackedcache|ignorecase|eol|safecrlf)|advice\.\w+|log\.(?:date|decorate|abbrevcommit|follow|showroot|graphcolors)|init\.defaultbranch|pull\.\w+|push\.(?:default|autosetupremote|followtags)|fetch\.(?:prune|prunetags|parallel)|rebase\.(?:autostash|autosquash|updaterefs)|merge\.(?:ff|conflictstyle|renames)|diff\.(?:algorithm|renames|context|colormoved|noprefix|mnemonicprefix|interhunkcontext)|gc\.auto|commit\.verbose|commit\.gpgsign|tag\.(?:sort|gpgsign)|branch\.sort|status\.\w+|column\.\w+|grep\.(?:linenumber|column|patterntype|extendedregexp|fullname|threads)|blame\.(?:showroot|showemail|date|coloring|blankboundary)|http\.(?:lowspeedlimit|lowspeedtime|postbuffer|version)|protocol\.version|help\.autocorrect|rerere\.\w+|feature\.\w+|index\.\w+|stash\.\w+|submodule\.(?:recurse|fetchjobs)|checkout\.\w+|pack\.\w+|safe\.directory)$/i
const GIT_OFF =
  /^core\.(?:pager=(?:cat)?|fsmonitor=(?:false|0)?|hookspath=\/dev\/null)$|^(?:pager\.\w+)=(?:false|0|cat)$/i
const GIT_SECRET = /^credential\.|extraheader|token|password|^http\..*\.(?:cookie|sslkey)/i

/** Keys of package managers that decide what is started, loaded or trusted. */
const NPM_DECIDES =
  /shell|git|editor|node-options|viewer|registry|prefix|script|cafile|^ca$|cert|key|proxy|onload|init|cache|path|plugin|userconfig|globalconfig|browser|_|password|token|otp|auth|email|workspace-dir|hooks|store/i

/** A flag of the tools of go that only shapes the result. */
const GO_FLAG = /^(?:-[swNlmBS]|-[lm]=\d|-X=[\w./-]+=[\w.:+/@ -]*|-extldflags=-static|-buildid=\w*|-w=\w+)$/

/** Whether flags for the tools of go only shape the result. They are divided as go does: a quote counts where a flag begins. */
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

/** What of the settings of rustc names a program, a library or a file. */
const RUSTC_DECIDES =
  /^(?:linker(?:-flavor|-plugin-lto)?|link-args?|pre-link-args?|post-link-args?|ar|llvm-args|profile-\w+|remark-dir|incremental|dlltool|passes|save-temps|extra-filename|no-integrated-as)$/

/** Why a setting is not covered, or undefined. */
export function denySetting(setting: Arg, program: string, path: readonly string[]): string | undefined {
  const { shape } = setting
  if (program === 'git') return gitSetting(setting)
  if (program === 'date') {
    if (shape.startsWith('+')) return undefined
    return setting.value === undefined
      ? `the argument ${setting.text} of date is computed`
      : 'date with an operand sets the clock'
  }
  if (program === 'make' || program === 'gmake') {
    const assigned = /^([A-Za-z_.]\w*)[:+?!]*=/s.exec(shape)
    if (assigned === null)
      return shape.startsWith(HOLE) || /[=$`]/.test(shape)
        ? `the argument ${setting.text} of ${program} is computed`
        : undefined
    const [whole, name = ''] = assigned
    const value = shape.slice(whole.length)
    const runs =
      whole.includes('!') ||
      /^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFILES|AS|YACC|LEX|RM|INSTALL|.*_(?:CMD|COMMAND|BIN|EXEC|PREFIX|TOOL|RUNNER))$/.test(
        name,
      ) ||
      /[$`;&|<>(]/.test(value)
    return runs || dangerousEnvironment(name, staticArg(value))
      ? `${program} ${displayShape(setting)} may change what is run`
      : undefined
  }
  if (program === 'go')
    return shapesResult(shape) ? undefined : `go ${displayShape(setting)} may start another program or write elsewhere`
  if (program === 'rustc')
    return setting.value === undefined || RUSTC_DECIDES.test(shape.split('=', 1).join(''))
      ? `rustc -C ${displayShape(setting)} may start another program or write elsewhere`
      : undefined
  if (program === 'systemctl')
    return setting.value === undefined || shape.includes('/')
      ? `systemctl would take ${displayShape(setting)} for a unit`
      : undefined
  if (program === 'ps' || program === 'top') {
    // Letters without a hyphen; with `e` the environment of processes is shown.
    return /^[a-z]+$/i.test(shape) && /e/i.test(shape) && !/^\d+$/.test(shape)
      ? `${program} ${displayShape(setting)} shows the environment of processes`
      : undefined
  }
  const verb = path.at(-1)
  if (verb === 'delete' || verb === 'rm' || verb === 'list' || verb === 'ls' || verb === 'get') {
    return /_|token|password|secret|auth/i.test(shape) ? `${program} would touch a credential` : undefined
  }
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

function gitSetting(setting: Arg): string | undefined {
  const { shape } = setting
  if (setting.value === undefined && !/^[\w.-]+=/.test(shape)) return 'a setting given to git is computed'
  if (GIT_OFF.test(shape)) return undefined
  const key = shape.split('=')[0] ?? ''
  return GIT_HARMLESS.test(key) ? undefined : `git -c ${displayShape(setting)} is not known to be harmless`
}

/** Why a call of `git config` is not covered: what it sets may be run later, what it shows may be a secret. */
export function denyGitConfig(operands: readonly Arg[], given: ReadonlySet<string>): string | undefined {
  const computed = operands.find(({ value }) => value === undefined)
  const words = operands.map(({ value }) => value ?? '')
  const verb = /^(?:get|list|set|unset|edit|rename-section|remove-section)$/.test(words[0] ?? '')
    ? words.shift()
    : undefined
  if (verb === 'edit') return 'git config edit runs an editor'
  const [key, value] = words
  if (key !== undefined && GIT_SECRET.test(key)) return 'git config would touch a credential'
  const reads =
    verb === 'get' ||
    verb === 'list' ||
    verb === 'unset' ||
    [
      '--get',
      '--get-all',
      '--get-regexp',
      '--get-urlmatch',
      '-l',
      '--list',
      '--unset',
      '--unset-all',
      '--get-color',
    ].some((option) => given.has(option))
  if (reads) return undefined
  if (computed !== undefined && key !== undefined && GIT_HARMLESS.test(key) && operands[0]?.value !== undefined)
    return undefined
  if (computed !== undefined) return 'an argument of git config is computed'
  if (key === undefined || (value === undefined && verb !== 'set')) return undefined
  return GIT_HARMLESS.test(key) ? undefined : `git config ${key} changes what later commands run`
}
