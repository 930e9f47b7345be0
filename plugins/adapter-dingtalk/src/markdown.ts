import type { TextEntity } from '@mynah/plugin-chat/api'

type Marks = readonly [open: string, close: string]

const MARKS: Readonly<Record<string, Marks>> = {
  bold: ['**', '**'],
  italic: ['*', '*'],
  quote: ['> ', ''],
  code: ['`', '`'],
}

function marksOf({ type, url, language }: TextEntity): Marks {
  if (type === 'link') return ['[', `](${(url ?? '').replaceAll('(', '%28').replaceAll(')', '%29')})`]
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
    if (this.#isIn('code', 'pre')) this.out += unit
    // A line ends at two spaces; else DingTalk joins it with the next.
    else if (unit === '\n') this.out += this.#isIn('quote') ? '  \n> ' : '  \n'
    else this.out += /[\\*_`[\]]/.test(unit) ? `\\${unit}` : unit
  }
}

/** Returns a text with entities as DingTalk writes it, where other marks are shown as they are. */
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
