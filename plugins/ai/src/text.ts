// Text that any store and any provider takes: well formed, without NUL, of a bounded length.

type WellFormed = { isWellFormed(): boolean; toWellFormed(): string }

/** `text` without NUL and lone surrogates. */
export function clean(text: string): string {
  const known = text as string & WellFormed
  const formed = known.isWellFormed() ? text : known.toWellFormed()
  return formed.includes('\0') ? formed.replaceAll('\0', '\uFFFD') : formed
}

/** Returns the first `length` characters, not ending within a pair. */
export function head(text: string, length: number): string {
  if (text.length <= length) return text
  const code = text.charCodeAt(length - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length)
}

/** Returns the last `length` characters, not beginning within a pair. */
function tail(text: string, length: number): string {
  if (text.length <= length) return text
  const code = text.charCodeAt(text.length - length)
  return text.slice(text.length - length + (code >= 0xdc00 && code <= 0xdfff ? 1 : 0))
}

/** Cuts the middle out of a text over `max` characters, and says so. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const left = Math.ceil(max * 0.7)
  return `${head(text, left)}\n[… ${text.length - max} characters left out …]\n${tail(text, max - left)}`
}
