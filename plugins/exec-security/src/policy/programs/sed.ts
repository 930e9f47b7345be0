// Reads a script of sed command by command, as GNU sed does; what it cannot read, it says.

/** A command of sed that does more than edit: the text that it runs where that is told, the file that it reads or writes. */
interface SedAction {
  readonly runs?: string | undefined
  readonly file?: string | undefined
}

/** What a script of sed does beyond editing, and the part that could not be read. */
export interface SedScript {
  readonly actions: readonly SedAction[]
  readonly unread: string
}

/** Reads a script; every character is looked at once. */
export function parseSed(script: string): SedScript {
  const actions: SedAction[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const taken = pattern.exec(script)?.[0]
    at += taken?.length ?? 0
    return taken
  }
  /** The text up to a delimiter, which sed ends at a line without it. */
  const delimited = (mark: string): string | undefined => {
    const from = at
    for (; at < script.length && script[at] !== '\n'; at++) {
      if (script[at] === mark) return script.slice(from, at++)
      if (script[at] === '\\') at++
    }
    return undefined
  }
  /** Whether the addresses before a command could be read. */
  const addresses = (): boolean => {
    for (;;) {
      take(/[\s;{},!$~+\d]*/y)
      const mark = script[at] === '/' ? '/' : script[at] === '\\' ? script[++at] : undefined
      if (mark === undefined) return true
      at += 1
      if (mark === '\n' || delimited(mark) === undefined) return false
      take(/[IM]*/y)
    }
  }
  const command = (letter: string): boolean => {
    if ('=dDgGhHnNpPxzF'.includes(letter)) return true
    if ('qQlL'.includes(letter)) return take(/[ \t]*\d*/y) !== undefined
    // Versions differ in what ends a label.
    if ('btT:'.includes(letter)) {
      take(/[ \t]*[\w.-]*/y)
      take(/[ \t]*/y)
      return take(/(?=[;\n]|\}[;\s}]|\}?$)/y) !== undefined
    }
    if (letter === '#') return take(/[^\n]*/y) !== undefined
    if ('aic'.includes(letter)) return take(/(?:\\[^]|[^\\\n])*/y) !== undefined
    if (letter === 's' || letter === 'y') {
      const mark = script[at++]
      if (mark === undefined || mark === '\n' || mark === '\\' || delimited(mark) === undefined) return false
      const replacement = delimited(mark)
      if (replacement === undefined) return false
      const flags = take(/[gpiIMme\d]*/y) ?? ''
      if (flags.includes('e')) actions.push({ runs: replacement })
      if (script[at] !== 'w') return true
    } else if (letter === 'e') {
      actions.push({ runs: take(/[^\n]*/y)?.trim() })
      return true
    } else if (!'rRwW'.includes(letter)) {
      return false
    }
    actions.push({ file: take(/[^\n]*/y)?.replace(/^w?\s+/, '') })
    return true
  }
  for (;;) {
    const from = at
    const read = addresses()
    if (read && at >= script.length) return { actions, unread: '' }
    if (!read || !command(script[at++] ?? '') || take(/[ \t]*(?=[;}\n#]|$)/y) === undefined)
      return { actions, unread: script.slice(from) }
  }
}
