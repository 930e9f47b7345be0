import { setTimeout as pause } from 'node:timers/promises'
import { AT_ONCE, BREATH_MS, MAX_MESSAGE_BYTES } from './limits.js'

const LF = 10
const CR = 13

/** Calls `fetch`. Reading the body fails when one of its messages is too large. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  // A copy of a redirect would lack headers that the caller needs.
  if (!response.body || (response.status >= 300 && response.status < 400)) return response
  const inEvents = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const body = response.body.pipeThrough(inEvents ? eachEvent() : whole())
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}

const tooLarge = (): Error => new Error(`it sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB`)

function whole(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length
      if (size > MAX_MESSAGE_BYTES) throw tooLarge()
      controller.enqueue(chunk)
    },
  })
}

/** Limits the size of each event and pauses after {@link AT_ONCE} events. An empty line ends an event. */
function eachEvent(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  let atLineStart = true
  let events = 0
  return new TransformStream({
    async transform(chunk, controller) {
      let from = 0
      let passed = 0
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) {
        const line = at - from
        const empty = atLineStart && (line === 0 || (line === 1 && chunk[from] === CR))
        size = empty ? 0 : size + line
        if (size > MAX_MESSAGE_BYTES) throw tooLarge()
        atLineStart = true
        from = at + 1
        if (!empty || ++events % AT_ONCE !== 0) continue
        controller.enqueue(chunk.subarray(passed, from))
        passed = from
        await pause(BREATH_MS)
      }
      const rest = chunk.length - from
      if (rest) atLineStart = false
      size += rest
      if (size > MAX_MESSAGE_BYTES) throw tooLarge()
      controller.enqueue(chunk.subarray(passed))
    },
  })
}
