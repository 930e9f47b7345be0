// The stream of a chat completion as servers send it, in the form that the packages of the families read.
import { createParser } from 'eventsource-parser'
import { ignoreCancelErrors } from './bodies.js'
import { ChunkRepair } from './chat-chunks.js'

/** How long the counts of tokens may follow the end of an answer, in milliseconds. */
const REST_MS = 3_000

/** Returns the answer to a request for a stream of a chat completion with a repaired body. */
export function repairChatStream({ body, status, headers }: Response, restMs = REST_MS): Response {
  const types = new Headers(headers)
  types.set('content-type', 'text/event-stream')
  types.delete('content-length')
  return new Response(body && ignoreCancelErrors(repaired(body, restMs)), { status, headers: types })
}

function repaired(body: ReadableStream<Uint8Array>, restMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const chat = new ChatReader()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await nextOf(reader, chat, restMs)
        const events = done ? chat.end() : chat.take(value)
        for (const data of events) controller.enqueue(encoder.encode(`data: ${data.replaceAll('\n', '\ndata: ')}\n\n`))
        if (done || chat.isOver) {
          controller.close()
          // A server may keep the connection open after the end.
          if (!done) await reader.cancel()
          return
        }
        if (events.length > 0) return
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

type Read = { readonly done: false; readonly value: Uint8Array } | { readonly done: true; readonly value?: undefined }

/** Reads on. Once the end of the answer was seen, a break or silence is an end as well. */
async function nextOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  chat: ChatReader,
  restMs: number,
): Promise<Read> {
  if (!chat.hasFinished) return read(reader)
  let timer: NodeJS.Timeout | undefined
  const silent = new Promise<Read>((resolve) => {
    timer = setTimeout(() => {
      // Ends the read as well.
      void reader.cancel().catch(() => {})
      resolve({ done: true })
    }, restMs)
  })
  try {
    return await Promise.race([read(reader).catch((): Read => ({ done: true })), silent])
  } finally {
    clearTimeout(timer)
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Read> {
  const { done, value } = await reader.read()
  return done ? { done } : { done, value }
}

/** Reads events, or documents of JSON in place of them. */
class ChatReader {
  readonly #decoder = new TextDecoder()
  readonly #repair = new ChunkRepair()
  readonly #found: string[] = []
  readonly #events = createParser({ onEvent: ({ data }) => void this.#found.push(...this.#repair.take(data)) })
  /** The text so far of a body that has no events. */
  #document: string | undefined
  #hasBegun = false

  /** Whether a chunk had the reason why the answer has ended. */
  get hasFinished(): boolean {
    return this.#repair.hasFinished
  }

  /** Whether the server has said that nothing follows. */
  get isOver(): boolean {
    return this.#repair.isOver
  }

  /** Returns the data of the events in the next bytes. */
  take(bytes: Uint8Array): string[] {
    const text = this.#decoder.decode(bytes, { stream: true })
    if (!this.#hasBegun && text.trim() !== '') {
      this.#hasBegun = true
      if (text.trimStart().startsWith('{')) this.#document = ''
    }
    if (this.#document === undefined) this.#events.feed(text)
    else this.#document += text
    return this.#found.splice(0)
  }

  /** Returns the data of the last events, whose end the server may not have marked. */
  end(): string[] {
    if (this.#document === undefined) {
      this.#events.feed('\n\n')
      // An answer with the reason of its end is whole.
      if (this.hasFinished && !this.isOver) this.#found.push(...this.#repair.end())
      return this.#found.splice(0)
    }
    // A document is a whole answer. Lines of JSON are chunks.
    const data = this.#repair.take(this.#document)
    return [...data, ...(this.isOver ? [] : this.#repair.end())]
  }
}
