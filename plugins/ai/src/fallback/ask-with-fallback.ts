import { ModelError } from '../api/errors.js'
import type { Candidate, Finish, ModelPart, ModelRequest, StreamOptions } from '../api/models.js'
import { NO_USAGE } from '../api/usage.js'
import { asModelError } from '../errors/as-model-error.js'
import type { AskHost } from './ask-host.js'
import { Attempts, cool, nameOf, type Next } from './attempts.js'
import { PartialAnswer } from './partial-answer.js'
import { pause } from './pause.js'
import { RULES } from './rules.js'

/**
 * Asks candidates until one has answered, and yields the parts of one answer. It waits for busy providers while there
 * is time, and goes on with an answer that broke off. No other code retries.
 */
export async function* askWithFallback(
  request: ModelRequest,
  options: StreamOptions,
  host: AskHost,
): AsyncGenerator<ModelPart, void> {
  const { signal } = options
  if (signal?.aborted) throw new ModelError('aborted', 'The caller gave up')
  const asking: Asking = { host, attempts: new Attempts(request, options, host), partial: new PartialAnswer(request) }
  let next: Next = asking.attempts.first()
  for (;;) {
    const { to: current, waitMs, error: reason } = next
    if (waitMs > 0) {
      yield { type: 'waiting', ...current, ms: waitMs, reason }
      await pause(waitMs, host.clock, signal)
    }
    const limits = asking.attempts.limitsOf(current)
    yield { type: 'start', ...current }
    let end: Finish | undefined
    let error: ModelError | undefined
    try {
      for await (const part of await host.attempt(asking.partial.request, current, limits)) {
        if (part.type === 'finish') end = part
        else yield part
      }
    } catch (thrown) {
      error = asModelError(thrown, current)
    }
    if (!end) error ??= new ModelError('server', `${nameOf(current)} gave no end`, current)
    const step = error ? afterFailure(asking, current, error, limits.key) : afterEnd(asking, current, end as Finish)
    if (step.notice) yield step.notice
    if (step.end) return void (yield step.end)
    next = step.next
  }
}

/** A call that is in progress. */
interface Asking {
  readonly host: AskHost
  readonly attempts: Attempts
  readonly partial: PartialAnswer
}

/** The consequence of an attempt: the end of the answer, or another attempt. */
type Step = { readonly notice?: ModelPart } & (
  | { readonly end: Finish; readonly next?: undefined }
  | { readonly next: Next; readonly end?: undefined }
)

function afterEnd({ host, attempts, partial }: Asking, current: Candidate, end: Finish): Step {
  noteFinish(end, current, host)
  if (!end.error) attempts.answered(current)
  const next = partial.canContinue(end) ? attempts.afterPart(current, end.error) : undefined
  if (!next) return { end: partial.end(end) }
  partial.add(end)
  if (!end.error) return { next }
  return { next, notice: { type: 'fallback', from: current, to: next.to, error: end.error, kept: true } }
}

/** @throws {@link ModelError} when no candidate can be asked, and there is no text */
function afterFailure(
  { host, attempts, partial }: Asking,
  current: Candidate,
  error: ModelError,
  key: number | undefined,
): Step {
  host.onFailure(current, error)
  const kept = partial.isEmpty ? {} : { kept: true as const }
  try {
    const next = attempts.afterFailure(current, error, key)
    const without = next.withoutMedia ? { withoutMedia: true as const } : {}
    return { next, notice: { type: 'fallback', from: current, to: next.to, error, ...without, ...kept } }
  } catch (thrown) {
    const failed = asModelError(thrown, current)
    if (partial.isEmpty || failed.class === 'aborted') throw failed
    return { end: partial.end(brokenOff(current, failed)) }
  }
}

/** Returns the end of an answer that no candidate could go on with. */
function brokenOff(who: Candidate, error: ModelError): Finish {
  const message = { role: 'assistant' as const, content: [], model: nameOf(who) }
  return { type: 'finish', reason: 'interrupted', usage: NO_USAGE, message, ...who, error }
}

/** Updates the cooldown of a model after its answer. */
function noteFinish(finish: Finish, candidate: Candidate, { cooldowns, log }: AskHost): void {
  if (!finish.error) return cooldowns.answered(candidate)
  const strikes = cooldowns.strike(candidate, finish.error)
  cool(RULES[finish.error.class], strikes, candidate, finish.error, cooldowns)
  log.warn(`${finish.error.message} after a part of the answer`)
}
