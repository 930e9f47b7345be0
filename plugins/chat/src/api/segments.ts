import type { Content, Segment } from '@mynah/contract/types'
import { htmlText } from './html-text.js'
import type { RichText } from './renderer.js'
import { toText as str } from './to-text.js'

export type { Content, Segment }

/** Fields of a card. */
export interface CardData {
  readonly title?: string
  readonly text?: string
  readonly image?: string
  readonly fields?: readonly { readonly name: string; readonly value: string; readonly inline?: boolean }[]
  readonly buttons?: readonly {
    readonly text: string
    readonly url?: string
    /** Sent back as a message when pressed. */ readonly command?: string
  }[]
}

/** Source of media: an address, a local path, the bytes, or the SHA-256 of a file in `data/media`. */
export interface MediaData {
  readonly url?: string
  readonly file?: string
  readonly base64?: string
  readonly hash?: string
  readonly name?: string
  readonly alt?: string
  readonly mime?: string
  /** Whether sound is a voice note, where the platform has those. */
  readonly voice?: boolean
  /** The spoken words of sound, which stand for it in plain text. */
  readonly transcript?: string
}

const segment = (type: string, data: object): Segment => ({ type, data: data as Segment['data'] })
const media = (source: string | MediaData): MediaData => (typeof source === 'string' ? { url: source } : source)

/** Returns a segment of plain text. */
export const Text = (text: string): Segment => segment('text', { text })
/** Returns a segment of text in Markdown, such as a model writes, shown with the formatting that the platform has. */
export const Formatted = (markdown: string): Segment => segment('text', { text: markdown, format: 'markdown' })
/** Returns whether a segment is text in Markdown. */
export const isFormatted = ({ type, data }: Segment): boolean => type === 'text' && data.format === 'markdown'
/** Mentions a user. */
export const At = (id: string, name?: string): Segment => segment('at', name === undefined ? { id } : { id, name })
/** A picture in a message. */
export const Image = (source: string | MediaData): Segment => segment('image', media(source))
/** A sound file in a message. */
export const Audio = (source: string | MediaData): Segment => segment('audio', media(source))
/** A video in a message. */
export const Video = (source: string | MediaData): Segment => segment('video', media(source))
/** A file in a message. */
export const File = (source: string | MediaData): Segment => segment('file', media(source))
/** An emoji of the platform in a message. */
export const Face = (id: string, name?: string): Segment => segment('face', name === undefined ? { id } : { id, name })
/** Quotes the message with that id. */
export const Reply = (id: string): Segment => segment('reply', { id })
/** Words of another person. They are never those of the sender who quotes or forwards them. */
export interface ForeignWords {
  readonly text: string
  /** Name of their author. */
  readonly name?: string
  /** Whether they are a part of the message that its reader selected. */
  readonly isPart?: boolean
}
/** Quotes a message with its words, which the host may not have. `id` is absent for a message of another chat. */
export const Quote = (words: ForeignWords, id?: string): Segment =>
  segment('reply', id === undefined ? words : { id, ...words })
/** Passes on a message of another person, which is no command and no answer of the sender. */
export const Forward = (words: ForeignWords): Segment => segment('forward', words)
/** Marks media as those of a message that is quoted or forwarded. They are no part of the plain text. */
export const quotedMedia = ({ type, data }: Segment): Segment => segment(type, { ...data, quoted: true })
/** Returns whether a segment is of a message that is quoted or forwarded. */
export const isForeign = ({ type, data }: Segment): boolean =>
  type === 'forward' || type === 'reply' || data.quoted === true
/** Returns whether the message was forwarded, so that it has no words of its sender. */
export const isForwarded = (segments: readonly Segment[]): boolean => segments.some(({ type }) => type === 'forward')
/** Returns a segment of a box with title, text, fields and buttons. Platforms without cards show it as text. */
export const Card = (data: CardData): Segment => segment('card', data)
/**
 * HTML, shown as a picture or as text. `text` replaces the words that would be read from it. Scripts and remote
 * content have no effect.
 */
export const Html = (html: string, text?: string): Segment =>
  segment('html', text === undefined ? { html } : { html, text })
/** Returns a segment of Markdown, shown as a picture or as it is written. */
export const Markdown = (markdown: string): Segment => segment('markdown', { markdown })
/** A registered message component with its properties, expanded before sending. */
export const Component = (name: string, props: Record<string, unknown> = {}): Segment =>
  segment('component', { name, props })

// Adapters in JavaScript may pass values of any type.
const isSegment = (part: Segment): boolean =>
  typeof part === 'object' &&
  part !== null &&
  typeof part.type === 'string' &&
  typeof part.data === 'object' &&
  part.data !== null

const isPlain = ({ type, data }: Segment): boolean =>
  type === 'text' && data.format === undefined && data.entities === undefined

/** Returns content as segments. Adjacent plain texts are joined, and values that are not segments are left out. */
export function toSegments(content: Content): Segment[] {
  if (typeof content === 'string') return content === '' ? [] : [Text(content)]
  const out: Segment[] = []
  for (const part of content) {
    if (!isSegment(part)) continue
    const last = out.at(-1)
    if (last && isPlain(part) && isPlain(last)) out[out.length - 1] = Text(str(last.data.text) + str(part.data.text))
    else out.push(part)
  }
  return out
}

/** Returns the source of a segment of HTML or Markdown. Clients over the wire call it `content` or `text` as well. */
export function richTextOf({ type, data }: Segment): RichText | undefined {
  if (type === 'html') return { format: 'html', source: str(data.html) || str(data.content) }
  if (type === 'markdown')
    return { format: 'markdown', source: str(data.markdown) || str(data.content) || str(data.text) }
  return undefined
}

