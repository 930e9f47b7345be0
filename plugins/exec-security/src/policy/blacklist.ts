import { anyOf } from './any-of.js'

/** The programs among them. Every file system has an mkfs of its own. */
export const FORBIDDEN_PROGRAMS: readonly string[] = ['sudo', 'sudoedit', 'su', 'dd', 'mkfs', 'gdb']
const NAMES = new Set([...FORBIDDEN_PROGRAMS, 'eval', 'exec'])

/** Returns the forbidden name of a static command word. */
export function blacklisted(word: string): string | undefined {
  const base = baseName(word).toLowerCase()
  if (NAMES.has(base)) return base
  return base.startsWith('mkfs.') ? base : undefined
}

/** The last component of a command word. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1)
}

/** The forbidden program that a word of a text names, as it is written there. */
export function programIn(word: string): string | undefined {
  const base = baseName(word)
  return FORBIDDEN_PROGRAMS.includes(base) || base.startsWith('mkfs.') ? base : undefined
}

/** Text before a command: a separator, a wrapper or a call that runs one. */
const OPENS = anyOf(
  /[({[!;|&`"'\n]\s{0,9}$|^\s*(?:env|nice|nohup|time|command|xargs|setsid)\s{1,9}$/i,
  /(?:exec|terminal|execute|spawn|system|shell|popen|command|cmd|write18|run-program|process)[\s("'`[{:]{0,9}$/i,
  /\bsh -c[\s("'`[{:]{0,9}$/i,
)

/**
 * Returns the forbidden command that a text names in the position of a command: at its beginning with arguments,
 * after a
 * separator or a call, or as the value of a name. A lone word is a name.
 */
export function textBlacklisted(text: string): string | undefined {
  for (const word of text.matchAll(/[\w./-]+/g)) {
    const forbidden = programIn(word[0])
    if (forbidden === undefined) continue
    const before = text.slice(Math.max(0, word.index - 40), word.index)
    const after = text.slice(word.index + word[0].length, word.index + word[0].length + 40)
    if (/^\s+\S/.test(after) && /^\s*$|[:=,>]\s*$/.test(before)) return forbidden
    if (/^(?:[\s"'`)\];|&,]|$)/.test(after) && OPENS.test(before)) return forbidden
  }
  return undefined
}
