import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '@mynah/kernel'
import { renderToPlainText, SendError, type Segment, type TextEntity } from '@mynah/plugin-chat/api'
import { isUserId } from './events.js'
import { escapeHtml, htmlOf } from './html.js'

/** Bytes of the content of an event. The homeserver adds its own fields, up to 65,536 bytes. */
const MAX_CONTENT = 60_000
/** Largest file that is read, in bytes. */
export const MAX_FILE = 50 * 1024 * 1024

type EventContent = Record<string, unknown>

/** Brings files to the homeserver. */
export interface Uploads {
  fetch(address: string): Promise<{ readonly bytes: Uint8Array; readonly mime: string | undefined }>
  upload(bytes: Uint8Array, mime: string, name: string): Promise<string>
  /** Notes that a file is sent as its address. */
  skipped(reason: string): void
}

const MSGTYPES: Readonly<Record<string, readonly [msgtype: string, mime: string]>> = {
  image: ['m.image', 'image/png'],
  video: ['m.video', 'video/mp4'],
  audio: ['m.audio', 'audio/mpeg'],
  record: ['m.audio', 'audio/ogg'],
  voice: ['m.audio', 'audio/ogg'],
  file: ['m.file', 'application/octet-stream'],
}
const string = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Words of a message as text and as HTML, with the users that they mention. */
class Words {
  #body = ''
  #html = ''
  #isFormatted = false
  readonly #users = new Set<string>()
  #isAll = false

  add({ type, data }: Segment): void {
    if (type === 'at') return this.#mention(data)
    if (type === 'text' && typeof data.text === 'string' && Array.isArray(data.entities)) {
      this.#isFormatted = true
      return this.#write(data.text, htmlOf(data.text, data.entities as readonly TextEntity[]))
    }
    const isInline = ['text', 'face', 'emoji', 'sticker'].includes(type)
    const words = renderToPlainText([{ type, data }])
    if (!isInline && this.#body !== '' && !this.#body.endsWith('\n')) this.#write('\n', '<br/>')
    this.#write(words, escapeHtml(words))
  }

  #mention({ id: to, name }: Segment['data']): void {
    const id = string(to) ?? ''
    if (id === 'all' || id === 'room') {
      this.#isAll = true
      return this.#write('@room', '@room')
    }
    const words = string(name) ?? id
    if (!isUserId(id)) return this.#write(`@${words}`, escapeHtml(`@${words}`))
    this.#users.add(id)
    this.#isFormatted = true
    this.#write(words, `<a href="https://matrix.to/#/${encodeURIComponent(id)}">${escapeHtml(words)}</a>`)
  }

