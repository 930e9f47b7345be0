import { At, Text, type Segment } from '@mynah/plugin-chat/api'
import { countOf, fieldsOf, idOf, listOf, nameOf, textOf, type Fields } from './wire.js'

/** Marks in angle brackets: users, channels, words for all, links. Other brackets are escaped. */
const MARKS = /<(?<kind>[@#!]?)(?<target>[^<>|]*)(?:\|(?<label>[^<>]*))?>/g
const MAX_PARTS = 200
const MAX_DEPTH = 10
/** Subtypes of messages that people or bots have written. */
const WRITTEN: ReadonlySet<unknown> = new Set([
  undefined,
  'bot_message',
  'file_share',
  'me_message',
  'thread_broadcast',
])

/** Returns whether people or bots have written a message, and not Slack. */
export const isWritten = ({ subtype }: Fields): boolean => WRITTEN.has(subtype)

const unescape = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Returns the emojis that a message has as `:name:`, by their names. */
function emojisIn(elements: unknown, found = new Map<string, string>(), depth = 0): Map<string, string> {
  for (const element of depth > MAX_DEPTH ? [] : listOf(elements)) {
    const { type, name, unicode, skin_tone: tone } = element
    const isKnown = type === 'emoji' && /^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,10}$/.test(textOf(unicode, 80))
    if (isKnown) {
      const points = textOf(unicode, 80).split('-')
      const code = `:${textOf(name, 100)}:${countOf(tone) === undefined ? '' : `:skin-tone-${String(tone)}:`}`
      const valid = points.map((point) => parseInt(point, 16)).filter((point) => point <= 0x10ffff)
      found.set(code, String.fromCodePoint(...valid))
    }
    emojisIn(element.elements, found, depth + 1)
  }
  return found
}

/** Returns whether a message mentions a user. */
export const mentions = ({ text }: Fields, user: string): boolean =>
  new RegExp(`<@${user}(?:\\|[^<>]*)?>`).test(textOf(text))

/** Returns the users that a message mentions. */
export const mentionedIn = ({ text }: Fields): string[] =>
  Array.from(new Set(Array.from(textOf(text).matchAll(/<@([A-Z0-9]{2,20})[|>]/g), ([, id]) => id as string)))

function linkOf(target: string, label: string | undefined): string {
  const address = unescape(target)
  const shown = unescape(label ?? address)
  const isSame = address.replace(/^(?:mailto:|https?:\/\/)/, '').replace(/\/$/, '') === shown.replace(/\/$/, '')
  if (shown === address || (isSame && address.startsWith('mailto:'))) return shown
  return isSame ? address : `${shown} (${address})`
}

function markOf(
  groups: Readonly<Record<string, string | undefined>>,
  name: (id: string) => string | undefined,
): Segment {
  const { kind = '', target = '', label } = groups
  if (kind === '@') return At(target, label ? unescape(label) : name(target))
  if (kind === '#') return Text(`#${unescape(label ?? target)}`)
  if (kind === '!') return Text(label ? unescape(label) : `@${target.split('^')[0] ?? ''}`)
  return Text(linkOf(target, label))
}

function wordsOf(message: Fields, name: (id: string) => string | undefined): Segment[] {
  let text = textOf(message.text)
  for (const [code, emoji] of emojisIn(message.blocks)) text = text.replaceAll(code, emoji)
  const segments: Segment[] = []
  let at = 0
  for (const match of text.matchAll(MARKS)) {
    if (segments.length >= MAX_PARTS) break
    if (match.index > at) segments.push(Text(unescape(text.slice(at, match.index))))
    segments.push(markOf(match.groups ?? {}, name))
    at = match.index + match[0].length
  }
  if (at < text.length) segments.push(Text(unescape(text.slice(at))))
  return segments
}

/** Returns a file. One that Slack has is fetched by its id; others are only their address. */
function fileOf(file: Fields): Segment[] {
  const fileId = idOf(file.id)
  if (fileId === undefined || file.mode === 'tombstone' || file.mode === 'hidden_by_limit') return []
  const mime = textOf(file.mimetype, 127)
  const kind = /^(image|video|audio)\//.exec(mime)?.[1] ?? 'file'
  const address = textOf(file.url_private, 2_048)
  const isElsewhere = file.is_external === true && /^https?:\/\//.test(address)
  const data = {
    ...(isElsewhere ? { url: address } : { fileId }),
    name: nameOf(file.name, file.title),
    mime: mime || undefined,
    size: countOf(file.size),
    width: countOf(file.original_w),
    height: countOf(file.original_h),
    voice: (file.subtype === 'slack_audio' && kind === 'audio') || undefined,
  }
  return [{ type: kind, data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) }]
}

/** Returns the content of a message as segments. */
export function segmentsOf(message: Fields, name: (id: string) => string | undefined): Segment[] {
  const words = wordsOf(message, name)
  // Other bots may have written into attachments only.
  const attached =
    words.length > 0
      ? []
      : listOf(message.attachments).flatMap(({ text, fallback }) => {
          const shown = unescape(textOf(text) || textOf(fallback))
          return shown === '' ? [] : [Text(shown)]
        })
  return [...words, ...attached, ...listOf(message.files).flatMap(fileOf)]
}

/** Returns the text of a message as it came, to see whether it has changed. */
export const rawTextOf = (message: unknown): string => textOf(fieldsOf(message).text)