/** Returns an address that can be shown: not one that holds the bytes themselves. */
const shown = (value: unknown): string => (/^(?:data|base64):/i.test(str(value)) ? '' : str(value))
const where = (data: Segment['data']): string =>
  shown(data.url) || shown(data.src) || str(data.name) || (str(data.file).startsWith('http') ? str(data.file) : '')

const rows = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value)
    ? value.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
    : []

const withAddress = (label: string, address: string): string => (address ? `${label} ${address}` : label)

// Cards come from adapters and over the RPC too, so that nothing of their shape is certain.
function cardText({ title, text, fields, buttons }: Segment['data']): string {
  const lines = [
    str(title),
    str(text),
    ...rows(fields).map((field) => `${str(field.name)}: ${str(field.value)}`),
    ...rows(buttons).map((button) => withAddress(`[${str(button.text)}]`, str(button.url) || str(button.command))),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

const mediaText =
  (label: string) =>
  ({ data }: Segment) =>
    withAddress(label, where(data))
const audioText = (part: Segment): string => str(part.data.transcript) || mediaText('[audio]')(part)

const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/
// Each line is marked, so that none of them looks like words of the sender.
function forwardText({ data }: Segment): string {
  const name = str(data.name)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s\]]+/gu, ' ')
    .trim()
  const text = str(data.text)
  const words = text === '' ? [] : text.split(LINE_BREAK)
  return [name ? `[forwarded from ${name}]` : '[forwarded]', ...words.map((line) => `> ${line}`)].join('\n')
}

const emojiText = ({ type, data }: Segment): string => str(data.text) || `[${str(data.name) || type}]`

/** How each type of segment reads as plain text. Other types read as their `text`. */
const PLAIN_TEXT: ReadonlyMap<string, (part: Segment) => string> = new Map([
  ['at', ({ data }: Segment) => `@${str(data.name) || str(data.id)}`],
  ['image', (part: Segment) => mediaText(part.data.alt ? `[image: ${str(part.data.alt)}]` : '[image]')(part)],
  ['video', mediaText('[video]')],
  ['audio', audioText],
  ['record', audioText],
  ['voice', audioText],
  ['file', mediaText('[file]')],
  ['face', emojiText],
  ['sticker', emojiText],
  ['emoji', emojiText],
  ['reply', () => ''],
  ['forward', forwardText],
  ['card', ({ data }: Segment) => cardText(data)],
  ['html', (part: Segment) => str(part.data.text) || htmlText(richTextOf(part)?.source ?? '')],
  ['markdown', (part: Segment) => richTextOf(part)?.source ?? ''],
])

const plainText = (part: Segment): string => PLAIN_TEXT.get(part.type)?.(part) ?? str(part.data.text)

/** Types that stand within a line of text. Others are on lines of their own. */
const INLINE: ReadonlySet<string> = new Set(['text', 'at', 'reply', 'face', 'emoji', 'sticker'])

/** Returns content as plain text, as a platform shows it that supports nothing else. */
export function renderToPlainText(content: Content): string {
  if (typeof content === 'string') return content
  if (content.length === 1 && content[0]?.type === 'text') return str(content[0].data.text)
  let out = ''
  let afterRich = false
  for (const part of content) {
    if (part.data.quoted === true) continue
    const text = plainText(part)
    const isBlock = !INLINE.has(part.type)
    if ((isBlock || (afterRich && text)) && out && !out.endsWith('\n')) out += '\n'
    out += text
    afterRich = richTextOf(part) !== undefined
  }
  return out
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] as string)
const attributes = (pairs: Record<string, unknown>): string =>
  Object.entries(pairs)
    .filter(([, value]) => str(value) !== '')
    .map(([name, value]) => ` ${name}="${escape(str(value))}"`)
    .join('')

const audioElement = ({ data }: Segment): string => `<audio${attributes({ src: sourceOf(data) })}/>`
const lines = (text: string): string => escape(text).replaceAll('\n', '<br/>')

/** How each type of segment is written in Satori notation. Other types are written as plain text. */
const SATORI: ReadonlyMap<string, (part: Segment) => string> = new Map([
  ['text', ({ data }: Segment) => lines(str(data.text))],
  ['at', ({ data }: Segment) => `<at${attributes({ id: data.id, name: data.name })}/>`],
  ['image', ({ data }: Segment) => `<img${attributes({ src: sourceOf(data), title: data.alt })}/>`],
  ['audio', audioElement],
  ['record', audioElement],
  ['voice', audioElement],
  ['video', ({ data }: Segment) => `<video${attributes({ src: sourceOf(data) })}/>`],
  ['file', ({ data }: Segment) => `<file${attributes({ src: sourceOf(data), title: data.name })}/>`],
  ['reply', ({ data }: Segment) => `<quote${attributes({ id: data.id })}/>`],
  ['card', ({ data }: Segment) => `<message>${lines(cardText(data))}</message>`],
])

function sourceOf(data: Segment['data']): string {
  const bytes = data.base64 ? `data:${str(data.mime) || 'application/octet-stream'};base64,${str(data.base64)}` : ''
  return str(data.url) || str(data.src) || str(data.file) || bytes
}

/** Returns content in the element notation of the Satori protocol. */
export function renderToSatori(content: Content): string {
  return toSegments(content)
    .map((part) => SATORI.get(part.type)?.(part) ?? escape(plainText(part)))
    .join('')
}
