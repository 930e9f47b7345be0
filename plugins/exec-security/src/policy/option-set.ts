// The options that a table knows, and what a name or the beginning of one may stand for.
import { names, type Effect, type ProgramSpec } from './programs/program-spec.js'

export interface Option {
  readonly kind: 'flag' | 'value' | 'optional' | 'pair'
  readonly effect: Effect
  readonly name: string
}

const compiled = new WeakMap<ProgramSpec, OptionSet>()

/** The options of one table. */
export class OptionSet {
  readonly #all = new Map<string, Option>()
  readonly #exact: boolean
  /** What they may do. */
  readonly effects: ReadonlySet<Effect>

  constructor(table: ProgramSpec) {
    this.#exact = table.exact === true
    const kinds = [
      ['flag', { text: `${table.flags ?? ''} ${table.recursive ?? ''}` }],
      ['flag', table.acts],
      ['value', table.values],
      ['optional', table.optional],
      ['pair', table.pairs],
    ] as const
    for (const [kind, options] of kinds) {
      for (const [effect, list] of Object.entries(options ?? {}))
        for (const name of names(list)) this.#all.set(name, { kind, effect: effect as Effect, name })
    }
    this.effects = new Set([...this.#all.values()].map(({ effect }) => effect))
  }

  /** Found once for each table. */
  static of(table: ProgramSpec): OptionSet {
    const known = compiled.get(table) ?? new OptionSet(table)
    compiled.set(table, known)
    return known
  }

  /** The option of exactly this name. */
  get(name: string): Option | undefined {
    return this.#all.get(name)
  }

  /** The option that a letter of a cluster stands for. */
  letter(letter: string): Option | undefined {
    return this.#all.get(letter) ?? this.#all.get('*')
  }

  /** The options that a long name, or the beginning of one, may mean. */
  find(name: string): readonly Option[] {
    const known = this.#all.get(name)
    if (known !== undefined && name.length > 1) return [known]
    const all = [...this.#all.values()]
    // Of several families the one that says most is meant.
    const families = all.filter(
      (option) => option.name.length > 1 && option.name.endsWith('*') && name.startsWith(option.name.slice(0, -1)),
    )
    const family = families.sort((a, b) => b.name.length - a.name.length)[0] ?? this.#all.get('*')
    if (family !== undefined) return [family]
    return this.#exact || name === ''
      ? []
      : all.filter((option) => option.name.length > 1 && option.name.startsWith(name))
  }
}
