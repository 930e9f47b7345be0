import type { TextEntity } from '@mynah/plugin-chat/api'
import type { MessageEntity } from 'grammy/types'

export interface RichText {
  readonly text: string
  readonly entities: readonly MessageEntity[]
}

/** UTF-16 units of a message. Telegram counts characters after parsing, which are never more. */
const MESSAGE_LENGTH = 4096
export const CAPTION_LENGTH = 1024

export class RichTextBuilder {
  #text = ''
  #entities: MessageEntity[] = []

  get length(): number {
    return this.#text.length
  }

  add(text: string, entity?: { type: 'bold' } | { type: 'text_mention'; user: number }): void {
    if (entity && text !== '') {
      const at = { offset: this.#text.length, length: text.length }
      this.#entities.push(
        entity.type === 'bold'
          ? { type: 'bold', ...at }
          : { type: 'text_mention', ...at, user: { id: entity.user, is_bot: false, first_name: text } },
      )
    }
    this.#text += text
  }

  /** Adds a text whose entities are those of chat. */
  addFormatted(text: string, entities: readonly TextEntity[]): void {
    for (const { type, offset, length, url, language } of entities) {
      const at = { offset: this.#text.length + offset, length }
      if (type === 'link') this.#entities.push({ type: 'text_link', ...at, url: url ?? '' })
      else if (type === 'pre') this.#entities.push({ type, ...at, ...(language ? { language } : {}) })
      else this.#entities.push({ type: type === 'quote' ? 'blockquote' : type, ...at })
    }
    this.#text += text
  }

  /** Starts a new line, unless at the start of one. */
  line(): void {
    if (this.#text !== '' && !this.#text.endsWith('\n')) this.#text += '\n'
  }

  /** Returns the text so far and starts again. */
  take(): RichText {
    const taken = { text: this.#text, entities: this.#entities }
    this.#text = ''
    this.#entities = []
    return taken
  }
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/**
 * Returns where to cut: after a line, or else after a word, if that is in the second half. Never within a character.
 */
function cutIn(text: string, from: number, limit: number): number {
  if (text.length - from <= limit) return text.length
  const end = from + limit
  for (const mark of ['\n', ' ']) {
    const at = text.lastIndexOf(mark, end - 1)
    if (at >= from + limit / 2) return at + 1
  }
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end
}

/** Returns the text in pieces of at most `limit`. An entity across a cut is in both pieces. */
export function split({ text, entities }: RichText, limit = MESSAGE_LENGTH): RichText[] {
  if (text.length <= limit) return [{ text, entities }]
  const pieces: RichText[] = []
  for (let from = 0; from < text.length;) {
    const to = cutIn(text, from, limit)
    pieces.push({
      text: text.slice(from, to),
      entities: entities.flatMap((entity) => {
        const start = Math.max(entity.offset, from)
        const end = Math.min(entity.offset + entity.length, to)
        return start < end ? [{ ...entity, offset: start - from, length: end - start }] : []
      }),
    })
    from = to
  }
  return pieces
}
