const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Characters that take two columns. */
const WIDE = new RegExp(
  String.raw`^(?:\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Emoji_Presentation}` +
    String.raw`|[\u3000-\u303f\uff01-\uff60])`,
  'u',
)
/** The widest column that is filled up. A longer cell moves the rest of its row. */
const WIDEST = 40

/** How the cells of a column are aligned. */
export type Alignment = 'left' | 'right' | 'center' | null

/** Returns the number of columns that a text takes in a fixed-width font. */
function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

function padded(text: string, width: number, alignment: Alignment | undefined): string {
  const gap = Math.max(0, width - widthOf(text))
  if (alignment === 'right') return ' '.repeat(gap) + text
  if (alignment === 'center') return ' '.repeat(Math.floor(gap / 2)) + text + ' '.repeat(Math.ceil(gap / 2))
  return text + ' '.repeat(gap)
}

/** Returns a table as lines with aligned columns. The first row is the head. */
export function tableLines(rows: readonly (readonly string[])[], alignments: readonly Alignment[]): string {
  const [head = []] = rows
  const widths = head.map((_cell, column) =>
    Math.max(3, ...rows.map((row) => Math.min(widthOf(row[column] ?? ''), WIDEST))),
  )
  const lineOf = (row: readonly string[]): string =>
    widths
      .map((width, column) => padded(row[column] ?? '', width, alignments[column]))
      .join(' | ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-')
  return [lineOf(head), rule, ...rows.slice(1).map(lineOf)].join('\n')
}
