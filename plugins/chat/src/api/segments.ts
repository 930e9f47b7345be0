// Message content: segments, their builders, and two renderings as text.
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

/** Where a medium is: an address, a local path, its bytes, or the SHA-256 under which the host keeps them in `data/media`. */
export interface MediaData {
  readonly url?: string
  readonly file?: string
  readonly base64?: string
  readonly hash?: string
  readonly name?: string
  readonly alt?: string
  readonly mime?: string
  /** What is said in it, where it is sound: what it is as text. */
  readonly transcript?: string
}

const segment = (type: string, data: object): Segment => ({ type, data: data as Segment['data'] })
const media = (source: string | MediaData): MediaData => (typeof source === 'string' ? { url: source } : source)

/** Plain text. */
export const Text = (text: string): Segment => segment('text', { text })
/** Mentions a user. */
export const At = (id: string, name?: string): Segment => segment('at', name === undefined ? { id } : { id, name })
export const Image = (source: string | MediaData): Segment => segment('image', media(source))
export const Audio = (source: string | MediaData): Segment => segment('audio', media(source))
export const Video = (source: string | MediaData): Segment => segment('video', media(source))
export const File = (source: string | MediaData): Segment => segment('file', media(source))
export const Face = (id: string, name?: string): Segment => segment('face', name === undefined ? { id } : { id, name })
/** Quotes the message of that id. */
export const Reply = (id: string): Segment => segment('reply', { id })
/** A box with title, text, fields and buttons; platforms without such show it as text. */
export const Card = (data: CardData): Segment => segment('card', data)
/** HTML, shown as a picture or as its text where a platform has none; `text` stands in for what would be made of it. Scripts and remote contents have no effect. */
export const Html = (html: string, text?: string): Segment =>
  segment('html', text === undefined ? { html } : { html, text })
/** Markdown, shown as a picture or as it is written where a platform has none. */
export const Markdown = (markdown: string): Segment => segment('markdown', { markdown })
/** A registered message component with its properties, expanded before sending. */
export const Component = (name: string, props: Record<string, unknown> = {}): Segment =>
  segment('component', { name, props })

// Adapters written in JavaScript hand over what they have.
const isSegment = (part: Segment): boolean =>
  typeof part === 'object' &&
  part !== null &&
  typeof part.type === 'string' &&
  typeof part.data === 'object' &&
  part.data !== null

/** Content as segments; adjacent texts are joined, and what is no segment is left out. */
export function toSegments(content: Content): Segment[] {
  if (typeof content === 'string') return content === '' ? [] : [Text(content)]
  const out: Segment[] = []
  for (const part of content) {
    if (!isSegment(part)) continue
    const last = out.at(-1)
    if (part.type === 'text' && last?.type === 'text')
      out[out.length - 1] = Text(str(last.data.text) + str(part.data.text))
    else out.push(part)
  }
  return out
}

/** What a segment of HTML or Markdown holds, `undefined` for any other; clients over the wire call it `content` or `text` as well. */
export function richTextOf({ type, data }: Segment): RichText | undefined {
  if (type === 'html') return { format: 'html', source: str(data.html) || str(data.content) }
  if (type === 'markdown')
    return { format: 'markdown', source: str(data.markdown) || str(data.content) || str(data.text) }
  return undefined
}

/** An address that can be shown: bytes in the place of one are nothing to read. */
const shown = (value: unknown): string => (/^(?:data|base64):/i.test(str(value)) ? '' : str(value))
const where = (data: Segment['data']): string =>
  shown(data.url) || shown(data.src) || str(data.name) || (str(data.file).startsWith('http') ? str(data.file) : '')

const rows = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value)
    ? value.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
    : []

// Cards come from adapters and over the RPC too: nothing of their shape is certain.
function cardText({ title, text, fields, buttons }: Segment['data']): string {
  const lines = [
    str(title),
    str(text),
    ...rows(fields).map((field) => `${str(field.name)}: ${str(field.value)}`),
    ...rows(buttons).map(
      (button) =>
        `[${str(button.text)}]${button.url ? ` ${str(button.url)}` : button.command ? ` ${str(button.command)}` : ''}`,
    ),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

/** What a segment says where only text can be shown. */
function plain(part: Segment): string {
  const { data } = part
  switch (part.type) {
    case 'text':
      return str(data.text)
    case 'at':
      return `@${str(data.name) || str(data.id)}`
    case 'image':
      return `[image${data.alt ? `: ${str(data.alt)}` : ''}]${where(data) ? ` ${where(data)}` : ''}`
    case 'video':
      return `[video]${where(data) ? ` ${where(data)}` : ''}`
    case 'audio':
    case 'record':
    case 'voice':
      return str(data.transcript) || `[audio]${where(data) ? ` ${where(data)}` : ''}`
    case 'file':
      return `[file]${where(data) ? ` ${where(data)}` : ''}`
    case 'face':
    case 'sticker':
    case 'emoji':
      return str(data.text) || `[${str(data.name) || part.type}]`
    case 'reply':
      return ''
    case 'card':
      return cardText(data)
    case 'html':
      return str(data.text) || htmlText(richTextOf(part)?.source ?? '')
    case 'markdown':
      return richTextOf(part)?.source ?? ''
    default:
      return str(data.text)
  }
}

/** Content as plain text: what a platform without anything richer shows. */
export function renderToPlainText(content: Content): string {
  if (typeof content === 'string') return content
  if (content.length === 1 && content[0]?.type === 'text') return str(content[0].data.text)
  let out = ''
  let afterRich = false
  for (const part of content) {
    const text = plain(part)
    // Anything but text and mentions stands on a line of its own.
    const block =
      part.type === 'card' ||
      (part.type !== 'text' &&
        part.type !== 'at' &&
        part.type !== 'reply' &&
        part.type !== 'face' &&
        part.type !== 'emoji' &&
        part.type !== 'sticker')
    if ((block || (afterRich && text)) && out && !out.endsWith('\n')) out += '\n'
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

/** Content in the element notation of the Satori protocol. */
export function renderToSatori(content: Content): string {
  return toSegments(content)
    .map((part) => {
      const { data } = part
      const src =
        str(data.url) ||
        str(data.src) ||
        str(data.file) ||
        (data.base64 ? `data:${str(data.mime) || 'application/octet-stream'};base64,${str(data.base64)}` : '')
      switch (part.type) {
        case 'text':
          return escape(str(data.text)).replaceAll('\n', '<br/>')
        case 'at':
          return `<at${attributes({ id: data.id, name: data.name })}/>`
        case 'image':
          return `<img${attributes({ src, title: data.alt })}/>`
        case 'audio':
        case 'record':
        case 'voice':
          return `<audio${attributes({ src })}/>`
        case 'video':
          return `<video${attributes({ src })}/>`
        case 'file':
          return `<file${attributes({ src, title: data.name })}/>`
        case 'reply':
          return `<quote${attributes({ id: data.id })}/>`
        case 'card':
          return `<message>${escape(cardText(data)).replaceAll('\n', '<br/>')}</message>`
        default:
          return escape(plain(part))
      }
    })
    .join('')
}
