import { HOLE, type Arg, type Output } from './words.js'
import type { ScriptFacts } from './walk-types.js'
import { anyOf } from './any-of.js'

/** Variables that bash itself fills with numbers. */
const NUMBERS = anyOf(
  /^(?:[#?$!]|RANDOM|SRANDOM|SECONDS|UID|EUID|LINENO|BASHPID|PPID|COLUMNS|LINES|SHLVL|OPTIND|EPOCHSECONDS|HISTCMD)$/,
  /^BASH_SUBSHELL$/,
)
/** Those of them that evaluate what they are given as arithmetic, without being declared so. */
export const EVALUATES = ['RANDOM', 'SRANDOM', 'SECONDS', 'LINENO', 'HISTCMD', 'OPTIND', 'EPOCHSECONDS', 'BASHPID']
/** Variables that bash fills with text of others. */
const TEXTS = anyOf(
  /^(?:[@*_-]|\d+|PWD|OLDPWD|REPLY|OPTARG|MAPFILE|DIRSTACK|BASH_\w+|COMP_\w+|COMPREPLY|READLINE_\w+|FUNCNAME)$/,
  /^(?:HOSTNAME|HOME|PATH|PS\d|IFS)$/,
)
/** A text that can only compute: numbers, names and operators, no quotes and no expansion. */
const COMPUTES = /^[\w\s+\-*/%()<>=!&|^~?:,#@[\].]*$/
const NAME = /^[A-Za-z_]\w*(?:\[(?:\d+|@|\*)?\])?$/

/** Why some text is evaluated again although it is only known when it runs, or undefined. */
export function evaluatesUnknown(facts: ScriptFacts): string | undefined {
  const numbers = new Numbers(facts)
  for (const { arg, text } of facts.evaluated) {
    if (!numbers.computes(arg))
      return `${shorten(text)} would be evaluated as arithmetic, and what it becomes may be code`
  }
  for (const name of [...facts.integers, ...EVALUATES.filter((own) => facts.assigned.has(own))]) {
    if (facts.assignsAny || !(facts.assigned.get(name) ?? []).every((value) => numbers.computes(value)))
      return `${shorten(name)} evaluates what it is given as arithmetic, and that may be code`
  }
  for (const { arg, text } of facts.names) {
    if (arg.value === undefined || !NAME.test(arg.value))
      return `${shorten(text)} names a variable in a way that may run code`
  }
  for (const { variable, text } of facts.indirect) {
    if (!namesVariable(variable, facts))
      return `${shorten(text)} reads the variable that another one names, and that may be code`
  }
  if (facts.definesAlias && (facts.setsOptions || facts.posix))
    return 'an alias together with shell options changes how the text is read'
  return undefined
}

/** Returns whether every value of a variable is the name of another one. */
function namesVariable(variable: string, { assigned, assignsAny }: ScriptFacts): boolean {
  const values = assigned.get(variable) ?? []
  return !assignsAny && values.length > 0 && values.every(({ value }) => value !== undefined && NAME.test(value))
}

class Numbers {
  readonly #facts: ScriptFacts
  /** Variables that are being looked at count as numbers: what they are made of decides. */
  readonly #known = new Map<string, boolean>()

  constructor(facts: ScriptFacts) {
    this.#facts = facts
  }

  /** Returns whether a text can only compute, for any values of its variables. */
  computes(arg: Arg): boolean {
    let output = 0
    let variable = 0
    for (const source of arg.sources) {
      if (source === 'arithmetic') continue
      if (source === 'variable' || source === 'trim') {
        if (!this.#number(arg.variables[variable++] ?? '')) return false
      } else if (source !== 'command' || !this.#numericOutput(arg.outputs[output++])) {
        return false
      }
    }
    if (arg.fallbacks.some((text) => !/^-?\d*$/.test(text ?? ''))) return false
    const text = arg.shape.replaceAll(HOLE, '0')
    if (!COMPUTES.test(text)) return false
    return (text.match(/(?<![\w#@])[A-Za-z_]\w*/g) ?? []).every((name) => this.#number(name))
  }

  /** Returns whether an output is made of numbers: that of a program of known output, or the keys of a list. */
  #numericOutput(output: Output | undefined): boolean {
    const { definesFunction, definesAlias, declaresMap } = this.#facts
    if (output?.kind === 'numeric') return !definesFunction && !definesAlias
    const keysOf = output?.kind === 'unknown' ? output.keysOf : undefined
    return keysOf !== undefined && !declaresMap && !TEXTS.test(keysOf)
  }

  #number(name: string): boolean {
    if (NUMBERS.test(name)) return true
    if (TEXTS.test(name) || this.#facts.assignsAny) return false
    const known = this.#known.get(name)
    if (known !== undefined) return known
    this.#known.set(name, true)
    // A variable that the script never sets comes from the environment of the host.
    const values = this.#facts.assigned.get(name) ?? []
    const result = values.every((value) => this.computes(value))
    this.#known.set(name, result)
    return result
  }
}

const shorten = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100)
