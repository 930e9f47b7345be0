/** The end of a text that was cut. */
const MARK = '…'

type WellFormed = { isWellFormed(): boolean; toWellFormed(): string }

/** Returns a text that every store takes: without NUL and halves of surrogate pairs. */
export function storable(text: string): string {
  const known = text as string & WellFormed
  const formed = known.isWellFormed() ? text : known.toWellFormed()
  return formed.includes('\0') ? formed.replaceAll('\0', '\uFFFD') : formed
}

/** Returns a text of at most `max` UTF-16 code units. One that was cut ends with a mark, and between two characters. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const end = max - MARK.length
  const last = text.charCodeAt(end - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return `${text.slice(0, isHalf ? end - 1 : end)}${MARK}`
}
