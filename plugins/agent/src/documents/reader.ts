import { StringDecoder } from 'node:string_decoder'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import type { ReadDocument } from './api.js'
import { ConcurrencyLimiter } from '../turn/concurrency-limiter.js'
import { Confinement } from './confinement.js'
import { documentKind, type Document } from './kind.js'
import { MAX_TEXT, READ_MS } from './limits.js'
import { MAX_PIECE, readingOf, type Reading } from './reading.js'

const CHILD = new URL('child.js', import.meta.url)
/** Documents that are read at the same time: one of a chat, so that others do not wait for all that it sends. */
const PARALLEL = { inSession: 1, inAll: 2 } as const
/** Units of UTF-16 that a process may write: its text as JSON, in which a character has six at most. */
const MAX_OUTPUT = MAX_TEXT * 6
const MAX_LINE = MAX_PIECE * 6 + 1_024

/** The text of a document, with the number of its pages. */
export interface DocumentText extends ReadDocument {
  readonly pages: number
}

export interface ReadOptions {
  /** The chat that it comes from. Documents of one are read one after another. */
  readonly chat: string
  readonly signal: AbortSignal
}

/**
 * Turns documents into text, each in a process of its own with limits of time and memory. Nothing of a document is
 * loaded, fetched or run.
 */
export class DocumentReader {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #confinement = new Confinement()
  readonly #limiter = new ConcurrencyLimiter(PARALLEL)

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#clock = clock
    this.#log = log
  }

  /**
   * Returns the text of a document, or `undefined` when it is none that becomes text.
   *
   * @throws the reason of `signal` when it aborts
   */
  async read(document: Document, { chat, signal }: ReadOptions): Promise<DocumentText | undefined> {
    if (documentKind(document) === undefined) return undefined
    await this.#limiter.acquire(chat, signal)
    try {
      return await this.#inProcess(document, signal)
    } finally {
      this.#limiter.release(chat)
    }
  }

  async #inProcess({ bytes, name, mediaType }: Document, signal: AbortSignal): Promise<DocumentText> {
    const output = new Output()
    const child = await this.#confinement.start(CHILD)
    let stopped: string | undefined
    const stop = (reason: string): void => {
      stopped ??= reason
      child.kill()
    }
    const cancel = this.#clock.setTimeout(() => stop(`it was not read to its end in ${READ_MS / 1_000} s`), READ_MS)
    const abort = (): void => stop('the turn has ended')
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    child.results.on('data', (piece: Buffer) => output.add(piece) || stop('it is damaged'))
    child.input.write(`${JSON.stringify({ name, mediaType })}\n`)
    child.input.end(bytes)
    try {
      const ended = await child.ended
      signal.throwIfAborted()
      return output.result(stopped ?? this.#problemOf(output, ended))
    } finally {
      cancel()
      signal.removeEventListener('abort', abort)
    }
  }

  /** Returns the reason in words why a process that was not stopped has not read all, or `undefined`. */
  #problemOf({ end, pages }: Output, ended: NodeJS.Signals | number | Error): string | undefined {
    if (end?.problem !== undefined) return end.problem
    if (end && end.cause === undefined) return undefined
    this.#log.debug(`failed to read a document: ${end?.cause ?? messageOf(ended)}`)
    // The watch, the kernel or the engine itself ends a process that takes too much.
    if (!end && typeof ended === 'string') return 'it needs too much memory'
    return pages.length ? 'the rest is damaged' : 'it is damaged'
  }
}

/** The output of a process so far. */
class Output {
  readonly pages: string[] = []
  end?: Extract<Reading, { readonly isDone: true }>
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #size = 0

  /** Adds a piece of the output. Returns whether it is one that such a process may write. */
  add(piece: Buffer): boolean {
    const text = this.#decoder.write(piece)
    this.#size += text.length
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.every((line) => this.#addLine(line)) && this.#rest.length <= MAX_LINE && this.#size <= MAX_OUTPUT
  }

  #addLine(line: string): boolean {
    const reading = readingOf(line)
    if (!reading) return false
    if ('page' in reading) this.pages.push(reading.page)
    else if ('more' in reading) this.pages.push((this.pages.pop() ?? '') + reading.more)
    else this.end = reading
    return true
  }

  result(problem: string | undefined): DocumentText {
    const text = this.pages.join('\n\n')
    const missing = text === '' ? 'there is no text in it' : undefined
    return { text, parts: this.pages, pages: this.pages.length, ...omitUndefined({ problem: problem ?? missing }) }
  }
}
