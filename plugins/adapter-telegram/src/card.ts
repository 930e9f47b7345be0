import type { InlineKeyboardButton } from 'grammy/types'
import type { CardData } from '@mynah/plugin-chat/api'
import type { RichTextBuilder } from './rich-text.js'

/** Largest command of a button, in bytes. */
const COMMAND_BYTES = 64
const BUTTONS_A_ROW = 3
const MAX_BUTTONS = 100

const isAddress = (url: string): boolean => /^(https?|tg):\/\/\S+$/i.test(url)

function buttonOf({ text, url, command }: NonNullable<CardData['buttons']>[number]): InlineKeyboardButton | undefined {
  if (url !== undefined) return isAddress(url) ? { text, url } : undefined
  return command && Buffer.byteLength(command) <= COMMAND_BYTES ? { text, callback_data: command } : undefined
}

/** Adds the text of a card and returns its buttons in rows. Buttons that Telegram would refuse become text. */
export function addCard(words: RichTextBuilder, card: CardData): InlineKeyboardButton[][] {
  if (card.title) {
    words.line()
    words.add(card.title, { type: 'bold' })
  }
  for (const line of [card.text, ...(card.fields ?? []).map(({ name, value }) => `${name}: ${value}`)]) {
    if (!line) continue
    words.line()
    words.add(line)
  }
  const buttons: InlineKeyboardButton[] = []
  for (const button of card.buttons ?? []) {
    const made = buttons.length < MAX_BUTTONS ? buttonOf(button) : undefined
    if (made) buttons.push(made)
    else {
      words.line()
      words.add([button.text, button.url ?? button.command].filter(Boolean).join(': '))
    }
  }
  const rows: InlineKeyboardButton[][] = []
  for (let at = 0; at < buttons.length; at += BUTTONS_A_ROW) rows.push(buttons.slice(at, at + BUTTONS_A_ROW))
  return rows
}
