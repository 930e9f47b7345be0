import { fenceAfter } from './markdown-chunks.js'

/** The beginning of a text, and the rest. */
export interface CutText {
  /** The text that is shown. Where a fenced block was cut, it has the end of the block. */
  readonly text: string
  /** UTF-16 units of the text that it has. */
  readonly length: number
  readonly rest: string
}

/** A longer first line of a fenced block is not repeated. */
const MAX_FENCE_LINE = 64
/** UTF-16 units in which the boundary of a grapheme is searched for. */
const GRAPHEME_WINDOW = 64
const BREAKS = ['\n\n', '\n', ' '] as const

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Cuts the beginning off a text: after a paragraph, a line or a word, and never within a grapheme.
 *
 * @param room code points that the beginning may have
 * @param whole code points that a beginning may have at most. One that fits there, and not in `room`, is not cut within
 * a word
 * @param fenced whether a fenced block that is cut ends here and begins again in the rest
 */
export function cutText(text: string, room: number, whole: number, fenced: boolean): CutText {
  const end = indexAfter(text, room)
  if (end === text.length) return { text, length: end, rest: '' }
  const at = breakBefore(text, end, room < whole)
  const cut: CutText = { text: text.slice(0, at), length: at, rest: text.slice(at) }
  return fenced && at > 0 ? (withinFence(text, room, whole, cut) ?? cut) : cut
}

/** Returns the index after so many code points. */
function indexAfter(text: string, count: number): number {
  if (text.length <= count) return text.length
  let index = 0
  for (let left = count; left > 0 && index < text.length; left--)
    index += (text.codePointAt(index) as number) > 0xffff ? 2 : 1
  return index
}

/** Returns the index of the last good place to cut, at most `end`; 0 where words would be cut and may not be. */
function breakBefore(text: string, end: number, mayBeEmpty: boolean): number {
  for (const mark of BREAKS) {
    const at = text.lastIndexOf(mark, end - mark.length)
    if (at > 0 && at + mark.length >= end / 2) return at + mark.length
  }
  if (mayBeEmpty) return 0
  const from = Math.max(0, end - GRAPHEME_WINDOW)
  let boundary = 0
  for (const { index } of graphemes.segment(text.slice(from, end + GRAPHEME_WINDOW))) {
    if (from + index > end) break
    boundary = from + index
  }
  return boundary > from ? boundary : end
}

/** Returns the cut with the fences of the block that it divides; `undefined` where it divides none. */
function withinFence(text: string, room: number, whole: number, { text: head }: CutText): CutText | undefined {
  let opening = ''
  let fence: string | undefined
  for (const line of head.split('\n')) {
    const before = fence
    fence = fenceAfter(line, fence)
    if (fence !== undefined && before === undefined) opening = line
  }
  if (fence === undefined || opening.length > MAX_FENCE_LINE || whole < 4 * MAX_FENCE_LINE) return undefined
  const closing = `\n${fence}`
  const at = breakBefore(text, indexAfter(text, Math.max(1, room - closing.length)), false)
  // Only the first line of the block would be shown: the whole block goes to the next part.
  const begin = text.lastIndexOf(`${opening}\n`, at)
  if (begin + opening.length + 1 >= at) {
    if (begin === 0 && room === whole) return undefined
    return { text: text.slice(0, begin), length: begin, rest: text.slice(begin) }
  }
  const shown = text.slice(0, at)
  const rest = text.slice(at)
  return {
    text: `${shown.replace(/\n$/, '')}${closing}`,
    length: at,
    rest: isEndOf(rest, fence) ? rest.slice(rest.indexOf(fence) + fence.length) : `${opening}\n${rest}`,
  }
}

/** Whether a text begins with the end of a fenced block. */
const isEndOf = (rest: string, fence: string): boolean => rest.trimStart().startsWith(fence)
