const utf8 = new TextDecoder('utf-8', { fatal: true })
const western = new TextDecoder('windows-1252')

/** The characters of UTF-8 that take more than one byte, in a string with one character for each byte. */
const WIDE = new RegExp(
  [
    '[\\xc2-\\xdf][\\x80-\\xbf]',
    '\\xe0[\\xa0-\\xbf][\\x80-\\xbf]',
    '[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}',
    '\\xed[\\x80-\\x9f][\\x80-\\xbf]',
    '\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}',
    '[\\xf1-\\xf3][\\x80-\\xbf]{3}',
    '\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}',
  ].join('|'),
  'g',
)
/** The start of such a character, at the end of a text or of a CTCP message. */
const CUT = /(?:[\xe0-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{1,2})(?=\x01?$)/

/**
 * Reads a line as UTF-8, or as windows-1252 where it is not. Servers and bridges cut lines by bytes: a piece of a
 * character is left out.
 */
export function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return cutUtf8(bytes.toString('latin1')) ?? western.decode(bytes)
    throw error
  }
}

/** Returns a text of which pieces of characters are left out, or `undefined` where it does not look like UTF-8. */
function cutUtf8(raw: string): string | undefined {
  const others = raw.replaceAll(WIDE, '')
  const pieces = others.match(/[\x80-\xff]+/g)?.join('') ?? ''
  const wide = raw.length - others.length
  // A text in windows-1252 has hardly ever a whole character of UTF-8, and seldom two such bytes at its end.
  if (wide < pieces.length && !(wide === 0 && CUT.exec(others)?.[0] === pieces)) return undefined
  const kept = raw.match(new RegExp(`[\\x00-\\x7f]+|${WIDE.source}`, 'g'))?.join('') ?? ''
  return Buffer.from(kept, 'latin1').toString('utf8')
}
