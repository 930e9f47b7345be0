// What a walk over a syntax tree reports: the commands, and what is known about the script as a whole.
import type { RedirectInfo, Stdin } from './redirects.js'
import type { Arg } from './words.js'

/** One `NAME=value` of a command or of a declaration. */
export interface AssignmentInfo {
  readonly name: string
  readonly text: string
  readonly value: Arg | undefined
  readonly subscript: boolean
}

/** A simple command as it stands in the tree, before wrappers are looked through. */
export interface CommandUnit {
  readonly kind: 'command'
  readonly text: string
  /** The command word and its arguments; empty for assignments and redirections alone. */
  readonly words: readonly Arg[]
  readonly assignments: readonly AssignmentInfo[]
  readonly redirects: readonly RedirectInfo[]
  readonly stdin: Stdin
}

/** Something that is not understood, or that changes the state of the shell. */
export interface OtherUnit {
  readonly kind: 'refused' | 'state'
  readonly text: string
  readonly reason: string
}

/** A variable that syntax sets: a loop, arithmetic, `${NAME:=value}`. */
export interface SetsUnit {
  readonly kind: 'sets'
  readonly text: string
  readonly name: string
}

export type Unit = CommandUnit | OtherUnit | SetsUnit

/** What is known about the script as a whole. */
export interface Facts {
  /** Values that `for` gives to a variable. */
  readonly loops: Map<string, Arg[]>
  /** Exact texts that stand in the script as data. */
  readonly literals: string[]
  /** Whether the shell evaluates the text of a variable or argument as an arithmetic expression. */
  evaluatesData: boolean
  /** Whether an alias, or a table that works like one, is defined. */
  definesAlias: boolean
  /** Whether a function is defined, which may stand in for any command. */
  definesFunction: boolean
  /** Whether there is anything to run at all, be it only a test. */
  holdsCommand: boolean
  /** Whether options are set that could make the shell use aliases. */
  setsOptions: boolean
}

/** What a walk found. */
export interface Walk {
  readonly units: Unit[]
  readonly facts: Facts
}

/** Where a walk stands. */
export interface Context {
  readonly source: string
  readonly stdin: Stdin
  readonly depth: number
  /** Whether the text is run by a shell that is not bash, where bash syntax means something else. */
  readonly posix: boolean
  /** Whether the text stands in a substitution. */
  readonly substituted: boolean
}

/** How deep a script may nest. */
export const MAX_DEPTH = 120

/** An empty walk. */
export function newWalk(): Walk {
  return {
    units: [],
    facts: { loops: new Map(), literals: [], evaluatesData: false, definesAlias: false, definesFunction: false, holdsCommand: false, setsOptions: false }
  }
}
