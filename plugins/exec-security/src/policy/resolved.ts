// What following a command yields: commands that will be run, and findings that no list changes.
import type { ParsedArgs, ArgUse } from './parsed-args.js'
import type { RedirectInfo, Stdin } from './redirects.js'
import type { AssignmentInfo, ScriptFacts, Finding } from './walk-types.js'
import type { Arg } from './words.js'

/** One command that will be run, with everything around it that was stripped. */
export interface ResolvedCommand {
  readonly kind: 'command'
  /** The command word and its arguments; empty for assignments and redirections alone. */
  readonly words: readonly Arg[]
  /** Its words as its table explains them. */
  readonly parsed: ParsedArgs | undefined
  readonly environment: readonly AssignmentInfo[]
  readonly redirects: readonly RedirectInfo[]
  /** The wrappers that were stripped, as they were written, where they are more than a plain one of that name. */
  readonly wrappers: readonly string[]
  /** What stripped wrappers do with files. */
  readonly uses: readonly ArgUse[]
  /** What about it is not covered whatever the lists say. */
  readonly concerns: readonly string[]
  /** Assignments that stand alone and therefore change the shell. */
  readonly assignments: readonly AssignmentInfo[]
  readonly stdin: Stdin
}

export type Resolved = ResolvedCommand | Finding

/** A command that may run others, and what becomes of them. */
export interface CommandContext {
  readonly base: string
  readonly args: readonly Arg[]
  readonly stdin: Stdin
  readonly facts: ScriptFacts
  /** Follows words as a command of their own; `bare` ones have nothing of what stands around the outer one. */
  followCommand(words: readonly Arg[], bare?: boolean): void
  /** Follows a text that a shell runs, which is sh where nothing else is told. */
  followScript(text: string, posix?: boolean): void
  /** Reports what is not understood. */
  refuse(reason: string): void
  /** Reports a variable that is set. */
  recordVariable(name: string, value?: Arg): void
  /** Reports a forbidden command at the start of a text that is run, or anywhere in it as a script; whether there is one. */
  checkForbidden(text: string): boolean
  /** Reports a forbidden command that was found. */
  reportForbidden(name: string, where: string): void
}
