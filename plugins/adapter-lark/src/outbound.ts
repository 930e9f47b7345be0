import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderToPlainText, SendError, type CardData, type Segment, type TextEntity } from '@mynah/plugin-chat/api'
import { linesOf, type Part } from './post.js'

/** Characters of one message. */
export const MAX_TEXT = 4_000
/** Bytes of a formatted message. */
const MAX_POST = 30_000
const MAX_FILE = 30 * 1024 * 1024
const MEDIA = new Set(['image', 'video', 'audio', 'record', 'voice', 'file'])

/** A message whose content is known. */
export interface Ready {
  readonly kind: 'ready'
  readonly type: 'text' | 'post' | 'interactive'
  readonly content: object
}
/** A file that has to be uploaded. */
export interface Upload {
  readonly kind: 'image' | 'file'
  readonly name: string
  readonly bytes: Uint8Array
  readonly mime: string
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '')
const isAddress = (source: string): boolean => /^https?:\/\/\S{1,2000}$/i.test(source)

/** Returns the key that Lark takes once within an hour, for one part of a message. */
export const uuidOf = (key: string, index: number): string =>
  createHash('sha256').update(`${key}/${index}`).digest('base64url').slice(0, 40)

async function uploadOf({ type, data }: Segment): Promise<Upload> {
  const kind = type === 'image' ? 'image' : 'file'
  const named = (name: string, bytes: Uint8Array): Upload => {
    if (bytes.length > MAX_FILE)
      throw new SendError('refused', `A segment of type ${type} is larger than ${MAX_FILE} bytes`)
    return { kind, name: string(data.name) || name, bytes, mime: string(data.mime) || 'application/octet-stream' }
  }
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

const plain = (content: string): object => ({ tag: 'plain_text', content })

function buttonOf({ text, url, command }: NonNullable<CardData['buttons']>[number]): object {
  const isLink = url !== undefined && isAddress(url)
  return { tag: 'button', type: 'default', text: plain(text), ...(isLink ? { url } : { value: { command } }) }
}

function cardOf({ title, text, image, fields = [], buttons = [] }: CardData): Ready {
  const words = [text, image].filter(Boolean).map((content) => ({ tag: 'div', text: plain(content as string) }))
  const columns = fields.map(({ name, value, inline }) => ({
    is_short: inline === true,
    text: plain(`${name}\n${value}`),
  }))
  const content = {
    config: { update_multi: true },
    ...(title ? { header: { title: plain(title) } } : {}),
    elements: [
      ...words,
      ...(columns.length > 0 ? [{ tag: 'div', fields: columns }] : []),
      ...(buttons.length > 0 ? [{ tag: 'action', actions: buttons.map(buttonOf) }] : []),
    ],
  }
  return { kind: 'ready', type: 'interactive', content }
}

class Composer {
  readonly #parts: (Ready | Upload)[] = []
  #lines: Part[][] = [[]]
  #text = ''
  #isPost = false

  async add(segment: Segment): Promise<void> {
    const { type, data } = segment
    if (type === 'reply') return
    if (type === 'at') return this.#mention(string(data.id), string(data.name))
    if (type === 'card') {
      this.#end()
      return void this.#parts.push(cardOf(data as CardData))
    }
    if (MEDIA.has(type)) return this.#medium(segment)
    if (type === 'text' && typeof data.text === 'string' && Array.isArray(data.entities))
      return this.#write(data.text, data.entities as readonly TextEntity[])
    if (!['text', 'face', 'emoji', 'sticker'].includes(type)) this.#line()
    this.#write(renderToPlainText([segment]))
  }

  #write(text: string, entities: readonly TextEntity[] = []): void {
    // In a text without a format Lark reads this as a mention.
    this.#isPost ||= entities.length > 0 || /<at\b/i.test(text)
    this.#text += text
    const [first = [], ...rest] = linesOf(text, entities)
    this.#lines.at(-1)?.push(...first)
    this.#lines.push(...rest)
  }

  #line(): void {
    if (this.#text !== '' && !this.#text.endsWith('\n')) this.#write('\n')
  }

  #mention(id: string, name: string): void {
    const all = id === 'everyone' ? 'all' : id
    if (all !== 'all' && !/^o[un]_\w{1,64}$/.test(id)) return this.#write(`@${name || id}`)
    this.#isPost = true
    this.#text += `@${name || id}`
    this.#lines.at(-1)?.push({ tag: 'at', user_id: all })
  }

  async #medium(segment: Segment): Promise<void> {
    const { data, type } = segment
    const address = string(data.url) || string(data.src) || (isAddress(string(data.file)) ? string(data.file) : '')
    if (address && !isAddress(address))
      throw new SendError('refused', `The address of a segment of type ${type} must begin with http:// or https://`)
    // Lark fetches no addresses, and this host neither.
    if (address) {
      this.#line()
      return this.#write(address)
    }
    this.#end()
    this.#parts.push(await uploadOf(segment))
  }

  #end(): void {
    const content = { zh_cn: { title: '', content: this.#lines } }
    const fits = Buffer.byteLength(JSON.stringify(content)) <= MAX_POST
    if (this.#isPost && fits) this.#parts.push({ kind: 'ready', type: 'post', content })
    else if (this.#text.trim() !== '') {
      const text = this.#text.replace(/<(?=at\b)/gi, '<\u200b')
      this.#parts.push({ kind: 'ready', type: 'text', content: { text } })
    }
    this.#lines = [[]]
    this.#text = ''
    this.#isPost = false
  }

  parts(): readonly (Ready | Upload)[] {
    this.#end()
    if (this.#parts.length === 0) throw new SendError('refused', 'The message has nothing that Lark can show')
    return this.#parts
  }
}

/** Returns the messages of Lark that one message becomes. */
export async function compose(segments: readonly Segment[]): Promise<readonly (Ready | Upload)[]> {
  const composer = new Composer()
  for (const segment of segments) await composer.add(segment)
  return composer.parts()
}
