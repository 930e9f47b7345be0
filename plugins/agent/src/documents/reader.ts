import { Worker } from 'node:worker_threads'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import { documentKind, type Document } from './kind.js'
import { READ_MS } from './limits.js'

/** Documents that are read at the same time. */
const PARALLEL = 2
/** The heap of a thread, in MB. */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 } as const
/** Limit of the growth of the process while a document is read: buffers are not in the heap of the thread. */
const MAX_GROWTH = 768 * 1024 * 1024
const GROWTH_CHECK_MS = 50

/** A message of the thread. */
export type WorkerMessage =
  | { readonly text: string }
  /** The end. `problem` is the reason in words why not all could be read, `cause` an error of the library. */
  | { readonly isDone: true; readonly problem?: string; readonly cause?: string }

/** The text of a document. */
export interface DocumentText {
  /** With a mark at the beginning of each page; empty where nothing could be read. */
  readonly text: string
  readonly pages: number
  /** The reason why it could not be read, or not completely, in words for the model and its user. */
  readonly problem?: string
}

/**
 * Turns documents into text, each in a thread of its own with limits of time and memory. Nothing of a document is
 * loaded, fetched or run.
 */
export class DocumentReader {
  readonly #clock: Clock
  readonly #log: Logger
  #free = PARALLEL
  readonly #waiting: (() => void)[] = []

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#clock = clock
    this.#log = log
  }

  /**
   * Returns the text of a document, or `undefined` when it is none that becomes text.
   *
   * @throws the reason of `signal` when it aborts
   */
  async read(document: Document, signal: AbortSignal): Promise<DocumentText | undefined> {
    if (documentKind(document) === undefined) return undefined
    await this.#turn(signal)
    try {
      signal.throwIfAborted()
      return await this.#inThread(document, signal)
    } finally {
      this.#free++
      this.#waiting.shift()?.()
    }
  }

  /** Resolves when one of the threads is free, and takes it. */
  async #turn(signal: AbortSignal): Promise<void> {
    while (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (signal.aborted) this.#waiting.shift()?.()
    signal.throwIfAborted()
    this.#free--
  }

  #inThread(document: Document, signal: AbortSignal): Promise<DocumentText> {
    return new Promise<DocumentText>((resolve, reject) => {
      // A copy, which the thread takes over: the caller still stores the bytes.
      const bytes = new Uint8Array(document.bytes)
      const workerData: Document = { ...document, bytes }
      const worker = new Worker(new URL('worker.js', import.meta.url), {
        workerData,
        transferList: [bytes.buffer],
        resourceLimits: HEAP,
        name: 'document',
        env: {},
        execArgv: [],
        stdout: true,
        stderr: true,
      })
      // The libraries print warnings about each document.
      worker.stdout.resume()
      worker.stderr.resume()
      const pages: string[] = []
      const before = process.memoryUsage.rss()
      const end = (problem?: string): void => {
        cleanUp()
        const text = pages.join('\n\n')
        const missing = text === '' ? 'there is no text in it' : undefined
        resolve({ text, pages: pages.length, ...omitUndefined({ problem: problem ?? missing }) })
      }
      const abort = (): void => {
        cleanUp()
        reject(signal.reason as Error)
      }
      const failed = (cause: string): void => {
        this.#log.debug(`failed to read a document: ${cause}`)
        end(pages.length ? 'the rest is damaged' : 'it is damaged')
      }
      const growth = setInterval(() => {
        if (process.memoryUsage.rss() - before > MAX_GROWTH) end('it needs too much memory')
      }, GROWTH_CHECK_MS)
      const cancel = this.#clock.setTimeout(() => end(`it was not read to its end in ${READ_MS / 1_000} s`), READ_MS)
      const cleanUp = (): void => {
        clearInterval(growth)
        cancel()
        signal.removeEventListener('abort', abort)
        worker.removeAllListeners()
        // A late error of a thread that is ended would be one of the host.
        worker.on('error', () => {})
        void worker.terminate()
      }
      signal.addEventListener('abort', abort, { once: true })
      worker.on('message', (message: WorkerMessage) => {
        if ('text' in message) pages.push(message.text)
        else if (message.cause === undefined) end(message.problem)
        else failed(message.cause)
      })
      worker.on('error', (error) =>
        (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? end('it needs too much memory')
          : failed(messageOf(error)),
      )
      worker.on('exit', () => failed('the thread has ended'))
    })
  }
}
