// The text that echo and printf write, where their arguments tell it exactly.

const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\\\': '\\' }

/** Returns what a command writes to standard output, or undefined where that is not plain from its words. */
export function printedText(name: string, args: readonly string[]): string | undefined {
  if (name === 'echo') return echoed(args)
  return name === 'printf' ? formatted(args) : undefined
}

function echoed(args: readonly string[]): string | undefined {
  let at = 0
  let escapes = false
  for (; /^-[neE]+$/.test(args[at] ?? ''); at++) {
    for (const letter of args[at] ?? '') if (letter !== 'n' && letter !== '-') escapes = letter === 'e'
  }
  const text = args.slice(at).join(' ')
  if (!text.includes('\\')) return text
  // Shells differ in whether they look at backslashes without the option.
  return escapes ? unescape(text) : undefined
}

function formatted(args: readonly string[]): string | undefined {
  const [format, ...values] = args[0] === '--' ? args.slice(1) : args
  if (format === undefined || format.startsWith('-')) return undefined
  const pieces = format.split(/(%.?)/s)
  if (pieces.some((piece) => piece.startsWith('%') && piece !== '%s' && piece !== '%%')) return undefined
  const wanted = pieces.filter((piece) => piece === '%s').length
  let text = ''
  let next = 0
  do {
    for (const piece of pieces) {
      const plain = piece === '%s' ? (values[next] ?? '') : piece === '%%' ? '%' : unescape(piece)
      if (plain === undefined) return undefined
      if (piece === '%s') next += 1
      text += plain
    }
  } while (wanted > 0 && next < values.length)
  return text
}

function unescape(text: string): string | undefined {
  const escapes = text.match(/\\./gs) ?? []
  if (escapes.some((escape) => ESCAPES[escape] === undefined) || /(?<!\\)(?:\\\\)*\\$/.test(text)) return undefined
  return text.replaceAll(/\\./gs, (escape) => ESCAPES[escape] ?? escape)
}
