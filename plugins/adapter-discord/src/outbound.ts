import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderToPlainText, SendError, type CardData, type Segment, type TextEntity } from '@mynah/plugin-chat/api'
import { markdownOf } from './markdown.js'

/** Characters of one message. */
export const MAX_TEXT = 2_000
/** Files of one message. */
export const MAX_FILES = 10
const MAX_EMBEDS = 10
const MAX_FILE = 100 * 1024 * 1024
const NONCE_LENGTH = 25
const BUTTONS_A_ROW = 5
const MAX_BUTTONS = 25
const MAX_FIELDS = 25
const LINK = 5
const SECONDARY = 2
const MEDIA = new Set(['image', 'video', 'audio', 'record', 'voice', 'file'])

interface Embed {
  readonly title?: string
  readonly description?: string
  readonly fields?: readonly object[]
  readonly image?: { readonly url: string }
}
type Button = Record<string, unknown>
interface Body {
  readonly content: string
  readonly embeds: readonly Embed[]
  readonly components: readonly object[]
  readonly allowed_mentions: {
    readonly parse: readonly 'everyone'[]
    readonly users: readonly string[]
    readonly replied_user: boolean
  }
}

interface Upload {
  readonly name: string
  readonly bytes: Uint8Array
  readonly mime: string
}

/** A message as Discord takes it. */
export interface Composed {
  readonly body: Body
  readonly files: readonly Upload[]
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '')
const lengthOf = (text: string): number => Array.from(text).length
const isAddress = (source: string): boolean => /^https?:\/\/\S{1,2000}$/i.test(source)

/** Returns the nonce for a key. Discord takes each once within some minutes. */
export const nonceOf = (key: string): string =>
  createHash('sha256').update(key).digest('base64url').slice(0, NONCE_LENGTH)

async function uploadOf({ type, data }: Segment): Promise<Upload> {
  const named = (name: string, bytes: Uint8Array): Upload => ({
    name: string(data.name) || name,
    bytes,
    mime: string(data.mime) || 'application/octet-stream',
  })
  if (string(data.base64)) return named(type, Buffer.from(string(data.base64), 'base64'))
  const file = string(data.file)
  if (!file)
    throw new SendError('refused', `A segment of type ${type} names no medium: url, file or base64 is required`)
  const at = file.startsWith('file:') ? fileURLToPath(file) : file
  const name = basename(at)
  const found = await stat(at).catch(() => undefined)
  if (!found?.isFile()) throw new SendError('refused', `The file "${name}" cannot be read`)
  if (found.size > MAX_FILE) throw new SendError('refused', `The file "${name}" is larger than ${MAX_FILE} bytes`)
  return named(name, await readFile(at))
}

const isTooLarge = ({ title = '', text = '', fields = [] }: CardData): boolean =>
  lengthOf(title) > 256 ||
  lengthOf(text) > 4_096 ||
  fields.length > MAX_FIELDS ||
  fields.some(({ name, value }) => lengthOf(name) > 256 || lengthOf(value) > 1_024)

function embedOf(card: CardData): Embed {
  if (isTooLarge(card)) throw new SendError('refused', 'The card is larger than what Discord shows')
  const { title, text, image, fields = [] } = card
  const shown = fields.map(({ name, value, inline }) => ({ name, value, inline: inline === true }))
  return {
    ...(title ? { title } : {}),
    ...(text ? { description: text } : {}),
    ...(shown.length > 0 ? { fields: shown } : {}),
    ...(image && isAddress(image) ? { image: { url: image } } : {}),
  }
}

class Composer {
  #content = ''
  #plain = ''
  readonly #embeds: Embed[] = []
  readonly #buttons: Button[] = []
  readonly #users = new Set<string>()
  #isAll = false
  readonly #files: Upload[] = []

  async add(segment: Segment): Promise<void> {
    const { type, data } = segment
    if (type === 'reply') return
    if (type === 'card') return this.#card(data as CardData)
    if (type === 'at') return this.#mention(string(data.id), string(data.name))
    if (type === 'face' && /^\d+$/.test(string(data.id)) && /^\w{2,32}$/.test(string(data.name)))
      return this.#write(`<:${string(data.name)}:${string(data.id)}>`)
    if (MEDIA.has(type)) return this.#medium(segment)
    if (type === 'text' && typeof data.text === 'string' && Array.isArray(data.entities))
      return this.#write(markdownOf(data.text, data.entities as readonly TextEntity[]), data.text)
    const isInline = ['text', 'face', 'emoji', 'sticker'].includes(type)
    if (!isInline) this.#line()
    this.#write(renderToPlainText([segment]))
  }

