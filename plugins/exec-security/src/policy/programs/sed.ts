/** A command of sed that does more than edit: it runs a text, or reads or writes a file. */
interface SedAction {
  readonly runs?: string | undefined
  readonly file?: string | undefined
}

/** The actions of a script of sed beyond editing, and the part that could not be read. */
export interface SedScript {
  readonly actions: readonly SedAction[]
  readonly unread: string
}

/** Reads a script. Every character is looked at once. */
export function parseSed(script: string): SedScript {
  return new SedReader(script).read()
}

class SedReader {
  readonly #script: string
  readonly #actions: SedAction[] = []
  #at = 0

  constructor(script: string) {
    this.#script = script
  }

  read(): SedScript {
    for (;;) {
      const from = this.#at
      const read = this.#addresses()
      if (read && this.#at >= this.#script.length) return { actions: this.#actions, unread: '' }
      if (!read || !this.#command(this.#script[this.#at++] ?? '') || !this.#takes(/[ \t]*(?=[;}\n#]|$)/y))
        return { actions: this.#actions, unread: this.#script.slice(from) }
    }
  }

  /** Takes the text that a sticky pattern matches. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const taken = pattern.exec(this.#script)?.[0]
    this.#at += taken?.length ?? 0
    return taken
  }

  #takes(pattern: RegExp): boolean {
    return this.#take(pattern) !== undefined
  }

  /** Takes the text up to a delimiter, which sed ends at a line without it. */
  #delimited(mark: string): string | undefined {
    const script = this.#script
    const from = this.#at
    for (; this.#at < script.length && script[this.#at] !== '\n'; this.#at++) {
      if (script[this.#at] === mark) return script.slice(from, this.#at++)
      if (script[this.#at] === '\\') this.#at++
    }
    return undefined
  }

  /** Takes the addresses before a command. Returns false if they cannot be read. */
  #addresses(): boolean {
    for (;;) {
      this.#take(/[\s;{},!$~+\d]*/y)
      const escaped = this.#script[this.#at] === '\\' ? this.#script[++this.#at] : undefined
      const mark = this.#script[this.#at] === '/' && escaped === undefined ? '/' : escaped
      if (mark === undefined) return true
      this.#at += 1
      if (mark === '\n' || this.#delimited(mark) === undefined) return false
      this.#take(/[IM]*/y)
    }
  }

  /** Takes a command after its letter. Returns false if it cannot be read. */
  #command(letter: string): boolean {
    if ('=dDgGhHnNpPxzF'.includes(letter)) return true
    if ('qQlL'.includes(letter)) return this.#takes(/[ \t]*\d*/y)
    if ('btT:'.includes(letter)) return this.#label()
    if (letter === '#') return this.#takes(/[^\n]*/y)
    if ('aic'.includes(letter)) return this.#takes(/(?:\\[^]|[^\\\n])*/y)
    if (letter === 's' || letter === 'y') return this.#substitution()
    if (letter === 'e') {
      this.#actions.push({ runs: this.#take(/[^\n]*/y)?.trim() })
      return true
    }
    return 'rRwW'.includes(letter) && this.#file()
  }

  /** Takes a label. Versions of sed differ in what ends it. */
  #label(): boolean {
    this.#take(/[ \t]*[\w.-]*/y)
    this.#take(/[ \t]*/y)
    return this.#takes(/(?=[;\n]|\}[;\s}]|\}?$)/y)
  }

  #substitution(): boolean {
    const mark = this.#script[this.#at++]
    if (mark === undefined || mark === '\n' || mark === '\\' || this.#delimited(mark) === undefined) return false
    const replacement = this.#delimited(mark)
    if (replacement === undefined) return false
    const flags = this.#take(/[gpiIMme\d]*/y) ?? ''
    if (flags.includes('e')) this.#actions.push({ runs: replacement })
    return this.#script[this.#at] !== 'w' || this.#file()
  }

  #file(): boolean {
    this.#actions.push({ file: this.#take(/[^\n]*/y)?.replace(/^w?\s+/, '') })
    return true
  }
}
