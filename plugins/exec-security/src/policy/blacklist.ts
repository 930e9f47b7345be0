// The commands that nothing can approve, recognised by the base name of the word, however it is spelled.

const NAMES = new Set(['sudo', 'sudoedit', 'su', 'eval', 'exec', 'dd', 'mkfs', 'gdb'])

/** Returns the forbidden name that a static command word stands for, or undefined. */
export function blacklisted(word: string): string | undefined {
  const base = baseName(word).toLowerCase()
  if (NAMES.has(base)) return base
  return base.startsWith('mkfs.') ? base : undefined
}

/** The last component of a command word. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1)
}

/** Whether program text that is not shell starts a forbidden command through a call that runs programs. */
export function codeRunsBlacklisted(code: string): string | undefined {
  if (!/child_process|exec|spawn|system|popen|subprocess|Bun\.\$|Deno|shell|`|\b(?:qx|open)\b|\|\s*getline|print\s*\|/.test(code)) return undefined
  for (const word of code.matchAll(/[\w./-]+/g)) {
    const [forbidden] = /^(?:sudo|su|dd|gdb|mkfs(?:\.\w+)?)$/.exec(baseName(word[0])) ?? []
    if (forbidden !== undefined && /^["'\s`,;|&)\]]?$/.test(code.charAt(word.index + word[0].length))) return forbidden
  }
  return undefined
}
