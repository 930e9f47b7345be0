// Reads the data of segments. Bots fill it in freely, so every address and value is checked.
import type { Segment } from '@mynah/contract/types'

/** Returns a field of a segment as text. A value of another type is an empty text. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Returns the source of an HTML or Markdown segment. The page shows it as plain text. */
export const formattedSource = (data: Segment['data']): string =>
  asText(data['text']) || asText(data['markdown']) || asText(data['html']) || asText(data['content'])

/** Returns the address if it is http or https. Others, above all `javascript:`, must not be opened. */
export function webUrl(value: unknown): string | undefined {
  const text = asText(value)
  if (!URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

/** A media file, either on the web or inside the message. */
export type MediaSource =
  | { readonly kind: 'web'; readonly href: string; readonly host: string }
  | { readonly kind: 'inline'; readonly href: string }

const MIME = /^[\w.+-]+\/[\w.+-]+$/
const BASE64 = /^[A-Za-z0-9+/\s]+(?:=\s*){0,2}$/

/** Returns the source of an image, file, audio or video, if a browser may open it. */
export function mediaSource(data: Segment['data'], mime = 'application/octet-stream'): MediaSource | undefined {
  const href = webUrl(data['url']) ?? webUrl(data['src']) ?? webUrl(data['file'])
  if (href !== undefined) return { kind: 'web', href, host: new URL(href).host }
  const text = asText(data['url']) || asText(data['src']) || asText(data['file'])
  const [, type, bytes] = /^data:([^;,]+);base64,(.*)$/s.exec(text) ??
    /^()base64:\/\/(.*)$/s.exec(text) ?? ['', asText(data['mime']), asText(data['base64'])]
  if (!bytes || !BASE64.test(bytes)) return undefined
  return { kind: 'inline', href: `data:${type && MIME.test(type) ? type : mime};base64,${bytes.replace(/\s+/g, '')}` }
}

/** The valid parts of a card. */
export interface CardView {
  readonly title: string
  readonly text: string
  readonly image: MediaSource | undefined
  readonly fields: readonly { readonly name: string; readonly value: string; readonly inline: boolean }[]
  readonly buttons: readonly { readonly text: string; readonly href?: string; readonly command?: string }[]
}

const recordsOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value)
    ? value.filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null)
    : []

/** Reads a card. Invalid parts are left out. */
export function parseCard(data: Segment['data']): CardView {
  return {
    title: asText(data['title']),
    text: asText(data['text']),
    image: data['image'] === undefined ? undefined : mediaSource({ url: data['image'] }, 'image/png'),
    fields: recordsOf(data['fields']).map((field) => ({
      name: asText(field['name']),
      value: asText(field['value']),
      inline: field['inline'] === true,
    })),
    buttons: recordsOf(data['buttons']).map((button) => {
      const [href, command] = [webUrl(button['url']), asText(button['command'])]
      return {
        text: asText(button['text']) || command || href || '…',
        ...(href === undefined ? {} : { href }),
        ...(command ? { command } : {}),
      }
    }),
  }
}