  #write(content: string, plain = content): void {
    this.#content += content
    this.#plain += plain
  }

  #line(): void {
    if (this.#plain !== '' && !this.#plain.endsWith('\n')) this.#write('\n')
  }

  #mention(id: string, name: string): void {
    if (id === 'all' || id === 'everyone') {
      this.#isAll = true
      return this.#write('@everyone')
    }
    if (!/^\d{1,20}$/.test(id)) return this.#write(`@${name || id}`)
    this.#users.add(id)
    this.#write(`<@${id}>`)
  }

  /** Discord fetches addresses by itself: pictures are embedded, others are links. */
  async #medium(segment: Segment): Promise<void> {
    const { data } = segment
    const address = string(data.url) || string(data.src) || (isAddress(string(data.file)) ? string(data.file) : '')
    if (!address) return void this.#files.push(await uploadOf(segment))
    if (!isAddress(address))
      throw new SendError(
        'refused',
        `The address of a segment of type ${segment.type} must begin with http:// or https://`,
      )
    if (segment.type === 'image') return void this.#embeds.push({ image: { url: address } })
    this.#line()
    this.#write(address)
  }

  #card(card: CardData): void {
    const embed = embedOf(card)
    if (Object.keys(embed).length > 0) this.#embeds.push(embed)
    for (const button of card.buttons ?? []) this.#button(button)
  }

  /** Buttons that Discord would refuse become text. */
  #button({ text, url, command = '' }: NonNullable<CardData['buttons']>[number]): void {
    const id = `${this.#buttons.length}:${command}`
    const isShown = text !== '' && lengthOf(text) <= 80 && this.#buttons.length < MAX_BUTTONS
    if (isShown && url !== undefined && isAddress(url) && url.length <= 512)
      return void this.#buttons.push({ type: 2, style: LINK, label: text, url })
    if (isShown && url === undefined && command !== '' && lengthOf(id) <= 100)
      return void this.#buttons.push({ type: 2, style: SECONDARY, label: text, custom_id: id })
    this.#line()
    this.#write([text, url ?? command].filter(Boolean).join(': '))
  }

  end(): Composed {
    const rows: object[] = []
    for (let at = 0; at < this.#buttons.length; at += BUTTONS_A_ROW)
      rows.push({ type: 1, components: this.#buttons.slice(at, at + BUTTONS_A_ROW) })
    const content = lengthOf(this.#content) > MAX_TEXT ? this.#plain : this.#content
    const isEmpty = content.trim() === '' && this.#embeds.length + rows.length + this.#files.length === 0
    if (isEmpty) throw new SendError('refused', 'The message has nothing that Discord can show')
    const body: Body = {
      content: content.trim() === '' ? '' : content,
      embeds: this.#embeds.slice(0, MAX_EMBEDS),
      components: rows,
      // Only named users are notified, whatever the text looks like.
      allowed_mentions: {
        parse: this.#isAll ? ['everyone'] : [],
        users: Array.from(this.#users).slice(0, 100),
        replied_user: false,
      },
    }
    return { body, files: this.#files }
  }
}

/** Returns a message as Discord takes it. */
export async function compose(segments: readonly Segment[]): Promise<Composed> {
  const composer = new Composer()
  for (const segment of segments) await composer.add(segment)
  return composer.end()
}

/** Returns the body of a request: JSON, or a form where there are files. */
export function bodyOf({ body, files }: Composed, more: object): object | FormData {
  if (files.length === 0) return { ...body, ...more }
  const form = new FormData()
  const attachments = files.map(({ name }, id) => ({ id, filename: name }))
  form.set('payload_json', JSON.stringify({ ...body, ...more, attachments }))
  for (const [index, { name, bytes, mime }] of files.entries())
    form.set(`files[${index}]`, new Blob([new Uint8Array(bytes)], { type: mime }), name)
  return form
}
