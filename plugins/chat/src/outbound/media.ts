// Media on their way out: markdown in a reply becomes segments, and bytes travel as the endpoint wants them.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Content, Segment } from '@mynah/contract/types'
import { Audio, Image, Text, toSegments, Video } from '../api/segments.js'
import { toText } from '../api/to-text.js'
import { findCode } from './code-ranges.js'

// Brackets end a text and an address, so that many that begin and never end cost no more than their length.
// Addresses only: text that a model or a user wrote must never name a file of this machine.
const MARKDOWN =
  /!\[([^[\]\n]{0,512})\]\((https?:\/\/[^\s)[\]]{1,2048})\)|\[(audio|video)\]\((https?:\/\/[^\s)[\]]{1,2048})\)/g
const MEDIA = new Set(['image', 'video', 'audio', 'record', 'voice', 'file'])
/** Bytes of a file that is sent by its bytes. */
const MAX_FILE = 32 * 1024 * 1024
/** Time that a platform on this machine has to fetch a file, ms. */
const KEPT_MS = 3_600_000

/** A reply as segments, its markdown images, audios and videos as media, but where they stand in code. */
export function renderSendMessage(content: Content): Segment[] {
  if (typeof content !== 'string') return toSegments(content)
  if (!content.includes('](http')) return toSegments(content)
  const segments: Segment[] = []
  const code = content.includes('`') || content.includes('~~~') ? findCode(content) : []
  let [at, span] = [0, 0]
  const text = (from: number, to: number): void => {
    const piece = content.slice(from, to)
    if (piece.trim() !== '') segments.push(Text(piece))
  }
  for (const match of content.matchAll(MARKDOWN)) {
    while ((code[span]?.[1] ?? Infinity) <= match.index) span++
    if ((code[span]?.[0] ?? Infinity) <= match.index) continue
    text(at, match.index)
    const [whole, alt, image, kind, address] = match
    if (image !== undefined) segments.push(Image(alt ? { url: image, alt } : { url: image }))
    else segments.push(kind === 'audio' ? Audio(address as string) : Video(address as string))
    at = match.index + whole.length
  }
  text(at, content.length)
  return segments.length === 1 && segments[0]?.type === 'text' ? toSegments(content) : segments
}

async function toBytes(segment: Segment): Promise<Segment> {
  const { file, ...rest } = segment.data
  const path = String(file).startsWith('file:') ? fileURLToPath(String(file)) : String(file)
  // By its name only: who asked may not learn where things are on this machine.
  const name = basename(path)
  const known = await stat(path).catch((cause: unknown) => {
    throw new Error(`the file "${name}" cannot be read`, { cause })
  })
  if (!known.isFile()) throw new Error(`"${name}" is no file`)
  if (known.size > MAX_FILE) throw new Error(`the file "${name}" is larger than ${MAX_FILE} bytes`)
  return { type: segment.type, data: { name, ...rest, base64: (await readFile(path)).toString('base64') } }
}

/** Removes what platforms have had time to fetch, so that files that were sent do not pile up. */
async function sweep(folder: string): Promise<void> {
  const before = Date.now() - KEPT_MS
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(gone)
    if (found && found.mtimeMs < before) await unlink(path).catch(gone)
  }
}

/** Another host on this machine, or the system itself, may have removed a file first. */
function gone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}

async function toFile(segment: Segment): Promise<Segment> {
  const { base64, ...rest } = segment.data
  const folder = join(tmpdir(), `mynah-media-${userInfo().uid}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await sweep(folder)
  const path = join(folder, `${randomUUID()}-${basename(toText(rest.name) || segment.type)}`)
  await writeFile(path, Buffer.from(String(base64), 'base64'), { mode: 0o600 })
  return { type: segment.type, data: { ...rest, file: path } }
}

const HASH = /^[0-9a-f]{64}$/
const isKept = ({ type, data }: Segment): boolean =>
  MEDIA.has(type) && typeof data.hash === 'string' && data.file === undefined && data.base64 === undefined

/** A medium that the host keeps, as a file of its folder. */
function fromFolder(segment: Segment, folder: string | undefined): Segment {
  const { hash, ...data } = segment.data
  if (folder === undefined || !HASH.test(String(hash)))
    throw new Error(`a segment of type ${segment.type} names a medium that is not kept here`)
  return { type: segment.type, data: { name: segment.type, ...data, file: join(folder, String(hash)) } }
}

/**
 * Media in the form that the endpoint's platform can reach; addresses stay.
 *
 * @param folder `data/media`, for those that are named by their hash
 */
export function adaptMedia(
  given: readonly Segment[],
  mode: 'file' | 'base64',
  folder: string | undefined,
): readonly Segment[] | Promise<readonly Segment[]> {
  const segments = given.some(isKept)
    ? given.map((segment) => (isKept(segment) ? fromFolder(segment, folder) : segment))
    : given
  const needs = (segment: Segment): boolean =>
    MEDIA.has(segment.type) &&
    segment.data.url === undefined &&
    (mode === 'base64'
      ? typeof segment.data.file === 'string' && !/^https?:/.test(segment.data.file)
      : typeof segment.data.base64 === 'string' && segment.data.file === undefined)
  if (!segments.some(needs)) return segments
  return Promise.all(
    segments.map((segment) => (needs(segment) ? (mode === 'base64' ? toBytes(segment) : toFile(segment)) : segment)),
  )
}
