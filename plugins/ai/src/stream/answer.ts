// Reads the stream of one answer part by part, within its deadlines.
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider'
import type { Clock } from '@mynah/kernel'
import { ModelError } from '../api/errors.js'
import type { Candidate, Finish, FinishReason, ModelPart, Usage } from '../api/models.js'
import { createFailure, asErrorOf, type Secrets } from '../errors/as-model-error.js'
import { AnswerBuilder } from './builder.js'
import { ResponseDeadline } from './response-deadline.js'
import { Stop } from './stop.js'

/** Options of an answer. */
export interface AnswerLimits {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** Timeout until the first part in milliseconds. */
  readonly firstChunk: number
  /** Timeout between parts in milliseconds. */
  readonly chunk: number
  /** Secrets that no failure may show. */
  readonly secrets: Secrets
  /** Ids of calls that the conversation already has. */
  taken(id: string): boolean
  usageOf(usage: LanguageModelV3Usage | undefined, answer: AnswerBuilder): Usage
  /** Called with the bytes of metadata that the message has no room for. */
  leftOut?(bytes: number): void
  /** Called before the end is yielded. An error becomes the failure of this answer. */
  ended?(finish: Finish): void
}

/**
 * Yields the parts of an answer, its `finish` last. A failure after the first visible part is in `finish`.
 *
 * @throws {@link ModelError} when an answer fails before its first visible part
 */
export async function* readAnswer(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  who: Candidate,
  limits: AnswerLimits,
): AsyncGenerator<ModelPart, void> {
  const stop = new Stop()
  const patience = new ResponseDeadline(limits.clock, limits.firstChunk, limits.signal, (reason) => stop.stop(reason))
  const builder = new AnswerBuilder(limits.taken)
  let reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | undefined
  let end: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | undefined
  let failure: ModelError | undefined
  try {
    try {
      const { stream } = await patience.within(
        Promise.resolve(
          model.doStream({
            ...options,
            get abortSignal() {
              return stop.signal
            },
          }),
        ),
        ({ stream: late }) => void late.cancel().catch(ignore),
      )
      reader = stream.getReader()
      patience.onEnd = () => void reader?.cancel().catch(ignore)
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        if (value.type === 'finish') {
          end = value
          break
        }
        if (value.type === 'error') throw value.error
        // Headers alone are not an answer.
        if (value.type !== 'stream-start') patience.renew(limits.chunk)
        const part = builder.take(value)
        if (part) yield part
      }
      patience.throwIfOver()
    } catch (error) {
      failure = patience.reasonFor(who) ?? asErrorOf(error, who, limits.secrets)
    }
    const finish = finishOf(builder, end, failure ?? mistakeOf(builder, end, who), who, limits)
    limits.ended?.(finish)
    yield finish
  } finally {
    patience.stop()
    if (!end) {
      stop.stop()
      reader?.cancel().catch(ignore)
    }
  }
}

/** How long a closed stream may still report its end. */
const ignore = (): void => {}

/** Returns the defect of an answer that ended without a failure. */
function mistakeOf(
  builder: AnswerBuilder,
  end: { readonly finishReason: { readonly unified: string; readonly raw: string | undefined } } | undefined,
  who: Candidate,
): ModelError | undefined {
  const { hasCalls, hasText, isEmpty } = builder
  if (!end)
    return isEmpty
      ? createFailure('server', who, 'its answer is empty')
      : createFailure('network', who, 'its answer broke off')
  const { unified, raw } = end.finishReason
  if (unified === 'error') return createFailure('server', who, 'its answer ended with an error')
  if (unified === 'content-filter' && !hasText) return createFailure('refusal', who, '')
  // Without a reason the last chunk is missing. Complete calls stay complete.
  if (unified === 'other' && raw === undefined && !hasCalls)
    return createFailure(isEmpty ? 'server' : 'network', who, isEmpty ? 'its answer is empty' : 'its answer broke off')
  if (isEmpty && unified === 'other') return createFailure('server', who, 'its answer is empty')
  return undefined
}

function finishOf(
  builder: AnswerBuilder,
  end: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | undefined,
  failure: ModelError | undefined,
  who: Candidate,
  limits: AnswerLimits,
): Finish {
  if (failure && (failure.class === 'aborted' || !builder.hasText)) throw failure
  const usage = limits.usageOf(end?.usage, builder)
  builder.takeEnd(end?.providerMetadata)
  const message = { ...builder.message(failure !== undefined), model: `${who.provider}:${who.model}` }
  if (builder.leftOut > 0) limits.leftOut?.(builder.leftOut)
  if (failure) return { type: 'finish', reason: 'interrupted', usage, message, ...who, error: failure }
  return { type: 'finish', reason: reasonOf(end?.finishReason.unified, builder.hasCalls), usage, message, ...who }
}

function reasonOf(unified: string | undefined, calls: boolean): FinishReason {
  switch (unified) {
    case 'length':
      return 'length'
    case 'content-filter':
      return 'refusal'
    case 'stop':
    case 'tool-calls':
      return calls ? 'tool-calls' : 'stop'
    // Some vendors have reasons of their own for an answer with calls.
    default:
      return calls ? 'tool-calls' : 'other'
  }
}
