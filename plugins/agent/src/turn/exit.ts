// How a turn that gave no answer is told: what stands in the journal, and the one line that people read.
import { messageOf } from '@mynah/kernel'
import { isModelError } from '@mynah/plugin-ai/api'
import type { Locale } from '@mynah/plugin-chat/api'
import { plainly, textsFor } from '../texts.js'
import { Ended } from './live.js'

export interface Exit {
  readonly state: 'stopped' | 'failed'
  readonly why: string
  readonly line: string
  /** Nobody foresaw it. */ readonly isFault: boolean
}

/** Whether a stage says that the line about such an end is being told. */
export const isExit = (stage: string): stage is Exit['state'] => stage === 'stopped' || stage === 'failed'

/** The exit for what ended a turn; `undefined` where it goes on after the host's next start. */
export function exitOf(error: unknown, ended: Ended | undefined, locale: Locale | undefined): Exit | undefined {
  if (ended?.state === 'left') return undefined
  const texts = textsFor(locale)
  if (ended?.state === 'stopped') return { state: 'stopped', why: ended.message, line: texts.stopped, isFault: false }
  if (ended)
    return {
      state: 'failed',
      why: ended.message,
      line: ended.message === 'slow' ? texts.slow : ended.message === 'long' ? texts.long : texts.failed(ended.message),
      isFault: false,
    }
  if (isModelError(error))
    return {
      state: 'failed',
      why: messageOf(error),
      line: error.class === 'overflow' ? texts.overflow : texts.failed(plainly(error, locale)),
      isFault: false,
    }
  return { state: 'failed', why: messageOf(error), line: texts.failed(texts.unknown), isFault: true }
}
