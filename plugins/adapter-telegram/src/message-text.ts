import type { MessageEntity, UserFromGetMe } from 'grammy/types'
import { At, Text, type Segment } from '@mynah/plugin-chat/api'
import { linksOf, withAddresses } from './links.js'

export interface ParsedText {
  readonly segments: Segment[]
  readonly mentioned: boolean
}

/**
 * Returns the text as segments; `undefined` where it is a command for another bot. Offsets of entities count UTF-16
 * units, as strings here do.
 */
export function parseText(text: string, entities: readonly MessageEntity[], me: UserFromGetMe): ParsedText | undefined {
  const segments: Segment[] = []
  const mine = me.username?.toLowerCase()
  let mentioned = false
  const links = linksOf(text, entities)
  let at = 0
  const upTo = (end: number): void => {
    const words = withAddresses(text, at, Math.max(at, end), links)
    if (words !== '') segments.push(Text(words))
    at = Math.max(at, end)
  }
  for (const entity of [...entities].sort((a, b) => a.offset - b.offset)) {
    const { offset, length } = entity
    if (offset < at || offset + length > text.length) continue
    const words = text.slice(offset, offset + length)
    if (entity.type === 'bot_command') {
      const [command = '', bot] = words.split('@')
      if (bot === undefined) continue
      if (bot.toLowerCase() !== mine) {
        if (offset === 0) return undefined
        continue
      }
      mentioned = true
      upTo(offset + command.length)
      at = offset + length
    } else if (entity.type === 'mention' && words.slice(1).toLowerCase() === mine) {
      mentioned = true
      upTo(offset)
      segments.push(At(String(me.id), me.username))
      at = offset + length
    } else if (entity.type === 'text_mention') {
      mentioned ||= entity.user.id === me.id
      upTo(offset)
      segments.push(At(String(entity.user.id), words))
      at = offset + length
    }
  }
  upTo(text.length)
  return { segments, mentioned }
}
