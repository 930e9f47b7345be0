import {
  renderToPlainText,
  type CardData,
  type OutboundMessage,
  type Segment,
  type TextEntity,
} from '@mynah/plugin-chat/api'
import { InputFile } from 'grammy'
import type { InlineKeyboardButton } from 'grammy/types'
import { addCard } from './card.js'
import { fieldOf, isAddress, mediaOf, type MediaMethod } from './media.js'
import { CAPTION_LENGTH, RichTextBuilder, split, type RichText } from './rich-text.js'

export interface Call {
  readonly method: 'sendMessage' | 'sendSticker' | MediaMethod
  readonly payload: Record<string, unknown>
}

const withEntities = (field: 'text' | 'caption', { text, entities }: RichText): Record<string, unknown> => ({
  [field]: text,
  ...(entities.length ? { [field === 'text' ? 'entities' : 'caption_entities']: entities } : {}),
})

const keyboard = (rows: InlineKeyboardButton[][]): Record<string, unknown> =>
  rows.length ? { reply_markup: { inline_keyboard: rows } } : {}

class Composer {
  readonly calls: Call[] = []
  readonly #words = new RichTextBuilder()

  add(segment: Segment): void {
    const { type, data } = segment
    if (type === 'at') {
      const id = String(data.id ?? '')
      const words = typeof data.name === 'string' && data.name !== '' ? data.name : id
      // Telegram mentions users by number. Other ids are only shown.
      if (/^[1-9]\d{0,15}$/.test(id))
        this.#words.add(words.startsWith('@') ? words : `@${words}`, { type: 'text_mention', user: Number(id) })
      else this.#words.add(words.startsWith('@') ? words : `@${words}`)
    } else if (type === 'text' && typeof data.text === 'string' && Array.isArray(data.entities)) {
      this.#words.addFormatted(data.text, data.entities as readonly TextEntity[])
    } else {
      if (type !== 'text' && type !== 'face' && type !== 'emoji' && type !== 'sticker') this.#words.line()
      this.#words.add(renderToPlainText([segment]))
    }
  }

  /** Sends the text so far as a message. */
  flush(rows: InlineKeyboardButton[][] = []): void {
    const words = this.#words.take()
    if (words.text.trim() === '' && rows.length === 0) return
    const pieces = split(words)
    pieces.forEach((piece, index) =>
      this.calls.push({
        method: 'sendMessage',
        payload: { ...withEntities('text', piece), ...(index === pieces.length - 1 ? keyboard(rows) : {}) },
      }),
    )
  }

  async medium(segment: Segment): Promise<boolean> {
    const call = await mediaOf(segment)
    if (!call) return false
    this.flush()
    this.calls.push(call)
    return true
  }

  async card(card: CardData): Promise<void> {
    this.flush()
    if (typeof card.image === 'string') await this.medium({ type: 'image', data: { url: card.image } })
    const rows = addCard(this.#words, card)
    // Telegram refuses messages that have only buttons.
    if (rows.length && this.#words.length === 0) this.#words.add('⋯')
    this.flush(rows)
  }
}

/** Joins one media message and a short text: the text becomes the caption. */
function captioned(calls: readonly Call[]): readonly Call[] {
  if (calls.length !== 2) return calls
  const words = calls.find(({ method }) => method === 'sendMessage')
  const medium = calls.find(({ method }) => method !== 'sendMessage' && method !== 'sendSticker')
  if (!words || !medium) return calls
  const { text, entities, ...rest } = words.payload as { text: string; entities?: RichText['entities'] }
  if (text.length > CAPTION_LENGTH) return calls
  return [
    {
      method: medium.method,
      payload: { ...medium.payload, ...withEntities('caption', { text, entities: entities ?? [] }), ...rest },
    },
  ]
}

/** Returns the calls that send a message, without their chat. */
export async function callsOf({ segments }: Pick<OutboundMessage, 'segments'>): Promise<readonly Call[]> {
  const composer = new Composer()
  for (const segment of segments) {
    const { type, data } = segment
    if (type === 'reply') continue
    if (type === 'card') await composer.card(data as CardData)
    else if (type === 'sticker' && typeof data.fileId === 'string') {
      composer.flush()
      composer.calls.push({ method: 'sendSticker', payload: { sticker: data.fileId } })
    } else if (!(await composer.medium(segment))) composer.add(segment)
  }
  composer.flush()
  return captioned(composer.calls)
}

/** Returns the call in place of a medium that Telegram refuses: the same as a document, then words about it. */
export function insteadOf({ method, payload }: Call): Call | undefined {
  if (method === 'sendMessage' || method === 'sendSticker') return undefined
  const { [fieldOf(method)]: source, ...about } = payload
  if (method !== 'sendDocument') return { method: 'sendDocument', payload: { ...about, document: source } }
  const { caption, caption_entities: entities, ...rest } = about
  const name = source instanceof InputFile ? source.filename : undefined
  const place = typeof source === 'string' && isAddress(source) ? source : `[${name ?? 'file'}]`
  const text = [caption, place].filter(Boolean).join('\n')
  return { method: 'sendMessage', payload: { ...rest, text, ...(entities ? { entities } : {}) } }
}
