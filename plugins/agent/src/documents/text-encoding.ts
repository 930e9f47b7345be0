const CHARSET = /<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s{0,9}=\s{0,9}["']?\s{0,9}([\w-]{2,40})/i
const HEAD = 2_048

/** Returns the text of bytes: by their byte order mark, by what they declare, as UTF-8, or else as Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return decodeAs('utf-8', bytes) ?? decodeAs(declaredIn(bytes), bytes) ?? new TextDecoder('windows-1252').decode(bytes)
}

function declaredIn(bytes: Uint8Array): string | undefined {
  return CHARSET.exec(Buffer.from(bytes.subarray(0, HEAD)).toString('latin1'))?.[1]
}

/** Returns the text in an encoding, or `undefined` where that is unknown or does not fit. */
function decodeAs(encoding: string | undefined, bytes: Uint8Array): string | undefined {
  if (encoding === undefined) return undefined
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
