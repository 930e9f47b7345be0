import { Html, renderToPlainText } from '@mynah/plugin-chat/api'

const TEXT_LENGTH = 65_536
/** Characters with which commands begin. A subject before them would hide them. */
const COMMAND = /^[^\p{L}\p{N}\s]/u

const isQuote = (line: string): boolean => line.startsWith('>')
const isBlank = (line: string): boolean => line.trim() === ''

/** Removes the signature, and the quoted mail below the text with the line that introduces it. */
export function withoutQuote(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const signature = lines.findIndex((line) => line === '-- ')
  if (signature >= 0) lines.length = signature
  let end = lines.length
  const skip = (test: (line: string) => boolean): boolean => {
    const before = end
    while (end > 0 && test(lines[end - 1] as string)) end--
    return end < before
  }
  skip(isBlank)
  if (skip((line) => isQuote(line) || isBlank(line)) && lines.slice(end).some(isQuote)) {
    // "On Monday Alice wrote:" in any language, in one line or two.
    const last = (lines[end - 1] ?? '').trimEnd()
    const before = (lines[end - 2] ?? '').trimEnd()
    if (/[:：]$/.test(last)) end -= /[,，]$/.test(before) || !/[\d@]/.test(last) ? Math.min(2, end) : 1
    skip(isBlank)
  }
  return lines.slice(0, end).join('\n')
}

/** Returns the words of a mail. The subject belongs to the first mail of a thread. */
export function wordsOf({
  text = '',
  html = '',
  subject = '',
  isFirst,
}: {
  readonly text?: string | undefined
  readonly html?: string | undefined
  readonly subject?: string | undefined
  readonly isFirst: boolean
}): string {
  const clean = (part: string): string => part.slice(0, TEXT_LENGTH).replaceAll('\0', '')
  const plain = clean(text)
  const body = withoutQuote(plain.trim() === '' ? renderToPlainText([Html(clean(html))]) : plain).trim()
  const title = clean(subject).trim()
  if (body === '') return title
  return isFirst && title !== '' && !COMMAND.test(body) ? `${title}\n\n${body}` : body
}
