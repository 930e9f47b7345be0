import type { Budget } from './budget.js'
import type { RedirectInfo, Stdin } from './redirects.js'
import { staticArg, type Arg } from './words.js'

/** A variable that is given a value. */
export interface Variable {
  readonly name: string
  readonly value?: Arg | undefined
}

/** One `NAME=value` of a command or of a declaration. */
export interface AssignmentInfo {
  readonly name: string
  readonly text: string
  readonly value: Arg | undefined
}

/** A simple command of the syntax tree, before its wrappers are resolved. */
export interface CommandUnit {
  readonly kind: 'command'
  readonly text: string
  /** The command word and its arguments. Empty for assignments and redirections alone. */
  readonly words: readonly Arg[]
  readonly assignments: readonly AssignmentInfo[]
  /** Those of the compound commands around it and the pipe into it come first. */
  readonly redirects: readonly RedirectInfo[]
  readonly stdin: Stdin
  readonly shell: Shell
}

/** A shell, with what changes it for the commands that it runs. Each may do so for all: a loop comes back to them. */
export interface Shell {
  readonly changes: Change[]
  /** The shell that started it, which it takes over. */
  readonly outer: Shell | undefined
  /** The whole text that is judged. */
  readonly line: string
}

/** A variable, folder, function or setting that a shell is given. */
interface Change {
  readonly source: string
  /** Whether no program sees it by itself: a variable that is not in the environment by its name. */
  readonly isLocal: boolean
}

/** A part that is not understood, forbidden, only known when it runs, or that changes the state of the shell. */
export interface Finding {
  readonly kind: 'refused' | 'blacklisted' | 'opaque' | 'state'
  readonly text: string
  readonly reason: string
}

/** A variable that syntax sets: a loop, arithmetic, `${NAME:=value}`. */
interface VariableUnit {
  readonly kind: 'sets'
  readonly text: string
  readonly name: string
  /** The value, if it is one word. */
  readonly value?: Arg | undefined
}

export type Unit = CommandUnit | Finding | VariableUnit

/** Facts about the script as a whole. */
export interface ScriptFacts {
  /** Every value that the script assigns to a variable. */
  readonly assigned: Map<string, Arg[]>
  /** Variables that the text sets first of all, for whatever uses them. */
  readonly replaced: Set<string>
  /** Values of arrays, of known output and of known input: what a variable may hold, besides anything else. */
  readonly guessed: Map<string, Arg[]>
  /** Texts that the shell evaluates as arithmetic. */
  readonly evaluated: { readonly text: string; readonly arg: Arg }[]
  /** Words that the shell takes for the name of a variable, with a subscript that it evaluates. */
  readonly names: { readonly text: string; readonly arg: Arg }[]
  /** Variables that name another variable. */
  readonly indirect: { readonly text: string; readonly variable: string }[]
  /** Variables that the script expands. */
  readonly expanded: Set<string>
  /** Variables that evaluate whatever they are given. */
  readonly integers: Set<string>
  /** Whether variables are set whose names are not known. */
  assignsAny: boolean
  /** Whether some of the text is run by a shell that uses aliases by itself. */
  posix: boolean
  /** Whether an alias, or a table that works like one, is defined. */
  definesAlias: boolean
  /** Whether an array may be declared whose keys are texts. */
  declaresMap: boolean
  /** Whether a function is defined, which may replace any command. */
  definesFunction: boolean
  /** Whether there is anything to run at all, be it only a test. */
  holdsCommand: boolean
  /** Whether options are set that could make the shell use aliases. */
  setsOptions: boolean
}

/** The result of a walk. */
export interface Walk {
  readonly budget: Budget
  readonly units: Unit[]
  readonly facts: ScriptFacts
}

/** The surroundings of a node. */
export interface WalkContext {
  readonly source: string
  readonly stdin: Stdin
  /** The redirections of the compound commands around, and the pipe into them. */
  readonly around: readonly RedirectInfo[]
  readonly shell: Shell
  readonly depth: number
  /** Whether the text is run by a shell that is not bash, where bash syntax means something else. */
  readonly posix: boolean
  /** Whether the text is in a substitution. */
  readonly substituted: boolean
}

/** The surroundings that a command gives to the text that it runs. */
export type Outer = Pick<WalkContext, 'stdin' | 'around' | 'posix' | 'shell'>

/** How deep a script may nest. */
export const MAX_DEPTH = 120

/** An empty walk. */
export function newWalk(budget: Budget): Walk {
  return {
    budget,
    units: [],
    facts: {
      assigned: new Map(),
      replaced: new Set(),
      guessed: new Map(),
      evaluated: [],
      names: [],
      indirect: [],
      expanded: new Set(),
      integers: new Set(),
      assignsAny: false,
      posix: false,
      definesAlias: false,
      declaresMap: false,
      definesFunction: false,
      holdsCommand: false,
      setsOptions: false,
    },
  }
}

/** Records a value that a variable is given. An unknown name may be any variable. */
export function assign(facts: ScriptFacts, name: string | undefined, value: Arg): void {
  if (name === undefined || !/^\w+$/.test(name)) {
    facts.assignsAny = true
    return
  }
  addTo(facts.assigned, name, value)
  if (
    value.outputs.some(
      (output) => output.kind === 'text' || (output.kind === 'unknown' && output.elementOf !== undefined),
    )
  )
    guess(facts, name, value)
}

/** Records a value that a variable may have. It can be a reason to refuse, and never one to allow. */
export const guess = (facts: ScriptFacts, name: string, value: Arg): void => addTo(facts.guessed, name, value)

function addTo(values: Map<string, Arg[]>, name: string, value: Arg): void {
  const known = values.get(name)
  if (known) known.push(value)
  else values.set(name, [value])
}

/** An assignment that is an argument of a declaration, as the word that the builtin sees. */
export function declarationArg({ text, value }: AssignmentInfo): Arg {
  if (value === undefined) return { ...staticArg(text), value: undefined, sources: ['command'] }
  const name = text.slice(0, text.indexOf('=') + 1)
  return {
    ...value,
    text,
    shape: name + value.shape,
    pattern: name + value.pattern,
    value: value.value === undefined ? undefined : name + value.value,
    splits: false,
  }
}
