// The text of a subcommand: an owner rule is matched against it, offered for it, and shown with it.
import { anyOf } from './any-of.js'
import { dangerousEnvironment } from './programs/environment.js'
import { inOneLine, quoteWord, staticArg, type Arg } from './words.js'
import type { RedirectInfo, Stdin } from './redirects.js'
import type { ResolvedCommand } from './resolved.js'
import type { AssignmentInfo, Shell } from './walk-types.js'

/** Longest texts of other parts of the line, and of all of it, that are shown. */
const MAX_FEEDER = 300
const MAX_LINE = 1000
/** Stands for a line that is too long to be shown. */
const TOO_LONG = '# …'

/**
 * Returns a pipe as a redirection, unless the text of its commands does not show what they write. `stdin` is what is
 * known of that.
 */
export function pipeFrom(feeder: string, withErrors: boolean, stdin: Stdin): RedirectInfo | undefined {
  const pipe = { effect: 'pipe', target: undefined, stdin } as const
  if (stdin.kind === 'text' && stdin.text.length <= MAX_FEEDER)
    return { ...pipe, text: `<<< ${quoteWord(staticArg(stdin.text))}` }
  // The text of a here-document is elsewhere.
  if (feeder.length > MAX_FEEDER || /(?<!<)<<(?!<)/.test(feeder)) return undefined
  return { ...pipe, text: `< <(${feeder}${withErrors ? ' 2>&1' : ''})` }
}

/**
 * Returns all that a rule has to name: the command, then on lines of their own its redirections, its input, and the
 * whole text if something else of it changes what the command does. Plain wrappers and cosmetic prefixes are left out.
 */
export function subcommandText(command: ResolvedCommand): string {
  const own = [commandLine(command), ...command.redirects.flatMap(shownRedirect)].join('\n')
  if (!isChanged(command, own)) return own
  const { line } = command.shell
  return `${own}\n${line.length > MAX_LINE ? TOO_LONG : `# in ${inOneLine(line.trim())}`}`
}

/** Returns a command with its redirections, without other parts of the line. */
export function shortText(command: ResolvedCommand): string {
  return [commandLine(command), ...command.redirects.filter(({ effect }) => effect !== 'pipe').flatMap(shownRedirect)]
    .join(' ')
    .trim()
}

/** Returns whether a text, also one on one line, says all that a rule would cover. */
export const isWhole = (text: string): boolean => !/(?:^|\s)# …$/.test(text)

/** Returns the shell that a command starts, with what it is given. Its script may use the words of the command. */
export function shellInside({ environment, wrappers, shell, shown, words, source }: ResolvedCommand): Shell {
  const isLocal = shown === words && wrappers.length === 0 && environment.every(isCosmetic)
  return { changes: [{ source, isLocal }], outer: shell, line: shell.line }
}

/** Variables that only change the look of output. */
const COSMETIC = anyOf(
  /^(?:LC_\w+|LANG|LANGUAGE|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|CI|NODE_ENV)$/,
  /^DEBIAN_FRONTEND$/,
)

/** Returns whether a variable only changes the look of output, so that a rule need not name it. */
export const isCosmetic = ({ name, value }: AssignmentInfo): boolean =>
  COSMETIC.test(name) && !dangerousEnvironment(name, value)

function commandLine({ environment, assignments, wrappers, shown }: ResolvedCommand): string {
  return [
    ...environment.filter((item) => !isCosmetic(item)).map(({ text }) => inOneLine(text)),
    ...assignments.map(({ text }) => inOneLine(text)),
    ...wrappers,
    ...shown.filter(({ text }) => text !== '').map((word, i) => (i === 0 ? quoteName(word) : quoteWord(word))),
  ].join(' ')
}

/** Writes the name of a program, so that it does not look like a variable. */
function quoteName(word: Arg): string {
  const text = quoteWord(word)
  return /^\w+\+?=/.test(text) ? `'${text}'` : text
}

/** Returns a redirection, unless it only joins output and errors, or throws them away. */
function shownRedirect({ text, effect, target }: RedirectInfo): string[] {
  const isHidden = effect === 'device' ? target?.sources.length !== 1 : /^[12]?>& ?[12]$/.test(text)
  return isHidden ? [] : [inOneLine(text)]
}

/** Returns whether other parts of the text change what a command does: its shell, or a variable that it expands. */
function isChanged({ shell, source }: ResolvedCommand, text: string): boolean {
  const expands = /`|\$(?!')/.test(text)
  for (let at: Shell | undefined = shell; at !== undefined; at = at.outer) {
    // A command that is a change itself is not one for itself, unless it is there twice.
    const itself = at === shell ? at.changes.findIndex((change) => change.source === source) : -1
    if (at.changes.some(({ isLocal }, i) => i !== itself && (expands || !isLocal))) return true
  }
  return false
}