  #write(body: string, html: string): void {
    this.#body += body
    this.#html += html
  }

  /** Returns the fields of an event, or undefined without words. Only named users are notified. */
  take(): EventContent | undefined {
    if (this.#body.trim() === '') return undefined
    const users = Array.from(this.#users)
    return {
      body: this.#body,
      ...(this.#isFormatted ? { format: 'org.matrix.custom.html', formatted_body: this.#html } : {}),
      'm.mentions': { ...(users.length ? { user_ids: users } : {}), ...(this.#isAll ? { room: true } : {}) },
    }
  }
}

/** Reads the bytes that a segment has. Only `file` may name a file of this machine. */
async function bytesIn({ type, data }: Segment): Promise<{ bytes: Uint8Array; name: string }> {
  const name = string(data.name)
  const encoded = string(data.base64)
  if (encoded !== undefined) return { bytes: Buffer.from(encoded, 'base64'), name: name ?? type }
  const file = string(data.file)
  if (file === undefined) throw new SendError('refused', `A segment of type ${type} needs url, file or base64`)
  const at = file.startsWith('file:') ? fileURLToPath(file) : file
  const found = await stat(at).catch(() => undefined)
  if (!found?.isFile()) throw new SendError('refused', `The file "${basename(at)}" cannot be read`)
  if (found.size > MAX_FILE)
    throw new SendError('refused', `The file "${basename(at)}" is larger than ${MAX_FILE} bytes`)
  return { bytes: await readFile(at), name: name ?? basename(at) }
}

/** A file with its address on the homeserver. */
interface StoredFile {
  readonly url: string
  readonly name: string
  readonly info: EventContent
}

/** Returns the address of the web that a segment names. */
function addressIn({ data }: Segment): string | undefined {
  const file = string(data.file)
  return string(data.url) ?? string(data.src) ?? (file && /^https?:/.test(file) ? file : undefined)
}

/** Brings a file to the homeserver. Returns undefined where it is only an address that cannot be fetched. */
async function store(segment: Segment, usualMime: string, uploads: Uploads): Promise<StoredFile | undefined> {
  const { type, data } = segment
  const known = string(data.fileId)
  if (known?.startsWith('mxc://')) return { url: known, name: string(data.name) ?? type, info: {} }
  const address = addressIn(segment)
  let found: { bytes: Uint8Array; name: string; mime?: string | undefined }
  if (address === undefined) found = await bytesIn(segment)
  else
    try {
      const fetched = await uploads.fetch(address)
      found = { ...fetched, name: string(data.name) ?? (basename(new URL(address).pathname) || type) }
    } catch (error) {
      uploads.skipped(messageOf(error))
      return undefined
    }
  const mime = string(data.mime) ?? found.mime ?? usualMime
  const url = await uploads.upload(found.bytes, mime, found.name)
  return { url, name: found.name, info: { mimetype: mime, size: found.bytes.length } }
}

/** Returns the event of a file, or undefined for other segments and files that cannot be fetched. */
async function fileContent(segment: Segment, uploads: Uploads): Promise<EventContent | undefined> {
  const { type, data } = segment
  const [msgtype, usualMime] = MSGTYPES[type] ?? []
  if (msgtype === undefined || usualMime === undefined) return undefined
  const file = await store(segment, usualMime, uploads)
  if (!file) return undefined
  const isVoice = type === 'voice' || type === 'record' || data.voice === true
  return {
    msgtype,
    body: string(data.alt) ?? file.name,
    filename: file.name,
    url: file.url,
    info: file.info,
    ...(isVoice ? { 'org.matrix.msc3245.voice': {} } : {}),
    'm.mentions': {},
  }
}

/** Joins one file and the words with it: these become its caption. */
function captioned(contents: readonly EventContent[]): readonly EventContent[] {
  const words = contents.find(({ filename }) => filename === undefined)
  const file = contents.find(({ filename }) => filename !== undefined)
  if (contents.length !== 2 || !words || !file) return contents
  const { msgtype: _, ...caption } = words
  return [{ ...file, ...caption }]
}

/** Throws where the event is too large. Formatting is left out before. */
function fitting(content: EventContent): EventContent {
  if (Buffer.byteLength(JSON.stringify(content)) <= MAX_CONTENT) return content
  const { format: _, formatted_body: __, ...plain } = content
  if (Buffer.byteLength(JSON.stringify(plain)) <= MAX_CONTENT) return plain
  throw new SendError('refused', `The message is larger than the ${MAX_CONTENT} bytes that Matrix has room for`)
}

/** Returns the events of a message. Its files are on the homeserver then. */
export async function contentsOf(segments: readonly Segment[], uploads: Uploads): Promise<readonly EventContent[]> {
  const contents: EventContent[] = []
  let words = new Words()
  const flush = (): void => {
    const said = words.take()
    if (said) contents.push({ msgtype: 'm.text', ...said })
    words = new Words()
  }
  for (const segment of segments) {
    if (segment.type === 'reply') continue
    const file = await fileContent(segment, uploads)
    if (!file) words.add(segment)
    else {
      flush()
      contents.push(file)
    }
  }
  flush()
  return captioned(contents).map(fitting)
}
