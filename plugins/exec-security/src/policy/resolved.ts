import type { ParsedArgs, ArgUse } from './parsed-args.js'
import type { RedirectInfo, Stdin } from './redirects.js'
import type { AssignmentInfo, ScriptFacts, Finding, Shell } from './walk-types.js'
import type { Arg } from './words.js'

/** One command that will be run, with everything around it that was stripped. */
export interface ResolvedCommand {
  readonly kind: 'command'
  /** The command word and its arguments. Empty for assignments and redirections alone. */
  readonly words: readonly Arg[]
  /** Its words as its table explains them. */
  readonly parsed: ParsedArgs | undefined
  readonly environment: readonly AssignmentInfo[]
  readonly redirects: readonly RedirectInfo[]
  /** The wrappers that were stripped, as they were written, where they are more than a plain one of that name. */
  readonly wrappers: readonly string[]
  /** The effects of stripped wrappers on files. */
  readonly uses: readonly ArgUse[]
  /** Reasons why no list covers the command. */
  readonly concerns: readonly string[]
  /** Assignments without a command, which change the shell. */
  readonly assignments: readonly AssignmentInfo[]
  /** A variable among them that the text does not expand. */
  readonly unused?: string | undefined
  readonly stdin: Stdin
  readonly shell: Shell
  /** The text from which it comes. */
  readonly source: string
  /** Whether it is only what a text may run: a reason to refuse, and never one to allow. */
  readonly isGuess?: boolean | undefined
  /** The words that stand for it in its text: its own, or those of the program that runs it for what it finds. */
  readonly shown: readonly Arg[]
}

export type Resolved = ResolvedCommand | Finding

/** A command that may run others, and the functions that follow or report those. */
export interface CommandContext {
  readonly base: string
  readonly args: readonly Arg[]
  readonly stdin: Stdin
  readonly facts: ScriptFacts
  /** Follows words as a command. One that `isPart` of the outer command has no text of its own. */
  followCommand(words: readonly Arg[], isPart?: boolean): void
  /** Follows a text that a shell runs, by default a POSIX shell. */
  followScript(text: string, posix?: boolean, stdin?: Stdin): void
  /** Reports what is not understood. */
  refuse(reason: string): void
  /** Reports a variable that is set. */
  recordVariable(name: string, value?: Arg): void
  /**
   * Reports a forbidden command at the start of a text that is run, or anywhere in it as a script. Returns whether
   * there is one. Its other commands are looked at as well, unless they run on another machine.
   */
  checkForbidden(text: string, isLocal?: boolean): boolean
  /** Reports a forbidden command that was found. */
  reportForbidden(name: string, where: string): void
}
