import type { Arg } from '../words.js'
import type { PlatformCli } from '../types.js'

/** Returns the sensitive subcommand that a call names or may turn out to be, or undefined. */
export function sensitiveSubcommand(cli: PlatformCli, args: readonly Arg[]): string | undefined {
  const words: string[] = []
  for (const arg of args) {
    if (arg.value === undefined) {
      // A computed word may be any subcommand, except after two words that begin no sensitive one, or with a blank in
      // it.
      const [first = ''] = words
      const late =
        words.length >= 2 && !cli.sensitive.some((entry) => entry.trim().toLowerCase().split(/\s+/, 1)[0] === first)
      if (arg.splits || (!late && !(words.length > 0 && /\s/.test(arg.shape)))) return arg.text
      continue
    }
    if (!arg.value.startsWith('-')) words.push(arg.value.toLowerCase())
    else if (arg.value.includes('=')) words.push(arg.value.slice(arg.value.indexOf('=') + 1).toLowerCase())
  }
  return cli.sensitive.find((entry) => {
    const wanted = entry.trim().toLowerCase().split(/\s+/)
    let at = 0
    for (const word of words) if (word === wanted[at]) at += 1
    return wanted[0] !== '' && at === wanted.length
  })
}
