import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Content, Segment } from '@mynah/contract/types'
import { Audio, Formatted, Image, isFormatted, Text, toSegments, Video } from '../api/segments.js'
import { toText } from '../api/to-text.js'
import { findCode } from './code-ranges.js'

// A bracket ends a text and an address, so that many that start and never end cost time linear in their length.
// Only web addresses match: text of a model or a user must never name a file of this machine.
const MARKDOWN =
  /!\[([^[\]\n]{0,512})\]\((https?:\/\/[^\s)[\]]{1,2048})\)|\[(audio|video)\]\((https?:\/\/[^\s)[\]]{1,2048})\)/g
const MEDIA = new Set(['image', 'video', 'audio', 'record', 'voice', 'file'])
/** Largest file that is sent as bytes. */
const MAX_FILE = 32 * 1024 * 1024
/** How long a file that is sent by its path is kept for the platform to read it, ms. */
const KEEP_MS = 3_600_000

/**
 * Returns content as segments. Markdown images, audios and videos in a string, or in a text in Markdown, become media
 * segments, except within code.
 */
export function renderSendMessage(content: Content): Segment[] {
  if (typeof content === 'string') return withMedia(content, Text) ?? toSegments(content)
  return toSegments(content).flatMap((part) =>
    isFormatted(part) ? (withMedia(toText(part.data.text), Formatted) ?? part) : part,
  )
}

/** Returns a text and the media in it as segments, or `undefined` where it has none. */
function withMedia(text: string, segmentOf: (piece: string) => Segment): Segment[] | undefined {
  if (!text.includes('](http')) return undefined
  const segments: Segment[] = []
  let end = 0
  const addText = (from: number, to: number): void => {
    const piece = text.slice(from, to)
    if (piece.trim() !== '') segments.push(segmentOf(piece))
  }
  for (const match of matchesOutsideCode(text)) {
    addText(end, match.index)
    segments.push(mediaOf(match))
    end = match.index + match[0].length
  }
  if (end === 0) return undefined
  addText(end, text.length)
  return segments
}

function* matchesOutsideCode(text: string): Generator<RegExpExecArray> {
  const code = text.includes('`') || text.includes('~~~') ? findCode(text) : []
  let next = 0
  for (const match of text.matchAll(MARKDOWN)) {
    while ((code[next]?.[1] ?? Infinity) <= match.index) next++
    if ((code[next]?.[0] ?? Infinity) > match.index) yield match
  }
}

function mediaOf([, alt, image, kind, address]: RegExpExecArray): Segment {
  if (image !== undefined) return Image(alt ? { url: image, alt } : { url: image })
  return kind === 'audio' ? Audio(address as string) : Video(address as string)
}

async function toBytes(segment: Segment): Promise<Segment> {
  const { file, ...rest } = segment.data
  const path = String(file).startsWith('file:') ? fileURLToPath(String(file)) : String(file)
  // Only the name, since the path must not be shown to the sender.
  const name = basename(path)
  const known = await stat(path).catch((cause: unknown) => {
    throw new Error(`the file "${name}" cannot be read`, { cause })
  })
  if (!known.isFile()) throw new Error(`"${name}" is not a file`)
  if (known.size > MAX_FILE) throw new Error(`the file "${name}" is larger than ${MAX_FILE} bytes`)
  return { type: segment.type, data: { name, ...rest, base64: (await readFile(path)).toString('base64') } }
}

/** Deletes the files that platforms have had time to read. */
async function deleteOldFiles(folder: string): Promise<void> {
  const before = Date.now() - KEEP_MS
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(ignoreMissing)
    if (found && found.mtimeMs < before) await unlink(path).catch(ignoreMissing)
  }
}

/** Another host on this machine, or the system, may have deleted a file first. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}

async function toFile(segment: Segment): Promise<Segment> {
  const { base64, ...rest } = segment.data
  const folder = join(tmpdir(), `mynah-media-${userInfo().uid}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await deleteOldFiles(folder)
  const path = join(folder, `${randomUUID()}-${basename(toText(rest.name) || segment.type)}`)
  await writeFile(path, Buffer.from(String(base64), 'base64'), { mode: 0o600 })
  return { type: segment.type, data: { ...rest, file: path } }
}

const HASH = /^[0-9a-f]{64}$/
const isStoredMedia = ({ type, data }: Segment): boolean =>
  MEDIA.has(type) && typeof data.hash === 'string' && data.file === undefined && data.base64 === undefined

/** Returns a segment that names stored media by its hash as one with the file. */
function withStoredFile(segment: Segment, folder: string | undefined): Segment {
  const { hash, ...data } = segment.data
  if (folder === undefined || !HASH.test(String(hash)))
    throw new Error(`a segment of type ${segment.type} names media that are not stored here`)
  return { type: segment.type, data: { name: segment.type, ...data, file: join(folder, String(hash)) } }
}

/**
 * Returns segments whose media the platform can reach: as files of this machine or as bytes. Addresses stay.
 *
 * @param folder folder of the media that segments name by their hash
 */
export function adaptMedia(
  given: readonly Segment[],
  mode: 'file' | 'base64',
  folder: string | undefined,
): readonly Segment[] | Promise<readonly Segment[]> {
  const segments = given.some(isStoredMedia)
    ? given.map((segment) => (isStoredMedia(segment) ? withStoredFile(segment, folder) : segment))
    : given
  const needs = (segment: Segment): boolean =>
    MEDIA.has(segment.type) &&
    segment.data.url === undefined &&
    (mode === 'base64'
      ? typeof segment.data.file === 'string' && !/^https?:/.test(segment.data.file)
      : typeof segment.data.base64 === 'string' && segment.data.file === undefined)
  if (!segments.some(needs)) return segments
  return Promise.all(
    segments.map((segment) => {
      if (!needs(segment)) return segment
      return mode === 'base64' ? toBytes(segment) : toFile(segment)
    }),
  )
}
