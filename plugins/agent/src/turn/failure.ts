import { isWireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { isModelError } from '@mynah/plugin-ai/api'
import type { Locale } from '@mynah/plugin-chat/api'
import { explainFailure, textsFor } from '../texts.js'
import { TurnAborted } from './live-turn.js'

/** How a turn without an answer ends. */
export interface TurnFailure {
  readonly state: 'stopped' | 'failed'
  /** For the journal and the log. */
  readonly reason: string
  /** For the chat. */
  readonly notice: string
  /** Whether the error is unexpected. */
  readonly isFault: boolean
}

/** Returns whether the stage of a turn in the state `delivering` says that it delivers the notice of a failure. */
export const isFailureState = (stage: string): stage is TurnFailure['state'] =>
  stage === 'stopped' || stage === 'failed'

/** Returns the failure for the error that ended a turn, or `undefined` when the turn is suspended. */
export function failureOf(
  error: unknown,
  aborted: TurnAborted | undefined,
  locale: Locale | undefined,
): TurnFailure | undefined {
  if (aborted?.state === 'suspended') return undefined
  const texts = textsFor(locale)
  if (aborted?.state === 'stopped')
    return { state: 'stopped', reason: aborted.message, notice: texts.stopped, isFault: false }
  if (aborted) {
    const notices: Readonly<Record<string, string>> = { slow: texts.slow, long: texts.long }
    const notice = notices[aborted.message] ?? texts.failed(aborted.message)
    return { state: 'failed', reason: aborted.message, notice, isFault: false }
  }
  if (isModelError(error)) {
    const notice = error.class === 'overflow' ? texts.overflow : texts.failed(explainFailure(error, locale))
    return { state: 'failed', reason: messageOf(error), notice, isFault: false }
  }
  return { state: 'failed', reason: faultOf(error), notice: texts.failed(texts.unknown), isFault: true }
}

/** Returns a reason that plugins may pass on to people: what a store says of itself is for operators. */
const faultOf = (error: unknown): string =>
  isWireError(error) && error.code === 'not_ready' ? 'a part of the host was unavailable' : messageOf(error)

/** Returns the abort behind an error: the error itself, or the reason of the turn's signal. */
export function abortOf(error: unknown, signal: AbortSignal): TurnAborted | undefined {
  if (error instanceof TurnAborted) return error
  return signal.reason instanceof TurnAborted ? signal.reason : undefined
}

/** Returns whether a provider would refuse every later request with this turn in it, so that its entries stay aside. */
export const poisonsConversation = (error: unknown): boolean =>
  isModelError(error) && (error.class === 'refusal' || error.class === 'format')
