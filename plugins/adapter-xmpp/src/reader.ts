import { At, Text, type InboundMessage, type Segment } from '@mynah/plugin-chat/api'
import { LruMap } from '@mynah/kernel/util'
import type { Element } from '@xmpp/client'
import type { Room } from './rooms.js'
import { archiveIdOf, bare, bodyOf, isAddress, resourceOf } from './stanzas.js'

const MAX_KNOWN = 4_000
const MEDIA: readonly (readonly [RegExp, string])[] = [
  [/\.(?:png|jpe?g|gif|webp|avif)$/i, 'image'],
  [/\.(?:mp4|webm|mov)$/i, 'video'],
  [/\.(?:mp3|ogg|opus|m4a|wav|flac)$/i, 'audio'],
]
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A message, with what later ones need to name it. */
export interface Known {
  /** Its id as chat has it. */
  readonly id: string
  /** Its id as its sender gave it. */
  readonly given: string | undefined
  readonly sender: string
}

/** Messages by their ids: people name a message by the id of its sender, or by that of the archive. */
export class KnownMessages {
  readonly #known = new LruMap<string, Known>(MAX_KNOWN)

  add(chat: string, message: Known): void {
    this.#known.set(`${chat} ${message.id}`, message)
    if (message.given !== undefined) this.#known.set(`${chat} ${message.given}`, message)
  }

  get(chat: string, id: string | undefined): Known | undefined {
    return id === undefined ? undefined : this.#known.get(`${chat} ${id}`)
  }
}

/** Where a message came from. */
export interface Origin {
  readonly chat: string
  readonly sender: string
  readonly name: string
  readonly isOwn: boolean
  readonly room: Room | undefined
}

/** Returns where a message came from; undefined for one that is not of a person. */
export function originOf(
  stanza: Element,
  me: string,
  roomOf: (address: string) => Room | undefined,
): Origin | undefined {
  const { from = me, to = me, type = 'normal' } = stanza.attrs
  if (!isAddress(from)) return undefined
  const room = roomOf(bare(from))
  const nick = resourceOf(from)
  if (type === 'groupchat') {
    if (!room || nick === '') return undefined
    // The address is that of the user where the room shows it, so that no other user can take it.
    const sender = room.occupants.get(nick)?.address ?? from
    return { chat: room.address, sender, name: nick, isOwn: nick === room.nick, room }
  }
  if (room) return nick === '' ? undefined : { chat: from, sender: from, name: nick, isOwn: false, room: undefined }
  const isOwn = bare(from) === me
  const sender = bare(from)
  return { chat: isOwn ? bare(to) : sender, sender, name: sender.split('@', 1)[0] ?? sender, isOwn, room: undefined }
}

/** Returns the ids of a message. That of the archive counts only where its owner has one, since others can write it. */
export function idsOf(stanza: Element, owner: string | undefined, archived?: string): { id?: string; given?: string } {
  const origin = stanza.getChild('origin-id', 'urn:xmpp:sid:0')?.attrs.id
  const given = [stanza.attrs.id, origin].find((id) => id !== undefined && id !== '' && id.length <= 256)
  const id = archived ?? (owner === undefined ? undefined : archiveIdOf(stanza, owner))
  return { ...(id && id.length <= 256 ? { id } : {}), ...(given === undefined ? {} : { given }) }
}

/** Returns the content of a message and whether it mentions the bot; undefined where it has none. */
export function contentOf(stanza: Element, nick: string, isGroup: boolean) {
  const body = bodyOf(stanza)
  const url = stanza.getChild('x', 'jabber:x:oob')?.getChildText('url') ?? undefined
  if (url !== undefined && url === body.trim() && /^https?:\/\/\S{1,2000}$/.test(url)) {
    const path = URL.canParse(url) ? new URL(url).pathname : ''
    const type = MEDIA.find(([pattern]) => pattern.test(path))?.[1] ?? 'file'
    const name = path.split('/').at(-1)
    const file: Segment = { type, data: { url, ...(name ? { name } : {}) } }
    return { segments: [file], mentioned: false }
  }
  if (body.trim() === '') return undefined
  if (!isGroup) return { segments: [Text(body)], mentioned: true }
  const address = new RegExp(String.raw`^@?${escape(nick)}(?:[:,]\s*|\s+(?=\S)|\s*$)`, 'iu').exec(body)
  if (address) {
    const rest = body.slice(address[0].length)
    return { segments: [At(nick, nick), ...(rest === '' ? [] : [Text(` ${rest}`)])], mentioned: true }
  }
  const word = new RegExp(String.raw`(?<![\p{L}\p{N}_])${escape(nick)}(?![\p{L}\p{N}_])`, 'iu')
  return { segments: [Text(body)], mentioned: word.test(body) }
}

/** Returns a message of a person as chat receives it. */
export function messageOf(
  { chat, sender, name, room }: Origin,
  id: string,
  content: NonNullable<ReturnType<typeof contentOf>>,
): InboundMessage {
  const role = room?.occupants.get(name)?.role
  return {
    id,
    channel: room ? { type: 'group', id: chat, name: chat } : { type: 'private', id: chat, name },
    sender: { id: sender, name, ...(room ? { role: role ?? 'member' } : {}) },
    content: content.segments,
    mentioned: content.mentioned,
  }
}
