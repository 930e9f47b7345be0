import { renderToPlainText, SendError, type CardData, type Segment, type TextEntity } from '@mynah/plugin-chat/api'
import { cutAt, escapeText, mrkdwnOf } from './mrkdwn.js'
import { uploadOf, type Upload } from './uploads.js'
import { idOf, type Fields } from './wire.js'

/** Characters of one message. */
export const MAX_TEXT = 4_000
/** Files of one message. */
export const MAX_FILES = 10
const MAX_BLOCKS = 50
const MAX_SECTION = 3_000
const MAX_HEADER = 150
const MAX_FIELD = 2_000
const FIELDS_A_SECTION = 10
const MAX_BUTTONS = 25
const MAX_LABEL = 75
const MAX_VALUE = 2_000
const MEDIA = new Set(['image', 'video', 'audio', 'record', 'voice', 'file'])

/** A message as Slack takes it. */
export interface Composed {
  /** In mrkdwn. Where there are blocks, it stands for them in notifications. */
  readonly text: string
  readonly blocks: readonly Fields[]
  readonly files: readonly Upload[]
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '')
const lengthOf = (text: string): number => Array.from(text).length
const isAddress = (source: string): boolean => /^https?:\/\/\S{1,2900}$/i.test(source)
const section = (text: string): Fields => ({ type: 'section', text: { type: 'mrkdwn', text } })

class Composer {
  #text = ''
  readonly #cards: Fields[] = []
  readonly #cardTexts: string[] = []
  readonly #buttons: Fields[] = []
  readonly #files: Upload[] = []

  async add(segment: Segment): Promise<void> {
    const { type, data } = segment
    if (type === 'reply') return
    if (type === 'card') return this.#card(data as CardData)
    if (type === 'at') return this.#mention(string(data.id), string(data.name))
    if (MEDIA.has(type)) return this.#medium(segment)
    if (type === 'face' && /^[\w+-]{1,100}$/.test(string(data.id))) return this.#write(`:${string(data.id)}:`)
    if (type === 'text' && typeof data.text === 'string' && Array.isArray(data.entities))
      return this.#write(mrkdwnOf(data.text, data.entities as readonly TextEntity[]))
    const isInline = ['text', 'face', 'emoji', 'sticker'].includes(type)
    if (!isInline) this.#line()
    this.#write(escapeText(renderToPlainText([segment])))
  }

  #write(text: string): void {
    this.#text += text
  }

  #line(): void {
    if (this.#text !== '' && !this.#text.endsWith('\n')) this.#write('\n')
  }

  #mention(id: string, name: string): void {
    if (id === 'all' || id === 'channel' || id === 'here') return this.#write(id === 'here' ? '<!here>' : '<!channel>')
    this.#write(idOf(id) !== undefined && /^[UW]/.test(id) ? `<@${id}>` : escapeText(`@${name || id}`))
  }

  /** Slack fetches addresses by itself: pictures are shown, others are links. */
  async #medium(segment: Segment): Promise<void> {
    const { data, type } = segment
    const address = string(data.url) || string(data.src) || (isAddress(string(data.file)) ? string(data.file) : '')
    if (!address) return void this.#files.push(await uploadOf(segment))
    if (!isAddress(address))
      throw new SendError('refused', `The address of a segment of type ${type} must begin with http:// or https://`)
    if (type === 'image') return this.#picture(address, string(data.alt) || string(data.name))
    this.#line()
    this.#write(escapeText(address))
  }

  #picture(address: string, alt = ''): void {
    this.#cards.push({ type: 'image', image_url: address, alt_text: alt.slice(0, 1_000) || 'picture' })
  }

  #card({ title = '', text = '', image = '', fields = [], buttons = [] }: CardData): void {
    if (title && lengthOf(title) <= MAX_HEADER)
      this.#cards.push({ type: 'header', text: { type: 'plain_text', text: title } })
    else this.#cards.push(...cutAt(MAX_SECTION, escapeText(title)).map(section))
    this.#cards.push(...cutAt(MAX_SECTION, escapeText(text)).map(section))
    const shown = fields.map(({ name, value }) => ({
      type: 'mrkdwn',
      text: `*${escapeText(name)}*\n${escapeText(value)}`,
    }))
    if (shown.some((field) => field.text.length > MAX_FIELD))
      throw new SendError('refused', 'The card is larger than what Slack shows')
    for (let at = 0; at < shown.length; at += FIELDS_A_SECTION)
      this.#cards.push({ type: 'section', fields: shown.slice(at, at + FIELDS_A_SECTION) })
    if (isAddress(image)) this.#picture(image, title)
    this.#cardTexts.push(...[title, text, ...fields.map(({ name, value }) => `${name}: ${value}`)].filter(Boolean))
    for (const button of buttons) this.#button(button)
  }

  /** Buttons that Slack would refuse become text. */
  #button({ text, url, command = '' }: NonNullable<CardData['buttons']>[number]): void {
    const shown = { type: 'button', action_id: `button-${this.#buttons.length}`, text: { type: 'plain_text', text } }
    const fits = text.trim() !== '' && lengthOf(text) <= MAX_LABEL && this.#buttons.length < MAX_BUTTONS
    if (fits && url !== undefined && isAddress(url)) return void this.#buttons.push({ ...shown, url })
    if (fits && url === undefined && command !== '' && lengthOf(command) <= MAX_VALUE)
      return void this.#buttons.push({ ...shown, value: command })
    const words = [text, url ?? command].filter(Boolean).join(': ')
    this.#cardTexts.push(words)
    this.#cards.push(...cutAt(MAX_SECTION, escapeText(words)).map(section))
  }

  end(): Composed {
    const text = [this.#text, ...this.#cardTexts.map(escapeText)].filter((part) => part.trim() !== '').join('\n')
    const actions = this.#buttons.length > 0 ? [{ type: 'actions', elements: this.#buttons }] : []
    const shown = [...this.#cards, ...actions]
    const blocks = shown.length > 0 ? [...cutAt(MAX_SECTION, this.#text).map(section), ...shown] : []
    if (blocks.length > MAX_BLOCKS) throw new SendError('refused', 'The message is larger than what Slack shows')
    if (text === '' && blocks.length === 0 && this.#files.length === 0)
      throw new SendError('refused', 'The message has nothing that Slack can show')
    return { text, blocks, files: this.#files }
  }
}

/** Returns a message as Slack takes it. */
export async function compose(segments: readonly Segment[]): Promise<Composed> {
  const composer = new Composer()
  for (const segment of segments) await composer.add(segment)
  return composer.end()
}

/** Returns the text and blocks of a call. Files are shown by their addresses, which no other text can have. */
export function bodyOf({ text, blocks }: Composed, files: readonly string[] = []): Fields {
  const links = files.map((address) => `<${address}| >`).join('')
  const shown = links === '' || blocks.length === 0 ? blocks : [...blocks, section(links)]
  return { text: text + links, blocks: shown.length > 0 ? shown : undefined }
}
