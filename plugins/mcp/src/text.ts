/** Returns the first `length` characters, not ending within a pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const code = text.charCodeAt(length - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length)
}

type WellFormed = { toWellFormed(): string }

/** Removes control characters but tabs and line breaks, and halves of pairs. */
export function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return (text as string & WellFormed).toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')
}
