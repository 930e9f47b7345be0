import type { Mistake } from '@mynah/kernel'
import { Type, type Static } from '@mynah/contract/type'
import { messageOf } from '@mynah/kernel'
import { zoneOf } from './schedule/zone.js'

/** A week, in seconds. Timers take at most 24 days. */
const MAX_TIMEOUT_S = 604_800

const schema = Type.Object(
  {
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 64,
      default: 4,
      description:
        'Runs that may be active at once: of the agent, of each handler, and deliveries to each account; runs that wait ' +
        'for a person do not count',
    }),
    runTimeout: Type.Integer({
      minimum: 0,
      maximum: MAX_TIMEOUT_S,
      default: 3_600,
      description:
        'Seconds that an attempt to run a job may work, without waits for a person; 0 is no limit. An action may have ' +
        'its own limit. A run that takes longer fails, and the owner is notified',
    }),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Zone of schedules without one, such as `Europe/Berlin`; default the zone of the host',
      }),
    ),
  },
  { additionalProperties: false, default: {} },
)
export type Config = Static<typeof schema>

export const claim = {
  key: 'cron',
  schema,
  check({ timezone }: Config): readonly Mistake[] {
    if (timezone === undefined) return []
    try {
      zoneOf(timezone)
      return []
    } catch (error) {
      return [{ path: 'cron.timezone', message: messageOf(error) }]
    }
  },
} as const
