// The encoding of texts that say nothing about it, for tools and documents. The library with its models of languages is
// loaded with the first text that is not UTF-8.

/** Bytes that the encoding is looked for in: enough for its statistics. */
const SAMPLE_BYTES = 64 * 1024
/** Confidence below which an encoding is only the best guess, as for a handful of letters. */
const SURE = 0.05
/** Western texts look much like those of their neighbours, and are by far the most frequent. */
const WESTERN = new Set(['windows-1252', 'iso-8859-1'])
const WESTERN_SHARE = 0.8
const LATIN = /^(?:windows-125[0247]|iso-8859-(?:[1-4]|9|1[0-6])|macintosh)$/
/** The names of Windows for encodings that `TextDecoder` calls otherwise. */
const LABELS: Readonly<Record<string, string>> = { cp932: 'shift_jis', cp949: 'euc-kr', cp950: 'big5' }

/** How the bytes of a text are read. */
export interface TextEncoding {
  /** A label for `TextDecoder`. */
  readonly label: string
  /** Whether the bytes are too few to be sure. */
  readonly isGuess: boolean
}

/** Returns the encoding of a text: by its byte order mark, as UTF-8, as it declares, or by its statistics. */
export async function encodingOf(bytes: Uint8Array, declared?: string): Promise<TextEncoding> {
  const sure = (label: string): TextEncoding => ({ label, isGuess: false })
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return sure('utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return sure('utf-16be')
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  if (fits('utf-8', sample)) return sure('utf-8')
  if (declared !== undefined && fits(declared, sample)) return sure(declared)
  const { detectAll } = await import('jschardet')
  const found = detectAll(sample)
    .map(({ encoding, confidence }) => ({ label: labelOf(encoding ?? ''), confidence }))
    .filter(({ label }) => fits(label, sample))
  const [best] = found
  if (!best) return { label: 'windows-1252', isGuess: true }
  const isGuess = best.confidence < SURE
  const western = found.find(({ label }) => WESTERN.has(label))?.confidence ?? 0
  const isWestern = western >= best.confidence * WESTERN_SHARE || (isGuess && LATIN.test(best.label))
  return { label: isWestern ? 'windows-1252' : best.label, isGuess }
}

/** Returns the text of bytes in an encoding. */
export function textIn(label: string, bytes: Uint8Array): string {
  const decoder = new TextDecoder(label)
  // Decoded at once, Node 20 takes Windows-1252 for ISO 8859-1.
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}

const labelOf = (name: string): string => LABELS[name.toLowerCase()] ?? name.toLowerCase()

/** Returns whether bytes, which may end within a character, are a text in an encoding that is known here. */
function fits(label: string, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
