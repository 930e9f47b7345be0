import type { TextEntity } from '@mynah/plugin-chat/api'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Returns text as HTML that shows the same. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character).replaceAll('\n', '<br/>')

function tagsOf({ type, url, language }: TextEntity): readonly [start: string, end: string] {
  switch (type) {
    case 'bold':
      return ['<strong>', '</strong>']
    case 'italic':
      return ['<em>', '</em>']
    case 'strikethrough':
      return ['<del>', '</del>']
    case 'code':
      return ['<code>', '</code>']
    case 'quote':
      return ['<blockquote>', '</blockquote>']
    case 'link':
      return [`<a href="${escapeHtml(url ?? '')}">`, '</a>']
    case 'pre': {
      const name = language === undefined ? '' : ` class="language-${escapeHtml(language)}"`
      return [`<pre><code${name}>`, '</code></pre>']
    }
  }
}

/** Returns a text with entities as HTML. An entity contains a later one, or ends before it. */
export function htmlOf(text: string, entities: readonly TextEntity[]): string {
  const open: { readonly until: number; readonly end: string; readonly isPre: boolean }[] = []
  let html = ''
  let at = 0
  const write = (to: number): void => {
    const piece = escapeHtml(text.slice(at, to))
    html += open.some(({ isPre }) => isPre) ? piece.replaceAll('<br/>', '\n') : piece
    at = Math.max(at, to)
  }
  const closeBefore = (offset: number): void => {
    for (let last = open.at(-1); last && last.until <= offset; last = open.at(-1)) {
      write(last.until)
      html += last.end
      open.pop()
    }
  }
  for (const entity of entities) {
    closeBefore(entity.offset)
    write(entity.offset)
    const [start, end] = tagsOf(entity)
    html += start
    open.push({ until: entity.offset + entity.length, end, isPre: entity.type === 'pre' })
  }
  closeBefore(Infinity)
  write(text.length)
  return html
}
