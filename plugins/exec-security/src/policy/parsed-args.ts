import type { Effect, ProgramSpec } from './programs/program-spec.js'
import type { Arg } from './words.js'

/** One word of a program with its meaning. */
export interface ArgUse {
  readonly effect: Effect
  readonly arg: Arg
  /** The option that it belongs to, with its hyphens. Absent for operands. */
  readonly option?: string
}

/** The words of a program, parsed by its description. */
export interface ParsedArgs {
  readonly spec: ProgramSpec
  readonly uses: readonly ArgUse[]
  readonly operands: readonly Arg[]
  /** The words of the command that the program runs, if it is a wrapper. */
  readonly command: readonly Arg[]
  /** Commands inside its words, such as those of `find -exec`. */
  readonly innerCommands: readonly (readonly Arg[])[]
  /** Everything that the options of the program may do. */
  readonly effects: ReadonlySet<Effect>
  /** The names of the options that were given. */
  readonly givenOptions: ReadonlySet<string>
  /** Names of subcommands in order. */
  readonly subcommandPath: readonly string[]
  /** The first word without a description. */
  readonly unknown?: string | undefined
  /** The first word that may turn out to be an option or something else. */
  readonly uncertain?: Arg | undefined
}
