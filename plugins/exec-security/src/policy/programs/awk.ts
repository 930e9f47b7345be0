const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }
/** A string, a comment, a regular expression where an operand is expected, or any other character. */
const PIECES = /"(?:\\[^]|[^"\\])*"|#[^\n]*|(?<=(?:^|[(,!~{};&|=\n])\s{0,8})\/(?:\\.|[^/\\\n])+\/|[^]/g

/**
 * Returns a program of awk as it is read: lines that continue are one, strings have their characters in place of
 * escapes, and those next to each other are one.
 */
export function plainAwk(code: string): string {
  const pieces = (code.replaceAll(/\\\r?\n/g, '').match(PIECES) ?? []).map((piece) =>
    piece.startsWith('"') && piece.length > 1 ? `"${unescaped(piece.slice(1, -1))}"` : piece,
  )
  return pieces.join('').replaceAll(/"[ \t]*"/g, '')
}

/** Returns the characters of a string. */
function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:([0-7]{1,3})|x([\da-fA-F]{1,2})|([^]))/g,
    (_, octal?: string, hex?: string, sign = '') => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      return ESCAPES[sign] ?? sign
    },
  )
}
