// How a program is described: which of its words are options, paths, programs, code or addresses. One table a program.

/**
 * What a word means to the program that it is given to.
 *
 * - `text`: nothing beyond itself
 * - `read`, `tree`, `list`, `write`: a path whose content, everything below it, whose names are read, or that is changed
 * - `walk`: a folder below which all names are read
 * - `enter`: a folder that relative paths begin at from then on
 * - `names`: a pattern of names of files that are read; `spill`: a file that is written on the side
 * - `mount`: a path that is given to a container, with what follows a colon
 * - `fetch`: a path that text from elsewhere is written to
 * - `script`: a file that is run as code; `code`: code of the program's own language
 * - `shell`: a text that a shell runs; `program`: a program, or a command of one, that is started
 * - `address`: a place in the network; `sent`: text in which an at sign names a file that is sent away
 * - `any`: a value of which nothing is known; `remote`: a command of another machine or of a container
 * - `setting`: `key=value` of the program's configuration
 * - `query`: an option with which the program does nothing but tell about itself
 * - `never`: what no list covers
 */
export type Effect =
  | 'text'
  | 'read'
  | 'tree'
  | 'list'
  | 'walk'
  | 'enter'
  | 'names'
  | 'write'
  | 'spill'
  | 'mount'
  | 'fetch'
  | 'script'
  | 'code'
  | 'shell'
  | 'program'
  | 'address'
  | 'sent'
  | 'any'
  | 'remote'
  | 'setting'
  | 'query'
  | 'never'

/** Names of options, separated by spaces, by what their value means: a letter each for short ones, `name-*` for a family. */
export type Options = Partial<Record<Effect, string>>

/** The description of a program. An option that it does not name is not known, and what is not known is not covered. */
export interface ProgramSpec {
  /** Options without a value; `*` for all that are not named. */
  readonly flags?: string
  /** Options without a value that do more than shape the output. */
  readonly acts?: Options
  /** Options with a value, attached or in the next word. */
  readonly values?: Options
  /** Options with a value only where it is attached. */
  readonly optional?: Options
  /** Options with two values, a name and what counts. */
  readonly pairs?: Options
  /** Options that make a read of the operands a change of them. */
  readonly changes?: string
  /** The files that it otherwise reads are changed, too, unless one of these options is given. */
  readonly edits?: string | undefined
  /** Of several operands the last is where the others are put. */
  readonly into?: true
  /** Options that make a read of the operands one of everything below them. */
  readonly recursive?: string
  /** What the operands mean, in order; the last stands for all that follow. Without it they are `text`. */
  readonly operands?: readonly Effect[]
  /** Operands may be other things than paths: only what looks like one is taken for it. */
  readonly words?: true
  /** Options that stand in for the first operand. */
  readonly replaces?: string
  /** What is done with the working directory where no operand is given. */
  readonly alone?: Effect
  /** What standard input means where no operand is given. */
  readonly input?: 'code' | 'shell'
  /** Options after which everything is an argument of what they name. */
  readonly ends?: string
  /** Programs of its own that one of those options names, each with its table. */
  readonly modules?: Readonly<Record<string, ProgramSpec>>
  /** Options end at the first operand. */
  readonly stops?: boolean
  /** Long options are not abbreviated. */
  readonly exact?: boolean
  /** Long options may have one hyphen. */
  readonly hyphen?: boolean
  /** Signs other than a hyphen at the beginning of a word that is more than an operand: commands of an editor, files of options. */
  readonly signs?: string
  /** There are no options. */
  readonly verbatim?: true
  /** `-5` is an option. */
  readonly numbers?: boolean
  /** A file name that looks like an option does no harm. */
  readonly tolerant?: boolean
  /** `tar`: the first word is a cluster of options without a hyphen; `find`: an expression. */
  readonly style?: 'tar' | 'find'
  /** The words after so many operands are a command. */
  readonly runs?: { readonly after: number; readonly assignments?: true }
  /** What the first operand selects. */
  readonly subcommands?: Readonly<Record<string, ProgramSpec>>
  /** Subcommands that are not described are covered; their words are held against the paths alone. */
  readonly open?: boolean
  /** Reaches the network. */
  readonly network?: boolean | undefined
}

/** All names of a set of options. */
export const names = (list: string | undefined): readonly string[] =>
  list?.split(/\s+/).filter((name) => name !== '') ?? []

/** A table for several names of one program. */
export function alike(list: string, table: ProgramSpec): Record<string, ProgramSpec> {
  return Object.fromEntries(names(list).map((name) => [name, table]))
}
