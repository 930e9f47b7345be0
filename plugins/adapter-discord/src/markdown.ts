import type { TextEntity } from '@mynah/plugin-chat/api'

type Marks = readonly [open: string, close: string]

const MARKS: Readonly<Record<string, Marks>> = {
  bold: ['**', '**'],
  italic: ['*', '*'],
  strikethrough: ['~~', '~~'],
  quote: ['> ', ''],
  code: ['`', '`'],
}

function marksOf({ type, url, language }: TextEntity): Marks {
  if (type === 'link') return ['[', `](<${(url ?? '').replaceAll('>', '%3E')}>)`]
  if (type === 'pre') return [`\`\`\`${language ?? ''}\n`, '\n```']
  return MARKS[type] ?? ['', '']
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
    const isMark = !this.#isIn('code', 'pre') && /[\\*`~|]/.test(unit)
    this.out += isMark ? `\\${unit}` : unit
    if (unit === '\n' && this.#isIn('quote')) this.out += '> '
  }
}

/** Returns a text with entities as Discord writes it, where other marks are shown as they are. */
export function markdownOf(text: string, entities: readonly TextEntity[]): string {
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
