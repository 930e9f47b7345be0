import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderToPlainText, SendError, type Segment, type TextEntity } from '@mynah/plugin-chat/api'
import { markdownOf } from './markdown.js'

/** Characters of one message. DingTalk takes 15,000 bytes. */
export const MAX_TEXT = 3_500
const MAX_BYTES = 15_000
const MAX_FILE = 20 * 1024 * 1024
const TITLE_LENGTH = 32
const MEDIA = new Set(['image', 'video', 'audio', 'record', 'voice', 'file'])

/** Words, with users to notify where the message answers another one. */
export interface Words {
  readonly kind: 'words'
  readonly text: string
  /** The same with marks, where it has a format. */
  readonly markdown: string | undefined
  readonly users: readonly string[]
  readonly isToAll: boolean
}

/** A picture or a file, which is a message of its own. */
export interface Medium {
  readonly kind: 'image' | 'file'
  readonly name: string
  /** Where DingTalk finds a picture; other media have bytes. */
  readonly url?: string
  readonly bytes?: Uint8Array
  readonly mime: string
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '')
const isAddress = (source: string): boolean => /^https?:\/\/\S{1,2000}$/i.test(source)
const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text))

async function bytesOf({ type, data }: Segment): Promise<{ name: string; bytes: Uint8Array }> {
  const named = string(data.name)
  if (string(data.base64)) return { name: named || type, bytes: Buffer.from(string(data.base64), 'base64') }
  const file = string(data.file)
  if (!file)
    throw new SendError('refused', `A segment of type ${type} names no medium: url, file or base64 is required`)
  const at = file.startsWith('file:') ? fileURLToPath(file) : file
  const name = basename(at)
  const found = await stat(at).catch(() => undefined)
  if (!found?.isFile()) throw new SendError('refused', `The file "${name}" cannot be read`)
  if (found.size > MAX_FILE) throw new SendError('refused', `The file "${name}" is larger than ${MAX_FILE} bytes`)
  return { name: named || name, bytes: await readFile(at) }
}

class Composer {
  readonly #parts: (Words | Medium)[] = []
  #text = ''
  #markdown = ''
  #hasFormat = false
  #isToAll = false
  readonly #users = new Set<string>()

  async add(segment: Segment): Promise<void> {
    const { type, data } = segment
    if (type === 'reply') return
    if (type === 'at') return this.#mention(string(data.id), string(data.name))
    if (MEDIA.has(type)) return this.#medium(segment)
    if (type === 'text' && typeof data.text === 'string' && Array.isArray(data.entities)) {
      const entities = data.entities as readonly TextEntity[]
      this.#hasFormat ||= entities.length > 0
      return this.#write(data.text, markdownOf(data.text, entities))
    }
    if (!['text', 'face', 'emoji', 'sticker'].includes(type)) this.#line()
    this.#write(renderToPlainText([segment]))
  }

  #write(text: string, markdown = markdownOf(text, [])): void {
    this.#text += text
    this.#markdown += markdown
  }

  #line(): void {
    if (this.#text !== '' && !this.#text.endsWith('\n')) this.#write('\n')
  }

  /** DingTalk notifies those whose ids stand in the text and in the list. */
  #mention(id: string, name: string): void {
    if (id === 'all' || id === 'everyone') this.#isToAll = true
    else if (/^[\w.-]{1,64}$/.test(id)) {
      this.#users.add(id)
      return this.#write(`@${id}`, `@${id}`)
    }
    this.#write(`@${name || id}`)
  }

  async #medium(segment: Segment): Promise<void> {
    const { type, data } = segment
    const address = string(data.url) || string(data.src) || (isAddress(string(data.file)) ? string(data.file) : '')
    if (address && !isAddress(address))
      throw new SendError('refused', `The address of a segment of type ${type} must begin with http:// or https://`)
    const kind = type === 'image' ? 'image' : 'file'
    const mime = string(data.mime) || 'application/octet-stream'
    if (address && kind === 'file') {
      this.#line()
      return this.#write(address, address)
    }
    this.#end()
    if (address) return void this.#parts.push({ kind, name: type, url: address, mime })
    const { name, bytes } = await bytesOf(segment)
    if (bytes.length > MAX_FILE)
      throw new SendError('refused', `A segment of type ${type} is larger than ${MAX_FILE} bytes`)
    this.#parts.push({ kind, name, bytes, mime })
  }

  #end(): void {
    if (this.#text.trim() !== '' || this.#isToAll) {
      const isShort = sizeOf(this.#markdown) <= MAX_BYTES
      this.#parts.push({
        kind: 'words',
        text: this.#text,
        markdown: this.#hasFormat && isShort ? this.#markdown : undefined,
        users: [...this.#users],
        isToAll: this.#isToAll,
      })
    }
    this.#text = ''
    this.#markdown = ''
    this.#hasFormat = false
    this.#isToAll = false
    this.#users.clear()
  }

  parts(): readonly (Words | Medium)[] {
    this.#end()
    if (this.#parts.length === 0) throw new SendError('refused', 'The message has nothing that DingTalk can show')
    return this.#parts
  }
}

/** Returns the messages of DingTalk that one message becomes. */
export async function compose(segments: readonly Segment[]): Promise<readonly (Words | Medium)[]> {
  const composer = new Composer()
  for (const segment of segments) await composer.add(segment)
  return composer.parts()
}

/** The line of a formatted message that lists of chats show. */
const titleOf = (text: string): string =>
  Array.from(text.trim().split('\n', 1)[0] ?? '')
    .slice(0, TITLE_LENGTH)
    .join('')

/** Returns the answer to a message, which can notify users. */
export function answerOf({ text, markdown, users, isToAll }: Words): object {
  const at = { atUserIds: users, isAtAll: isToAll }
  return markdown === undefined
    ? { msgtype: 'text', text: { content: text }, at }
    : { msgtype: 'markdown', markdown: { title: titleOf(text), text: markdown }, at }
}

/** A message of the robot: its kind, and its content as JSON. */
export interface RobotMessage {
  readonly msgKey: string
  readonly msgParam: string
}

const robotMessage = (msgKey: string, content: object): RobotMessage => ({ msgKey, msgParam: JSON.stringify(content) })

/** Returns words as the robot sends them. */
export const wordsOf = ({ text, markdown }: Words): RobotMessage =>
  markdown === undefined
    ? robotMessage('sampleText', { content: text })
    : robotMessage('sampleMarkdown', { title: titleOf(text), text: markdown })

/** Returns a medium as the robot sends it. */
export const mediumOf = ({ kind, name }: Medium, source: string): RobotMessage =>
  kind === 'image'
    ? robotMessage('sampleImageMsg', { photoURL: source })
    : robotMessage('sampleFile', { mediaId: source, fileName: name, fileType: extname(name).slice(1) || 'bin' })
