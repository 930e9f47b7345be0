import { isRecord } from '@mynah/contract'
import { At, Text, type Segment } from '@mynah/plugin-chat/api'
import { isUserId, relationOf, type RoomEvent } from './events.js'
import { localpart, personIn, type Room } from './rooms.js'

/** How each kind of message with a file is received. */
const MEDIA: ReadonlyMap<unknown, string> = new Map([
  ['m.image', 'image'],
  ['m.video', 'video'],
  ['m.audio', 'audio'],
  ['m.file', 'file'],
])
const MAX_MENTIONS = 50
const MAX_TEXT = 100_000

export interface Heard {
  readonly segments: Segment[]
  /** Whether the bot is mentioned by name. */
  readonly mentioned: boolean
  /** Id of the message that this one answers. */
  readonly replyTo?: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : '')

/** Returns an answer without the lines that older clients quote before it. */
function withoutQuote(body: string): string {
  if (!body.startsWith('> ')) return body
  const lines = body.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('> '))
  return end > 0 && lines[end] === '' ? lines.slice(end + 1).join('\n') : body
}

/** Returns a text whose first words for a user are a mention. */
function mentioning(part: Segment, id: string, words: readonly string[], name: string): Segment[] {
  const body = String(part.data.text)
  for (const word of words) {
    const at = body.indexOf(word)
    if (at < 0) continue
    const before = body.slice(0, at)
    const rest = body.slice(at + word.length)
    // A name at the beginning is followed by a sign that only clients write.
    const after = before === '' ? rest.replace(/^[:,](?=\s|$)/, '') : rest
    return [...(before ? [Text(before)] : []), At(id, name), ...(after ? [Text(after)] : [])]
  }
  return [part]
}

function mentionsIn(content: Record<string, unknown>, room: Room, me: string): { users: string[]; isAll: boolean } {
  const said = content['m.mentions']
  if (isRecord(said)) {
    const users = Array.isArray(said['user_ids']) ? said['user_ids'].filter(isUserId) : []
    return { users: users.slice(0, MAX_MENTIONS), isAll: said['room'] === true }
  }
  // Clients from before Matrix 1.7 only write the name.
  const link = `matrix.to/#/${me}`
  const html = text(content['formatted_body'])
  const isMine =
    [link, encodeURIComponent(me)].some((part) => html.includes(part)) || text(content['body']).includes(me)
  const name = personIn(room, me).name ?? ''
  const isAddressed =
    name !== '' && new RegExp(String.raw`^@?${escape(name)}(?:[:,]|\s|$)`, 'i').test(text(content['body']))
  return { users: isMine || isAddressed ? [me] : [], isAll: false }
}

const escape = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function spoken(body: string, content: Record<string, unknown>, room: Room, me: string): Heard {
  const { users, isAll } = mentionsIn(content, room, me)
  let segments = body === '' ? [] : [Text(body)]
  const split = (id: string, words: readonly string[], name: string): void => {
    // Once: a mention is one place, also where the name is said again.
    const index = segments.findIndex(
      (part) => part.type === 'text' && words.some((word) => String(part.data.text).includes(word)),
    )
    const part = segments[index]
    if (part) segments = segments.toSpliced(index, 1, ...mentioning(part, id, words, name))
  }
  for (const id of users) {
    const name = personIn(room, id).name ?? localpart(id)
    split(id, [`@${name}`, name, id, localpart(id)].filter(Boolean), name)
  }
  if (isAll) split('all', ['@room'], 'room')
  return { segments, mentioned: users.includes(me) }
}

const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** Returns the file of a message. Its address is one of Matrix, which `fetchMedia` resolves. */
function fileOf(type: string, content: Record<string, unknown>): Segment | undefined {
  const { url, filename, body } = content
  if (typeof url !== 'string' || !/^mxc:\/\/[^\s/]{1,255}\/[\w-]{1,255}$/.test(url)) return undefined
  const info = isRecord(content['info']) ? content['info'] : {}
  const isVoice = isRecord(content['org.matrix.msc3245.voice']) || isRecord(content['m.voice'])
  const data = {
    fileId: url,
    name: text(filename || body).slice(0, 255) || undefined,
    mime: text(info['mimetype']).slice(0, 127) || undefined,
    size: amount(info['size']),
    width: amount(info['w']),
    height: amount(info['h']),
    duration: type === 'audio' ? amount(info['duration']) : undefined,
    voice: isVoice || undefined,
  }
  return { type, data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) }
}

/** Returns the content of a message, or of its new version after an edit; undefined where there is nothing to show. */
export function heardIn(event: RoomEvent, room: Room, me: string, edited?: Record<string, unknown>): Heard | undefined {
  const content = edited ?? event.content
  const answers = edited ? undefined : relationOf(event).answers
  const written = text(content['body'])
  const body = answers === undefined ? written : withoutQuote(written)
  const heard = fileIn(event.type, content, body, room, me) ?? wordsIn(event.sender, content, body, room, me)
  return heard && { ...heard, ...(answers === undefined ? {} : { replyTo: answers }) }
}

function fileIn(type: string, content: Record<string, unknown>, body: string, room: Room, me: string) {
  const { msgtype, filename } = content
  const kind = type === 'm.sticker' ? 'image' : MEDIA.get(msgtype)
  const file = kind === undefined ? undefined : fileOf(kind, content)
  // With a name the body is a caption.
  const isCaption = typeof filename === 'string' && filename !== body
  if (!file || !isCaption) return file && { segments: [file], mentioned: false }
  const caption = spoken(body, content, room, me)
  return { segments: [file, ...caption.segments], mentioned: caption.mentioned }
}

function wordsIn(sender: string, content: Record<string, unknown>, body: string, room: Room, me: string) {
  if (content['msgtype'] === 'm.location') {
    const where = [body, text(content['geo_uri'])].filter(Boolean).join(' ')
    return { segments: [{ type: 'location', data: { text: `[location] ${where}` } }], mentioned: false }
  }
  if (body.trim() === '') return undefined
  const heard = spoken(body, content, room, me)
  if (content['msgtype'] !== 'm.emote') return heard
  return { ...heard, segments: [Text(`* ${personIn(room, sender).name} `), ...heard.segments] }
}
