// Text files in the encodings that editors write: UTF-8, and UTF-16 where a byte order mark says so.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { KernelError } from '../base/errors.js'

/** Returns the encoding that the byte order mark of a text names, and UTF-8 for a text without one. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

const lineOf = (text: string, mistake: string): number => text.slice(0, text.indexOf(mistake)).split('\n').length

/**
 * Decodes a text. A byte order mark of UTF-8 stays, so that a saved file has it as well.
 *
 * A text is refused rather than guessed: with a wrong guess names of variables are lost, and defaults take the place of
 * secrets.
 *
 * @param name name of the file for the message
 * @throws KernelError `config/unreadable` with the line of the first byte that is no text
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const encoding = encodingOf(bytes)
  const refuse = (reason: string, line: number): never => {
    throw new KernelError('config/unreadable', `${name} cannot be read: ${reason}`, { place: { file: name, line } })
  }
  const lossy = new TextDecoder(encoding, { ignoreBOM: encoding === 'utf-8' }).decode(bytes)
  if (lossy.includes('\0')) refuse('it has NUL bytes, as UTF-16 without a byte order mark has', lineOf(lossy, '\0'))
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    // The decoder does not say where the mistake is.
    refuse(`it is not ${encoding === 'utf-8' ? 'UTF-8' : 'UTF-16'} text`, lineOf(lossy, '\uFFFD'))
  }
  return lossy
}

/**
 * Reads a text file of a person, such as the configuration or `.env`.
 *
 * @throws KernelError `config/unreadable` where its encoding is not certain, else the error of the file system
 */
export const readTextFile = async (path: string): Promise<string> => decodeText(await readFile(path), basename(path))
