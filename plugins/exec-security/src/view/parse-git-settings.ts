/** One setting of git. The names of its section and its key are in lower case. */
export interface GitSetting {
  readonly section: string
  readonly subsection?: string | undefined
  readonly key: string
  /** Absent for a key alone, which means true. */
  readonly value?: string | undefined
}

/** A section: its name, and that of a subsection in quotes. */
const HEADER = /\[([a-zA-Z\d.-]+)(?:[ \t]+"((?:\\[^\n]|[^"\\\n])*)")?\]/y
/** Blanks, ends of lines and comments, between settings. */
const BETWEEN = /(?:[ \t\n]|[#;][^\n]*(?:\n|$))+/y
const KEY = /([a-zA-Z][a-zA-Z\d-]*)[ \t]*(?:(=)[ \t]*|(?=\n|$))/y
/** A piece of a value: text in quotes, a character with a backslash, blanks, any other text. */
const PIECE = /"((?:\\[^]|[^"\\\n])*)"|(\\[^])|([ \t]+)|([^"\\\n#; \t]+)/y

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '\\': '\\', '"': '"', '\n': '' }

/** Reads settings as git does, up to the first mistake. Git itself would refuse all of them. */
export function parseGitSettings(text: string): readonly GitSetting[] {
  return new SettingsParser(text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')).parse()
}

class SettingsParser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): readonly GitSetting[] {
    const settings: GitSetting[] = []
    let section: Pick<GitSetting, 'section' | 'subsection'> | undefined
    for (this.#take(BETWEEN); this.#at < this.#text.length; this.#take(BETWEEN)) {
      const header = this.#take(HEADER)
      if (header !== undefined) {
        section = sectionOf(header[1] ?? '', header[2])
        continue
      }
      const key = this.#take(KEY)
      const value = key?.[2] === undefined ? undefined : this.#value()
      if (key === undefined || section === undefined || value === null) break
      settings.push({ ...section, key: (key[1] ?? '').toLowerCase(), value })
    }
    return settings
  }

  /** Returns a value without the blanks at its end, or null where it is none. */
  #value(): string | null {
    let value = ''
    let blanks = ''
    for (let piece = this.#take(PIECE); piece !== undefined; piece = this.#take(PIECE)) {
      const [whole, quoted, escaped, blank] = piece
      if (blank !== undefined) {
        blanks += blank
        continue
      }
      const text = unescaped(quoted ?? escaped ?? whole)
      if (text === undefined) return null
      value += blanks + text
      blanks = ''
    }
    const next = this.#text[this.#at]
    return next === undefined || /[\n#;]/.test(next) ? value : null
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found !== null) this.#at = pattern.lastIndex
    return found ?? undefined
  }
}

/** In the old form the subsection follows a point, in lower case. */
function sectionOf(name: string, quoted: string | undefined): Pick<GitSetting, 'section' | 'subsection'> {
  const [section = '', ...rest] = name.toLowerCase().split('.')
  const parts = quoted === undefined ? rest : [...rest, quoted.replaceAll(/\\([^])/g, '$1')]
  return { section, subsection: parts.length === 0 ? undefined : parts.join('.') }
}

/** Returns a text with what its backslashes stand for, or undefined where git knows no such sign. */
function unescaped(text: string): string | undefined {
  const signs = [...text.matchAll(/\\([^])/g)].map(([, sign = '']) => sign)
  return signs.every((sign) => Object.hasOwn(ESCAPES, sign))
    ? text.replaceAll(/\\([^])/g, (_, sign: string) => ESCAPES[sign] ?? '')
    : undefined
}
