import type { FileHandle } from 'node:fs/promises'
import { encodingOf, type TextEncoding } from '@mynah/plugin-ai/api'
import { MAX_BYTES } from './results.js'

const MAX_LINE = 2_000
/** Characters of a part of a long line: at most three bytes each. */
const MAX_PART = Math.floor(MAX_BYTES / 3)
/** Bytes in which the encoding of a file is looked for. */
const SAMPLE_BYTES = 64 * 1024

/** The shown part of a line, and how many characters are left. */
interface Line {
  readonly text: string
  readonly left: number
}

/** A line, and where in it the reading begins, both from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/**
 * Reads the lines of a stream. Long lines are cut, so that text without line breaks is not held in memory; the line of
 * `part` begins there, and is cut later.
 */
async function* linesOf(stream: AsyncIterable<string>, part: Place | undefined): AsyncGenerator<Line> {
  let text = ''
  let left = 0
  let begun = false
  let line = 1
  /** Characters of the line that are before the part. */
  let before = part?.line === 1 ? part.column - 1 : 0
  for await (const chunk of stream) {
    for (const [index, piece] of chunk.split('\n').entries()) {
      if (index > 0) {
        yield { text: text.endsWith('\r') ? text.slice(0, -1) : text, left }
        text = ''
        left = 0
        begun = false
        before = part?.line === ++line ? part.column - 1 : 0
      }
      const shown = piece.slice(before)
      before -= piece.length - shown.length
      const room = Math.max(0, (part?.line === line ? MAX_PART : MAX_LINE) - text.length)
      text += shown.slice(0, room)
      left += Math.max(0, shown.length - room)
      begun ||= piece !== ''
    }
  }
  if (begun) yield { text, left }
}

/** Returns the lines of a text in its encoding, with a note where that is not UTF-8. */
export async function readLines(
  file: FileHandle,
  part: Place | undefined,
): Promise<{ readonly lines: AsyncIterable<Line>; readonly notes: string[] }> {
  const { label, isGuess } = await textEncoding(file)
  const stream = decoded(file.createReadStream({ autoClose: false, start: 0 }), label)
  const notes = label === 'utf-8' ? [] : [`[The file is in ${label}${isGuess ? ', or so it seems' : ''}, not in UTF-8]`]
  return { lines: linesOf(stream, part), notes }
}

/** Returns a line that began at a place, with the place of its rest. */
export function shownLine({ text, left }: Line, { line, column }: Place): string {
  return left ? `${text} [… ${left} characters more: offset ${line}, column ${column + text.length}]` : text
}

/** Returns the encoding of a file. */
async function textEncoding(file: FileHandle): Promise<TextEncoding> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
  const sample = buffer.subarray(0, bytesRead)
  const hasMark = bytesRead > 1 && (sample.readUInt16BE() === 0xfeff || sample.readUInt16BE() === 0xfffe)
  // A file that is no text is refused as such.
  return sample.includes(0) && !hasMark ? { label: 'utf-8', isGuess: false } : encodingOf(sample)
}

async function* decoded(bytes: AsyncIterable<unknown>, label: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(label)
  for await (const chunk of bytes) yield decoder.decode(chunk as Buffer, { stream: true })
  yield decoder.decode()
}
