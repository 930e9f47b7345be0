import type { TextEntity } from '@mynah/plugin-chat/api'

/** Returns a text in which Slack sees no mention, link or word for all. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const MARKS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  bold: ['*', '*'],
  italic: ['_', '_'],
  strikethrough: ['~', '~'],
  quote: ['>', ''],
  code: ['`', '`'],
  pre: ['```\n', '\n```'],
}

function marksOf({ type, url = '' }: TextEntity): readonly [open: string, close: string] {
  if (type !== 'link') return MARKS[type] ?? ['', '']
  return [`<${escapeText(url.replace(/[<>|]/g, encodeURIComponent))}|`, '>']
}

/** Writes a text with the marks that are open at each place. */
class Writer {
  readonly #open: { readonly end: number; readonly close: string; readonly type: string }[] = []
  out = ''

  #isIn(...types: readonly string[]): boolean {
    return this.#open.some(({ type }) => types.includes(type))
  }

  closeBefore(at: number): void {
    for (let last = this.#open.at(-1); last && last.end <= at; last = this.#open.at(-1)) {
      this.out += last.close
      this.#open.pop()
    }
  }

  begin(entity: TextEntity): void {
    if (this.#isIn('code', 'pre')) return
    const [before, close] = marksOf(entity)
    this.out += before
    this.#open.push({ end: entity.offset + entity.length, close, type: entity.type })
  }

  write(unit: string): void {
    this.out += escapeText(unit)
    if (unit === '\n' && this.#isIn('quote')) this.out += '>'
  }
}

/** Returns a text with entities as Slack writes it. */
export function mrkdwnOf(text: string, entities: readonly TextEntity[]): string {
  const writer = new Writer()
  const waiting = [...entities]
  for (let at = 0; at <= text.length; at++) {
    writer.closeBefore(at)
    for (let next = waiting[0]; next && next.offset <= at; next = waiting[0]) {
      writer.begin(next)
      waiting.shift()
    }
    writer.write(text.charAt(at))
  }
  return writer.out
}

/** Returns the parts of a text that each have at most so many characters. No mark is cut. */
export function cutAt(limit: number, text: string): string[] {
  const parts = ['']
  for (const [unit] of text.matchAll(/&(?:amp|lt|gt);|<[^<>]{1,2000}>|./gsu)) {
    if ((parts.at(-1) ?? '').length + unit.length > limit) parts.push('')
    parts[parts.length - 1] += unit
  }
  return parts.filter((part) => part.trim() !== '')
}
