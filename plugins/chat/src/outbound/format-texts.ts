import type { Awaitable } from '@mynah/kernel/util'
import type { Segment } from '@mynah/contract/types'
import { formatPlain } from '../api/formatting/format-tree.js'
import type { FormattedText, MarkdownTree, TextEntity } from '../api/formatting/formatted-text.js'
import { isFormatted, Text } from '../api/segments.js'
import { toText } from '../api/to-text.js'
import { markdownChunks } from './markdown-chunks.js'

/** Longer texts are sent as they are written: parsing them would hold up the host. */
const MAX_CHARS = 100_000
/** Lines so long, and quotes so deep, are not what a person reads but an attempt to hold up the host. */
const MAX_LINE = 4_000
const DEEP_QUOTE = /^(?: {0,3}>){30}/m
/** Characters and beginnings of lines without which Markdown is plain text. */
const MARKUP = /[*_`~[\]<>\\&|#]|^[ \t]*(?:[-+][ \t]|={3,}|-{3,})/m

/** Returns how a platform formats a document. */
export type Format = (tree: MarkdownTree) => FormattedText

let parse: ((source: string) => MarkdownTree) | undefined

/** Returns segments with formatted texts as the platform shows them; plain where `format` is absent. */
export function formatTexts(segments: readonly Segment[], format: Format = formatPlain): Awaitable<readonly Segment[]> {
  if (!segments.some(isFormatted)) return segments
  const isParsed = segments.some((part) => isFormatted(part) && needsParser(sourceOf(part)))
  if (isParsed && !parse) return loadParser().then(() => formatTexts(segments, format))
  return segments.map((part) => (isFormatted(part) ? formatted(sourceOf(part), format) : part))
}

const sourceOf = ({ data }: Segment): string => toText(data.text)
const needsParser = (source: string): boolean =>
  source.length <= MAX_CHARS && MARKUP.test(source) && !DEEP_QUOTE.test(source) && !hasLongLine(source)

function hasLongLine(source: string): boolean {
  for (let start = 0; start + MAX_LINE <= source.length;) {
    const end = source.indexOf('\n', start)
    if ((end === -1 ? source.length : end) - start >= MAX_LINE) return true
    start = end + 1
  }
  return false
}

async function loadParser(): Promise<void> {
  const { parseMarkdown } = await import('./markdown-parser.js')
  parse = parseMarkdown
}

function formatted(source: string, format: Format): Segment {
  if (!parse || !needsParser(source)) return Text(source)
  let text = ''
  const entities: TextEntity[] = []
  for (const chunk of markdownChunks(source)) {
    const piece = formatChunk(chunk, parse, format)
    if (piece.text.trim() === '') continue
    if (text !== '') text += '\n\n'
    for (const entity of piece.entities) entities.push({ ...entity, offset: entity.offset + text.length })
    text += piece.text
  }
  // A document may have no words, such as one that only defines addresses.
  if (text === '') return Text(source)
  return entities.length === 0 ? Text(text) : { type: 'text', data: { text, entities } }
}

function formatChunk(source: string, parser: (source: string) => MarkdownTree, format: Format): FormattedText {
  try {
    return format(parser(source))
  } catch (error) {
    // Elements nested so deeply that the stack is exhausted are no formatting that anybody meant.
    if (error instanceof RangeError) return { text: source, entities: [] }
    throw error
  }
}
