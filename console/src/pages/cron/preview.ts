import { useEffect, useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { call } from '../../kit/call.js'
import { failureOf } from '../../lib/failure.js'
import { fieldsOf } from './model.js'

const TYPING_MS = 250

export interface Preview {
  readonly runs?: readonly number[]
  /** The zone of the times; the host's where the task names none. */
  readonly timezone?: string
  readonly error?: string
}

export function usePreview(cronExpression: string, timezone: string): Preview {
  const { has } = useCatalogue()
  const able = has('cron:preview')
  const [found, setFound] = useState<Preview>({})
  useEffect(() => {
    if (!able || !cronExpression.trim()) return setFound({})
    const controller = new AbortController()
    const timer = setTimeout(() => {
      call<{ nextRuns: number[]; timezone?: string }>(
        'cron:preview',
        {
          cronExpression: fieldsOf(cronExpression).join(' '),
          ...(timezone.trim() ? { timezone: timezone.trim() } : {}),
        },
        controller.signal,
      ).then(
        ({ nextRuns, timezone: zone }) => setFound({ runs: nextRuns, ...(zone ? { timezone: zone } : {}) }),
        (error: unknown) => {
          if (!controller.signal.aborted) setFound({ error: failureOf(error).text })
        },
      )
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [able, cronExpression, timezone])
  return found
}
