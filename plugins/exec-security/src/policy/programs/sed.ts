/** Blanks, ends of commands, and braces around them. */
const BETWEEN = /[\s;{}]+/y
/** One address: a number, a step, the last line, a pattern with its flags. One behind a comma may be relative. */
const ADDRESS = /[~+]?\d+(?:~\d+)?|\$|\/(?:\\[^]|[^/\\\n])*\/[IM]*|\\([^\\\n])(?:\\[^]|(?!\1)[^\\\n])*\1[IM]*/y
const COMMA = /[ \t]*,[ \t]*/y
const NEGATION = /[ \t!]+/y
const REST_OF_LINE = /[^\n]*/y
/** Text that goes on behind a backslash at the end of a line. */
const TEXT = /(?:\\[^]|[^\\\n])*/y
const LABEL = /[^\n;]*/y
/** A command of one letter, perhaps with a number. */
const LETTER = /[=dDgGhHlnNpPqQxzFLv][ \t]*\d*/y
const FLAGS = /[gpeiIMm\d]*/y

/**
 * Returns the texts that a script of sed gives to a shell: by the command `e`, and by replacements with the flag of
 * that name. Text behind a command that is not known is not read.
 */
export function sedScripts(script: string): readonly string[] {
  return new SedReader(script).read()
}

class SedReader {
  readonly #script: string
  readonly #found: string[] = []
  #at = 0

  constructor(script: string) {
    this.#script = script
  }

  read(): readonly string[] {
    do {
      this.#take(BETWEEN)
      this.#addresses()
    } while (this.#at < this.#script.length && this.#command())
    return this.#found
  }

  #addresses(): void {
    if (this.#take(ADDRESS) !== '' && this.#take(COMMA) !== '') this.#take(ADDRESS)
    this.#take(NEGATION)
  }

  /** Reads a command. Returns false where it is not known. */
  #command(): boolean {
    if (this.#take(LETTER) !== '') return true
    const letter = this.#script[this.#at++] ?? ''
    switch (letter) {
      case '{':
      case '}':
        return true
      case 'e':
        this.#found.push(this.#take(REST_OF_LINE).trim())
        return true
      case 's':
        return this.#replacement()
      case 'y':
        this.#parts()
        return true
      case 'a':
      case 'i':
      case 'c':
        this.#take(TEXT)
        return true
      case ':':
      case 'b':
      case 't':
      case 'T':
        this.#take(LABEL)
        return true
      default:
        this.#take(REST_OF_LINE)
        return /[#rRwW]/.test(letter)
    }
  }

  #replacement(): boolean {
    const text = this.#parts()
    const flags = this.#take(FLAGS)
    if (flags.includes('e')) this.#found.push(unescaped(text))
    // The name of a file goes on to the end of the line.
    if (this.#script[this.#at] === 'w') this.#take(REST_OF_LINE)
    return true
  }

  /** Takes two parts behind the sign that separates them, and returns the second one. */
  #parts(): string {
    const sign = this.#script[this.#at++] ?? ''
    this.#part(sign)
    return this.#part(sign)
  }

  #part(sign: string): string {
    const from = this.#at
    for (; this.#at < this.#script.length && this.#script[this.#at] !== sign; this.#at++)
      if (this.#script[this.#at] === '\\') this.#at += 1
    return this.#script.slice(from, this.#at++)
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [found = ''] = pattern.exec(this.#script) ?? []
    this.#at += found.length
    return found
  }
}

/** Returns a replacement with the characters that its escapes stand for. Parts of what was found stay. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/\\x([\da-fA-F]{2})/g, (_, digits: string) => character(digits, 16))
    .replaceAll(/\\o([0-7]{3})/g, (_, digits: string) => character(digits, 8))
    .replaceAll(/\\d(\d{3})/g, (_, digits: string) => character(digits, 10))
    .replaceAll(/\\[n\n]/g, '\n')
    .replaceAll(/\\[lLuUE]/g, '')

const character = (digits: string, base: number): string => String.fromCharCode(Number.parseInt(digits, base))
