import { request as http, type Agent, type IncomingMessage } from 'node:http'
import { request as https } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import type { ApiClientOptions } from 'grammy'

type Fetch = NonNullable<ApiClientOptions['fetch']>

/** A call of grammY. Its signal is no `AbortSignal` of Node. */
interface Question {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string | Readable
  readonly agent: Agent
  readonly signal: AbortSignal
}

/** Largest answer in bytes. A hundred updates are far smaller. */
const MAX_ANSWER = 16 * 1024 * 1024
/** Time for the body after the status. Telegram holds a question back before the status, not after it. */
const BODY_MS = 10_000

function ask(address: string, { method, headers, body, agent }: Question, signal: AbortSignal) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = (address.startsWith('https:') ? https : http)(address, { method, headers, agent, signal }, resolve)
    request.on('error', reject)
    // A stream that fails is reported by grammY, which aborts the request.
    if (typeof body === 'string') request.end(body)
    else pipeline(body, request, () => {})
  })
}

async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if ((size += chunk.length) > MAX_ANSWER) throw new Error(`The answer has more than ${MAX_ANSWER} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Returns a `fetch` for grammY whose answers have a limit of size and time. That of grammY waits for ever for the rest
 * of an answer whose connection was closed too early.
 *
 * @param bodyMs time for the body after the status, in milliseconds
 */
export function boundedFetch(bodyMs = BODY_MS): Fetch {
  const bounded = async (address: string, question: Question): Promise<object> => {
    const { signal } = question
    const call = new AbortController()
    const abort = (): void => call.abort()
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    let late: NodeJS.Timeout | undefined
    try {
      const answer = await ask(address, question, call.signal)
      late = setTimeout(() => answer.destroy(new Error('The answer breaks off')), bodyMs)
      const text = (await bytesOf(answer)).toString('utf8')
      return { json: async (): Promise<unknown> => JSON.parse(text) }
    } finally {
      clearTimeout(late)
      signal.removeEventListener('abort', abort)
    }
  }
  return bounded as unknown as Fetch
}
