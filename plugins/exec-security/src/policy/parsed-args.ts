// What a table makes of the words of a program.
import type { Effect, ProgramSpec } from './programs/program-spec.js'
import type { Arg } from './words.js'

/** One word of a program and what it means there. */
export interface ArgUse {
  readonly effect: Effect
  readonly arg: Arg
  /** The option that it belongs to, with its hyphens; absent for operands. */
  readonly option?: string
}

/** A program's words, read by its table. */
export interface ParsedArgs {
  readonly spec: ProgramSpec
  readonly uses: readonly ArgUse[]
  readonly operands: readonly Arg[]
  /** The words of the command that it runs, where its table says so. */
  readonly command: readonly Arg[]
  /** Commands inside its words, as those of `find -exec`. */
  readonly innerCommands: readonly (readonly Arg[])[]
  /** What the options of the program may do. */
  readonly effects: ReadonlySet<Effect>
  /** The names of the options that were given. */
  readonly givenOptions: ReadonlySet<string>
  /** Names of subcommands in order. */
  readonly subcommandPath: readonly string[]
  /** The first word that its table does not know. */
  readonly unknown?: string | undefined
  /** The first word that may turn out to be an option or something else. */
  readonly uncertain?: Arg | undefined
}
