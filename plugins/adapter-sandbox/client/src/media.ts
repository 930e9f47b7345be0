// Which addresses in a message may be opened or shown, and how the rest of its data is read.
import type { Segment } from '@mynah/contract/types'

/** Text of a field that a bot filled in as it liked. */
export const str = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** What a segment of HTML or Markdown holds, to be shown as it was written. */
export const sourceOf = (data: Segment['data']): string =>
  str(data['text']) || str(data['markdown']) || str(data['html']) || str(data['content'])

/** The address, when a browser may go there: anything but http and https is refused, `javascript:` above all. */
export function webAddress(value: unknown): string | undefined {
  const text = str(value)
  if (!URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

/** Where a medium is: on the web, or in the message itself. */
export type Medium =
  | { readonly kind: 'web'; readonly href: string; readonly host: string }
  | { readonly kind: 'inline'; readonly href: string }

const MIME = /^[\w.+-]+\/[\w.+-]+$/
const BASE64 = /^[A-Za-z0-9+/\s]+(?:=\s*){0,2}$/

/** The source of an image, file, audio or video; nothing where there is none that a browser may open. */
export function mediumOf(data: Segment['data'], mime = 'application/octet-stream'): Medium | undefined {
  const href = webAddress(data['url']) ?? webAddress(data['src']) ?? webAddress(data['file'])
  if (href !== undefined) return { kind: 'web', href, host: new URL(href).host }
  const text = str(data['url']) || str(data['src']) || str(data['file'])
  const [, type, bytes] = /^data:([^;,]+);base64,(.*)$/s.exec(text) ??
    /^()base64:\/\/(.*)$/s.exec(text) ?? ['', str(data['mime']), str(data['base64'])]
  if (!bytes || !BASE64.test(bytes)) return undefined
  return { kind: 'inline', href: `data:${type && MIME.test(type) ? type : mime};base64,${bytes.replace(/\s+/g, '')}` }
}

/** A card, with nothing in it but what can be shown. */
export interface CardView {
  readonly title: string
  readonly text: string
  readonly image: Medium | undefined
  readonly fields: readonly { readonly name: string; readonly value: string; readonly inline: boolean }[]
  readonly buttons: readonly { readonly text: string; readonly href?: string; readonly command?: string }[]
}

const list = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value)
    ? value.filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null)
    : []

/** Reads a card. */
export function cardOf(data: Segment['data']): CardView {
  return {
    title: str(data['title']),
    text: str(data['text']),
    image: data['image'] === undefined ? undefined : mediumOf({ url: data['image'] }, 'image/png'),
    fields: list(data['fields']).map((field) => ({
      name: str(field['name']),
      value: str(field['value']),
      inline: field['inline'] === true,
    })),
    buttons: list(data['buttons']).map((button) => {
      const [href, command] = [webAddress(button['url']), str(button['command'])]
      return {
        text: str(button['text']) || command || href || '…',
        ...(href === undefined ? {} : { href }),
        ...(command ? { command } : {}),
      }
    }),
  }
}
