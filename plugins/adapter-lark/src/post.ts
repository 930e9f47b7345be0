import type { TextEntity } from '@mynah/plugin-chat/api'

/** A part of a line of a formatted message. */
export type Part = Readonly<Record<string, unknown>>

const STYLES: Readonly<Record<string, string>> = { bold: 'bold', italic: 'italic', strikethrough: 'lineThrough' }

function partOf(text: string, active: readonly TextEntity[]): Part {
  const link = active.find(({ type }) => type === 'link')
  const style = active.flatMap(({ type }) => STYLES[type] ?? [])
  const styled = style.length > 0 ? { style } : {}
  return link?.url === undefined ? { tag: 'text', text, ...styled } : { tag: 'a', text, href: link.url, ...styled }
}

/** Returns a text with entities as lines of parts, in which no character has a meaning of its own. */
export function linesOf(text: string, entities: readonly TextEntity[]): Part[][] {
  const ends = entities.flatMap(({ offset, length }) => [offset, offset + length])
  const bounds = [...new Set([0, ...ends, text.length])].filter((at) => at <= text.length).sort((a, b) => a - b)
  const lines: Part[][] = [[]]
  for (const [index, from] of bounds.entries()) {
    const to = bounds[index + 1] ?? text.length
    if (to === from) continue
    const active = entities.filter(({ offset, length }) => offset <= from && to <= offset + length)
    const code = active.find(({ type }) => type === 'pre')
    if (code) {
      const language = code.language ? { language: code.language } : {}
      lines.push([{ tag: 'code_block', ...language, text: text.slice(from, to) }], [])
      continue
    }
    for (const [count, line] of text.slice(from, to).split('\n').entries()) {
      if (count > 0) lines.push([])
      if (line !== '') lines.at(-1)?.push(partOf(line, active))
    }
  }
  return lines
}
