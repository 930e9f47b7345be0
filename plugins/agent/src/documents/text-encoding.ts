import { encodingOf, textIn } from '@mynah/plugin-ai/api'
import { DocumentError } from './limits.js'

const CHARSET = /<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s{0,9}=\s{0,9}["']?\s{0,9}([\w-]{2,40})/i
const HEAD = 2_048

/** The text of bytes, with the encoding that is only a guess. */
interface DecodedText {
  readonly text: string
  readonly guess?: string
}

/** Returns the text of bytes. */
export async function decodeText(bytes: Uint8Array): Promise<DecodedText> {
  const { label, isGuess } = await encodingOf(bytes, declaredIn(bytes))
  return { text: textIn(label, bytes), ...(isGuess ? { guess: label } : {}) }
}

/** @throws {@link DocumentError} where the encoding is only a guess */
export function assertSure({ guess }: DecodedText): void {
  if (guess !== undefined)
    throw new DocumentError(`its encoding is unknown, and letters may be wrong: it was read as ${guess}`)
}

function declaredIn(bytes: Uint8Array): string | undefined {
  return CHARSET.exec(Buffer.from(bytes.subarray(0, HEAD)).toString('latin1'))?.[1]
}
