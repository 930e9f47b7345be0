import type { Mistake } from '@mynah/kernel'
import { Type, type Static } from '@mynah/contract/type'
import { messageOf } from '@mynah/kernel'
import { zoneOf } from './schedule/zone.js'

const schema = Type.Object(
  {
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 64,
      default: 4,
      description: 'Runs that may be active at once; runs that wait for a person do not count',
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
