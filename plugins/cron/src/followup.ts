import type { Clock } from '@mynah/kernel'
import { MINUTE_MS } from '@mynah/kernel/util'
import { Type } from '@mynah/contract/type'
import { defineTool, toolResult, type Tool } from '@mynah/plugin-ai/api'
import type { JobHandler, Jobs } from './api.js'
import { notifyTo } from './notify/normalize.js'

const HANDLER = 'followup'
const MAX_MINUTES = 366 * 24 * 60

/** Creates the tool and the handler of follow-ups: messages that are sent later without a model. */
export function followUps(jobs: Jobs, clock: Clock): { readonly tool: Tool; readonly handler: JobHandler } {
  return {
    handler: {
      name: HANDLER,
      description: 'Sends a message as it is',
      run: (args) => ({ text: String((args as { message?: unknown } | undefined)?.message ?? '') }),
    },
    tool: defineTool({
      name: 'schedule_followup',
      effect: 'once',
      keywords: ['remind', 'reminder', 'later', 'follow up', '提醒', '稍后'],
      description:
        'Sends a message to this conversation later, as it is. Only one can be pending: a new one replaces it.',
      parameters: Type.Object({
        action: Type.Enum(['create']),
        delay_minutes: Type.Number({ exclusiveMinimum: 0, maximum: MAX_MINUTES }),
        message: Type.String({ minLength: 1, maxLength: 4_000 }),
      }),
      async run({ delay_minutes, message }, { origin }) {
        const { adapter, endpoint, channel, user } = origin
        if (adapter === undefined || endpoint === undefined || channel === undefined || user === undefined)
          return toolResult('There is no conversation here to follow up.', { isError: true })
        const at = Math.round(clock.now() + delay_minutes * MINUTE_MS)
        const notify = notifyTo(adapter, endpoint, channel)
        await jobs.add({
          label: 'Follow-up',
          trigger: { kind: 'schedule', schedule: { at } },
          action: { kind: 'handler', handler: HANDLER, args: { message } },
          notify,
          missed: 'once',
          once: true,
          group: JSON.stringify(['followup', notify]),
          creator: { kind: 'chat', adapter, endpoint, channel, user },
        })
        return `The message will be sent at ${new Date(at).toISOString()}.`
      },
    }),
  }
}
