import type { Effect, Option, ProgramSpec } from './programs/program-spec.js'

const sets = new WeakMap<ProgramSpec, OptionSet>()

/** The options of one program, looked up by name, letter or abbreviation. */
export class OptionSet {
  readonly #options: ReadonlyMap<string, Option>
  readonly #abbreviates: boolean
  /** Everything that the options may do. */
  readonly effects: ReadonlySet<Effect>

  constructor({ options, noAbbreviations }: ProgramSpec) {
    this.#options = options
    this.#abbreviates = noAbbreviations !== true
    this.effects = new Set([...options.values()].map(({ effect }) => effect))
  }

  /** Returns the option set of a program, built once. */
  static of(spec: ProgramSpec): OptionSet {
    const known = sets.get(spec) ?? new OptionSet(spec)
    sets.set(spec, known)
    return known
  }

  /** Returns the option of exactly this name. */
  get(name: string): Option | undefined {
    return this.#options.get(name)
  }

  /** Returns the option of a letter in a cluster. */
  letter(letter: string): Option | undefined {
    return this.#options.get(letter) ?? this.#options.get('*')
  }

  /** Returns the options that a long name, or an abbreviation of one, may mean. */
  find(name: string): readonly Option[] {
    const known = this.#options.get(name)
    if (known !== undefined && name.length > 1) return [known]
    const all = [...this.#options.values()].filter((option) => option.name.length > 1)
    // Of several families the longest name wins.
    const families = all.filter((option) => option.name.endsWith('*') && name.startsWith(option.name.slice(0, -1)))
    const family = families.sort((a, b) => b.name.length - a.name.length)[0] ?? this.#options.get('*')
    if (family !== undefined) return [family]
    return !this.#abbreviates || name === '' ? [] : all.filter((option) => option.name.startsWith(name))
  }
}
