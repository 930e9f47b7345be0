import type { Segment } from '@mynah/contract/types'
import type { Adapter } from '../api/adapter.js'
import type { TextEntity } from '../api/formatting/formatted-text.js'
import { renderToPlainText } from '../api/segments.js'
import { cutText } from './cut-text.js'

type Limits = NonNullable<Adapter['limits']>

const MEDIA = new Set(['image', 'audio', 'voice', 'record', 'video', 'file'])

/** Returns the parts of a message, each within the limits of a platform. A part that cannot be cut may exceed them. */
export function cutMessage(segments: readonly Segment[], limits: Limits): readonly (readonly Segment[])[] {
  if (isWithin(segments, limits)) return [segments]
  const cutter = new Cutter(limits)
  for (const segment of segments) cutter.add(segment)
  return cutter.end()
}

/** Returns how many code points the platform counts for a segment. */
const sizeOf = (segment: Segment): number =>
  MEDIA.has(segment.type) || segment.type === 'reply' ? 0 : countCodePoints(renderToPlainText([segment]))

function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function isWithin(segments: readonly Segment[], { text = Infinity, media = Infinity }: Limits): boolean {
  let units = 0
  let files = 0
  for (const segment of segments) {
    if (MEDIA.has(segment.type)) files++
    else units += textOf(segment)?.length ?? renderToPlainText([segment]).length
  }
  if (files > media) return false
  return units <= text || segments.reduce((sum, segment) => sum + sizeOf(segment), 0) <= text
}

/** Returns the text of a segment that can be cut. */
const textOf = ({ type, data }: Segment): string | undefined =>
  (type === 'text' || type === 'markdown') && typeof data.text === 'string' ? data.text : undefined

class Cutter {
  readonly #text: number
  readonly #media: number
  readonly #parts: Segment[][] = []
  #part: Segment[] = []
  #size = 0
  #files = 0

  constructor({ text = Infinity, media = Infinity }: Limits) {
    this.#text = Math.max(1, text)
    this.#media = Math.max(1, media)
  }

  add(segment: Segment): void {
    const text = textOf(segment)
    if (text !== undefined) return this.#addText(segment, text)
    const isMedium = MEDIA.has(segment.type)
    const size = sizeOf(segment)
    if ((isMedium && this.#files >= this.#media) || (size > 0 && this.#size + size > this.#text)) this.#next()
    this.#part.push(segment)
    this.#size += size
    if (isMedium) this.#files++
  }

  #addText(segment: Segment, text: string): void {
    const { entities } = segment.data as { entities?: readonly TextEntity[] }
    let rest = text
    let offset = 0
    while (rest !== '') {
      const piece = cutText(rest, this.#text - this.#size, this.#text, entities === undefined)
      // Nothing of it fits with the words that are there.
      if (piece.length === 0) {
        this.#next()
        continue
      }
      if (piece.text.trim() !== '' || piece.rest === '') {
        this.#part.push(withText(segment, piece.text, entities && entitiesWithin(entities, offset, piece.length)))
        this.#size += countCodePoints(piece.text)
      }
      offset += piece.length
      rest = piece.rest
      if (rest !== '') this.#next()
    }
  }

  #next(): void {
    if (this.#part.length > 0) this.#parts.push(this.#part)
    this.#part = []
    this.#size = 0
    this.#files = 0
  }

  end(): readonly (readonly Segment[])[] {
    this.#next()
    return this.#parts
  }
}

function withText({ type, data }: Segment, text: string, entities: readonly TextEntity[] | undefined): Segment {
  const { entities: _, ...rest } = data
  return { type, data: { ...rest, text, ...(entities?.length ? { entities } : {}) } }
}

/** Returns the parts of entities that are in a range of a text, counted from its beginning. */
function entitiesWithin(entities: readonly TextEntity[], from: number, length: number): readonly TextEntity[] {
  return entities.flatMap((entity) => {
    const start = Math.max(entity.offset, from)
    const end = Math.min(entity.offset + entity.length, from + length)
    return end > start ? [{ ...entity, offset: start - from, length: end - start }] : []
  })
}
