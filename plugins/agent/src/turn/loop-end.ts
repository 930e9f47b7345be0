import { ModelError, type LoopEnd } from '@mynah/plugin-ai/api'
import type { textsFor } from '../texts.js'

/** Returns the text of an answer, with a note where it is not whole. */
export function withNote({ reason, text }: LoopEnd, { cut }: ReturnType<typeof textsFor>): string {
  if (reason !== 'interrupted' && reason !== 'length' && reason !== 'refusal') return text
  return [text.trimEnd(), cut[reason]].filter(Boolean).join('\n\n')
}

/** @throws when a loop ended without an answer */
export function assertAnswered({ reason, text, error }: LoopEnd): void {
  const isEmpty = text.trim() === ''
  if (reason === 'error' || (reason === 'interrupted' && isEmpty)) throw error ?? new Error('the model gave no answer')
  if (reason === 'refusal' && isEmpty) throw error ?? new ModelError('refusal', 'The model refused to answer')
}
