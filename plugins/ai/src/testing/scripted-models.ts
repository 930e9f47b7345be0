// A `Models` that answers from a script, part by part as a provider would, and remembers its requests.
import { definePlugin } from '@mynah/kernel'
import { ModelError, type FailureClass } from '../api/errors.js'
import type { AssistantMessage, ToolCallPart } from '../api/messages.js'
import {
  Models,
  usageReported,
  type Candidate,
  type FinishReason,
  type ImageRequest,
  type ImageResult,
  type ModelPart,
  type ModelRequest,
  type ModelView,
  type ProviderView,
  type SpeechRequest,
  type SpeechResult,
  type StreamOptions,
  type TranscriptionRequest,
  type TranscriptionResult,
  type Usage,
  type UsageReport,
} from '../api/models.js'

/** One answer of the script: text first, then the calls. */
export interface ScriptedAnswer {
  /** The text. Each word is a part. */
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[]
  /** Default `tool-calls` when there are calls, else `stop`. */
  readonly reason?: FinishReason
  /** Fails in place of an answer. After `text` the answer ends as `interrupted`. */
  readonly error?: FailureClass | ModelError
  readonly usage?: Partial<Usage>
  /** Waits for this before the first part. */
  readonly hold?: Promise<unknown>
}

type Script =
  | readonly (string | ScriptedAnswer)[]
  | ((request: ModelRequest, index: number) => string | ScriptedAnswer | Promise<string | ScriptedAnswer>)

/** A scripted `Models` that records its requests. */
export interface ScriptedModels extends Models {
  readonly requests: readonly ModelRequest[]
  readonly images: readonly ImageRequest[]
  /** Called after each answered call. The plugin {@link scripted} sets it. */
  onUsage?: (report: UsageReport) => void
}

const CANDIDATE: Candidate = { provider: 'script', model: 'scripted' }
const VIEW: ModelView = {
  id: CANDIDATE.model,
  score: 50,
  contextWindow: 128_000,
  capabilities: { vision: true, streaming: true, toolCalling: true, thinking: false },
}

/**
 * Returns models that give the answers of a script in order. After its end every call fails with `unconfigured`.
 *
 * @example const models = scriptedModels([{ calls: [{ name: 'dice', input: { sides: 6 } }] }, 'You rolled a four.'])
 */
export function scriptedModels(
  script: Script,
  options: { readonly models?: readonly ModelView[]; readonly now?: () => number } = {},
): ScriptedModels {
  const requests: ModelRequest[] = []
  const images: ImageRequest[] = []
  const now = options.now ?? Date.now
  const views = options.models ?? [VIEW]
  const list = (): readonly ProviderView[] => [
    { alias: CANDIDATE.provider, sdk: 'script', status: 'ready', models: views },
  ]
  const answerOf = async (request: ModelRequest): Promise<ScriptedAnswer> => {
    const index = requests.push(structuredClone(request)) - 1
    const answer = typeof script === 'function' ? await script(request, index) : script[index]
    if (answer === undefined) return { error: new ModelError('unconfigured', `The script has no answer ${index + 1}`) }
    return typeof answer === 'string' ? { text: answer } : answer
  }
  const models: ScriptedModels = {
    requests,
    images,
    stream: (request, streamOptions) => play(request, streamOptions),
    candidatesFor: async () => views.map(({ id }) => ({ provider: CANDIDATE.provider, model: id })),
    list,
    model: ({ model }) => views.find(({ id }) => id === model),
    refresh: async () => list(),
    estimate: ({ messages }) => Math.ceil(JSON.stringify(messages).length / 4),
    async image(request): Promise<ImageResult> {
      images.push(request)
      return { images: [{ data: ONE_PIXEL, mediaType: 'image/png' }], ...CANDIDATE, warnings: [], usage: NOTHING }
    },
    transcribe: async (_request: TranscriptionRequest): Promise<TranscriptionResult> => ({
      text: 'what was said',
      ...CANDIDATE,
    }),
    speech: async (request: SpeechRequest): Promise<SpeechResult> => ({
      data: new TextEncoder().encode(request.text),
      mediaType: 'audio/wav',
      ...CANDIDATE,
    }),
  }
  async function* play(request: ModelRequest, { candidates, signal }: StreamOptions): AsyncGenerator<ModelPart> {
    const who = candidates[0] ?? CANDIDATE
    if (signal?.aborted) throw new ModelError('aborted', 'The caller gave up', who)
    const answer = await answerOf(request)
    if (answer.hold) await aborting(answer.hold, signal)
    const { origin, session, turn, purpose } = request
    const onUsage = (usage: Usage): void =>
      models.onUsage?.({ at: now(), kind: 'text', ...who, usage, origin, session, turn, purpose })
    yield* playAnswer(answer, who, requests.length, signal, onUsage)
  }
  return models
}

/** Streams an answer: reasoning, text in words, calls, and the end. */
async function* playAnswer(
  answer: ScriptedAnswer,
  who: Candidate,
  requests: number,
  signal: AbortSignal | undefined,
  onUsage: (usage: Usage) => void,
): AsyncGenerator<ModelPart> {
  const error =
    typeof answer.error === 'string'
      ? new ModelError(answer.error, `The script says ${answer.error}`, who)
      : answer.error
  if (error && !answer.text) throw error
  yield { type: 'start', ...who }
  const content: Exclude<AssistantMessage['content'], string>[number][] = []
  if (answer.reasoning) {
    content.push({ type: 'reasoning', text: answer.reasoning })
    yield { type: 'reasoning', text: answer.reasoning }
  }
  if (answer.text) {
    content.push({ type: 'text', text: answer.text })
    for (const word of answer.text.split(/(?<= )/)) {
      if (signal?.aborted) throw new ModelError('aborted', 'The caller gave up', who)
      yield { type: 'text', text: word }
    }
  }
  const calls = error ? [] : callsOf(answer, requests)
  for (const call of calls) {
    content.push(call)
    yield call
  }
  const usage: Usage = { input: 10, cachedInput: 0, output: 5, ...answer.usage }
  onUsage(usage)
  yield {
    type: 'finish',
    reason: error ? 'interrupted' : (answer.reason ?? (calls.length ? 'tool-calls' : 'stop')),
    usage,
    message: { role: 'assistant', content, model: `${who.provider}:${who.model}` },
    ...who,
    ...(error ? { error } : {}),
  }
}

const callsOf = ({ calls = [] }: ScriptedAnswer, requests: number): ToolCallPart[] =>
  calls.map(({ name, input, id }, index) => ({ type: 'tool-call', id: id ?? `call-${requests}-${index}`, name, input }))

/** Returns a plugin that provides scripted models in place of the plugin `ai`, and emits `ai.usage` for them. */
export function scripted(models: ScriptedModels) {
  return definePlugin({
    name: 'ai',
    provides: [Models],
    setup(ctx) {
      models.onUsage = (report) => ctx.emit(usageReported, report)
      ctx.provide(Models, models)
    },
  })
}

const NOTHING: Usage = { input: 0, cachedInput: 0, output: 0 }
const ONE_PIXEL = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
)

/** Resolves as `promise`, or rejects as soon as the signal aborts. */
async function aborting(promise: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return void (await promise)
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new ModelError('aborted', 'The caller gave up'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    await Promise.race([promise, aborted])
  } finally {
    if (stop) signal.removeEventListener('abort', stop)
  }
}
