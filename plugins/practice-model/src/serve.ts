// The chat-completions protocol, with the answers of the script.
import type { Clock } from '@mynah/kernel'
import { pause } from '@mynah/kernel/util'
import { answerTo, type Answer, type Asked } from './script.js'

/** The pause before each word of an answer, in milliseconds, so that one sees it being written. */
const WORD_MS = 25
const MODEL = 'practice-model'

/** The parts of the host that answers need. */
interface Surroundings {
  readonly clock: Clock
  /** Aborts when the plugin stops. */
  readonly signal: AbortSignal
}

/** Answers one request: the list of models, or a chat. */
export async function serve(request: Request, host: Surroundings): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (request.method === 'GET' && pathname === '/v1/models')
    return Response.json({ object: 'list', data: [{ id: MODEL, object: 'model', owned_by: 'mynah' }] })
  if (request.method !== 'POST' || pathname !== '/v1/chat/completions')
    return Response.json({ error: { message: 'There is nothing here' } }, { status: 404 })
  const text = await request.text()
  const asked = JSON.parse(text) as Asked
  const answer = answerTo(asked)
  const reply = replyOf(answer, text.length)
  if (asked.stream !== true) return Response.json(reply.whole)
  const signal = AbortSignal.any([host.signal, request.signal])
  const events = ReadableStream.from(eventsOf(reply, answer.text, host.clock, signal))
  return new Response(events.pipeThrough(new TextEncoderStream()), { headers: { 'content-type': 'text/event-stream' } })
}

/** The values of an answer on the wire. */
interface Reply {
  readonly whole: object
  readonly calls: readonly object[]
  chunk(delta: object): object
  readonly end: object
  readonly usage: object
}

function replyOf({ text, calls: called }: Answer, length: number): Reply {
  const id = `practice-${Date.now()}`
  const calls = called.map(({ name, input }, index) => ({
    index,
    id: `${id}-${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const [prompt, completion] = [Math.ceil(length / 4), Math.ceil(text.length / 4)]
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  const message = { role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
  const head = { id, model: MODEL }
  return {
    whole: { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage },
    calls,
    chunk: (delta) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: null }],
    }),
    end: { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    usage: { ...head, object: 'chat.completion.chunk', choices: [], usage },
  }
}

async function* eventsOf(reply: Reply, text: string, clock: Clock, signal: AbortSignal): AsyncGenerator<string> {
  const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
  yield event(reply.chunk({ role: 'assistant', content: '' }))
  for (const word of text.split(/(?<=\s)/)) {
    await pause(WORD_MS, clock, signal)
    signal.throwIfAborted()
    yield event(reply.chunk({ content: word }))
  }
  if (reply.calls.length > 0) yield event(reply.chunk({ tool_calls: reply.calls }))
  yield event(reply.end)
  yield event(reply.usage)
  yield 'data: [DONE]\n\n'
}
