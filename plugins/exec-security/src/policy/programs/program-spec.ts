/**
 * What a word means to the program that it is given to.
 *
 * - `text`: nothing beyond itself
 * - `read`, `tree`, `list`, `write`: a path whose content, everything below it, whose names are read, or that is
 *   changed
 * - `listTree`: a folder below which all names are read
 * - `chdir`: a folder that relative paths begin at from then on
 * - `names`: a pattern of names of files that are read
 * - `sideWrite`: a file that is written besides the output
 * - `mount`: a path that is given to a container, with what follows a colon
 * - `fetch`: a path that text from elsewhere is written to
 * - `script`: a file that is run as code
 * - `code`: code of the program's own language
 * - `shell`: a text that a shell runs
 * - `program`: a program, or a command of one, that is started
 * - `address`: an address in the network
 * - `upload`: text in which an at sign names a file that is sent away
 * - `any`: a value of unknown meaning
 * - `remote`: a command of another machine or of a container
 * - `setting`: `key=value` of the program's configuration
 * - `query`: an option with which the program only describes itself
 * - `deny`: a word that no list covers
 */
export const EFFECTS = [
  'text',
  'read',
  'tree',
  'list',
  'listTree',
  'chdir',
  'names',
  'write',
  'sideWrite',
  'mount',
  'fetch',
  'script',
  'code',
  'shell',
  'program',
  'address',
  'upload',
  'any',
  'remote',
  'setting',
  'query',
  'deny',
] as const

export type Effect = (typeof EFFECTS)[number]

/** One option of a program. */
export interface Option {
  /** The name without its hyphens. A letter is a short option, `name-*` is a family, `*` is every other option. */
  readonly name: string
  /** `value` may be attached or in the next word, `optional` is attached only, `pair` is a name and a value. */
  readonly kind: 'flag' | 'value' | 'optional' | 'pair'
  /** The effect of the value or of the flag. */
  readonly effect: Effect
}

/**
 * The description of a program, as `manual.ts` parses it. An option without a description is unknown,
 * and a command with an unknown option is not covered.
 */
export interface ProgramSpec {
  readonly options: ReadonlyMap<string, Option>
  /** The effects of the operands, in order. The last effect applies to all that follow. The default is `text`. */
  readonly operands?: readonly Effect[]
  /** The program reaches the network. */
  readonly network?: boolean | undefined
  /** Options end at the first operand. */
  readonly optionsFirst?: true
  /** Long options cannot be abbreviated. */
  readonly noAbbreviations?: true
  /** Long options may have one hyphen, and those of two letters may be part of a cluster: `-qTT`. */
  readonly singleHyphen?: true
  /** `-5` is an option. */
  readonly numericOptions?: true
  /** Every word is an operand. */
  readonly noOptions?: true
  /** A file name that looks like an option does no harm. */
  readonly tolerant?: true
  /** An operand is a path only if it looks like one. */
  readonly mixedOperands?: true
  /** Subcommands without a description are covered, and their words are checked against the paths alone. */
  readonly otherSubcommands?: true
  /** The last of several operands is the target of the others. */
  readonly lastIsTarget?: true
  /** Options that name the folder in which the program works. */
  readonly worksIn?: readonly string[] | undefined
  /** Options that extend a read of the operands to everything below them. */
  readonly recursive?: readonly string[]
  /** Options that turn a read of the operands into a change. */
  readonly changesOperands?: readonly string[]
  /** The operands are changed unless one of these options is given. */
  readonly editsUnless?: readonly string[] | undefined
  /** Options that replace the first operand. */
  readonly replacesOperand?: readonly string[]
  /** Options after which every word is an argument of what they name. */
  readonly endsOptions?: readonly string[]
  /** Characters other than a hyphen that begin a special word, such as an editor command or a file of options. */
  readonly prefixes?: string
  /** The effect of standard input if no operand is given. */
  readonly stdin?: 'code' | 'shell'
  /** The effect on the working directory if no operand is given. */
  readonly withoutOperands?: Effect
  /** `tar`: the first word is a cluster of options without a hyphen. `find`: an expression. */
  readonly style?: 'tar' | 'find'
  /** The words after `after` operands are a command. */
  readonly command?: { readonly after: number; readonly assignments: boolean }
  /** The programs selected by the first operand. */
  readonly subcommands?: ReadonlyMap<string, ProgramSpec>
  /** The programs selected by the value of an option of `endsOptions`. `*` is any other value. */
  readonly modules?: ReadonlyMap<string, ProgramSpec>
}

/** Splits a list of names at its blanks. */
export const names = (list: string): readonly string[] => list.split(/\s+/).filter((name) => name !== '')
