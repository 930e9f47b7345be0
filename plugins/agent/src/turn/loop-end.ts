import { ModelError, toolCallsOf, type LoopEnd } from '@mynah/plugin-ai/api'
import type { textsFor } from '../texts.js'

/** The reasons for which an answer is not what its reader expects. */
export interface AnswerNotes {
  /** The model that was chosen, and that can no longer be used. */
  readonly lost?: string | undefined
  /** The model that has answered without the pictures and files of the message, which it refused. */
  readonly blind?: string | undefined
}

/**
 * Returns the text of an answer, with notes where it is not whole or not what its reader expects. An answer that the
 * model left empty when its rounds were used up tells what was done.
 */
export function withNotes(end: LoopEnd, texts: ReturnType<typeof textsFor>, { lost, blind }: AnswerNotes): string {
  const text = wholeOrCut(end, texts)
  const notes = [lost && texts.lostModel(lost), blind && texts.blindModel(blind)].filter(Boolean)
  return notes.length === 0 ? text : [text.trimEnd(), ...notes].filter(Boolean).join('\n\n')
}

function wholeOrCut({ reason, text, messages }: LoopEnd, { cut, rounds }: ReturnType<typeof textsFor>): string {
  if (reason === 'max-steps' && text.trim() === '') return rounds(toolsUsed(messages))
  if (reason !== 'interrupted' && reason !== 'length' && reason !== 'refusal') return text
  return [text.trimEnd(), cut[reason]].filter(Boolean).join('\n\n')
}

/** Returns the names of called tools, with how many times each was called. */
function toolsUsed(messages: LoopEnd['messages']): string {
  const counts = new Map<string, number>()
  for (const { name } of messages.flatMap(toolCallsOf)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Array.from(counts, ([name, count]) => (count > 1 ? `${name} × ${count}` : name)).join(', ')
}

/** @throws when a loop ended without an answer */
export function assertAnswered(end: LoopEnd): void {
  const isEmpty = end.text.trim() === ''
  if (end.reason === 'error' || (isEmpty && (end.reason === 'interrupted' || end.reason === 'refusal')))
    throw refusalIn(end) ?? new Error('the model gave no answer')
}

/** Returns why a model has not answered, or not ended its answer. */
export function refusalIn({ reason, error }: LoopEnd): ModelError | undefined {
  if (reason === 'refusal') return error ?? new ModelError('refusal', 'The model refused to answer')
  return reason === 'error' || reason === 'interrupted' ? error : undefined
}

/** Statuses of a request that is refused for its own sake. */
const REFUSED = new Set([400, 413, 422])

/** Returns whether a request may have been too long for the model, although the refusal does not say so. */
export const mayBeTooLong = ({ class: failure, status }: ModelError): boolean =>
  failure === 'format' || failure === 'unknown' || (status !== undefined && REFUSED.has(status))
