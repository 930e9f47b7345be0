import { t } from './texts.js'

const stages = [
  'accept',
  'store',
  'middleware',
  'command',
  'ai',
  'model',
  'tool',
  'send',
  'dispatch',
  'context',
  'intake',
  'turn',
  'wait',
  'render',
  'speech',
  'handling',
  'document',
  'approval',
  'prompt',
  'answer',
] as const
const waits = ['tasks', 'approval', 'question'] as const
const outcomes = [
  'none',
  'skipped',
  'passed',
  'matched',
  'failed',
  'sent',
  'unknown',
  'waits',
  'stored',
  'remembered',
  'unsaved',
  'dropped',
  'taken up',
  'found',
  'slow',
  'unmarked',
  'text',
  'drawn',
  'spoken',
  'handed over',
  'steers',
  'ended',
  'ran',
  'refused',
  'stop',
  'tool-calls',
  'steered',
  'followed',
  'joined',
  'joins',
  'answers a question',
  'taken',
  'held',
  'known',
  'unclear',
  'answered',
  'approved',
  'denied',
  'overflow',
  'stopped',
  'length',
  'interrupted',
  'read',
] as const

/** Returns a stage in the person's language. */
export const stageName = (stage: string): string => {
  const known = stages.find((item) => item === stage)
  return known ? t(`stage.${known}`) : stage
}

/** Returns what a step has waited for. */
export const waitName = (kind: string): string => {
  const known = waits.find((item) => item === kind)
  return known ? t(`wait.${known}`) : `${t('stage.wait')} ${kind}`
}

/** Returns the outcome of a step in the current language, or as the host reports it. */
export const outcomeName = (outcome: string): string => {
  const known = outcomes.find((item) => item === outcome)
  return known ? t(`outcome.${known}`) : outcome
}
