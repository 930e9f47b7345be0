import { logs, WireError } from '@mynah/contract'
import type { LogVolume } from '@mynah/contract/types'
import type { Clock } from '@mynah/kernel'
import { DAY_MS, MINUTE_MS, omitUndefined } from '@mynah/kernel/util'
import { route, type Route } from '@mynah/plugin-http-core/api'
import { toEntry } from './record.js'
import type { LogFilter, LogStore, MinuteCount } from './store.js'

const DEFAULT_MINUTES = 60

/** Returns the filter that a query names. Empty fields name none. */
const filterOf = ({
  name,
  host,
  search,
}: {
  readonly name?: string
  readonly host?: string
  readonly search?: string
}): LogFilter => omitUndefined({ name: name || undefined, host, search: search || undefined })

function volumeOf(counts: readonly MinuteCount[], from: number, minutes: number): LogVolume {
  const total = Array<number>(minutes).fill(0)
  const errors = Array<number>(minutes).fill(0)
  for (const { minute, level, total: count } of counts) {
    const at = (minute - from) / MINUTE_MS
    total[at] = (total[at] ?? 0) + count
    if (level === 'error') errors[at] = (errors[at] ?? 0) + count
  }
  return { from, step: MINUTE_MS, total, errors }
}

/** @param ready returns the store with all lines so far, or throws `not_ready` */
export function logRoutes(ready: () => Promise<LogStore>, clock: Clock): Route[] {
  const { rest } = logs
  return [
    route(rest, 'GET /logs', async ({ query }) => {
      const { limit = 100, level, before, from, to } = query
      const rows = await (
        await ready()
      ).list({
        limit,
        ...(level && level !== 'all' ? { level } : {}),
        ...filterOf(query),
        ...omitUndefined({ before: before || undefined, from, to }),
      })
      return rows.map(toEntry)
    }),
    route(rest, 'DELETE /logs', async () => ({ deleted: await (await ready()).clear() })),
    route(rest, 'GET /logs/stats', async ({ query }) => (await ready()).stats(filterOf(query))),
    route(rest, 'GET /logs/volume', async ({ query }) => {
      const { minutes = DEFAULT_MINUTES } = query
      const now = clock.now()
      const from = now - (now % MINUTE_MS) - (minutes - 1) * MINUTE_MS
      const to = from + minutes * MINUTE_MS
      return volumeOf(await (await ready()).volume({ ...filterOf(query), from, to }), from, minutes)
    }),
    route(rest, 'POST /logs/cleanup', async ({ body }) => {
      const { days, maxRecords, dryRun } = body
      if (days === undefined && maxRecords === undefined)
        throw new WireError('invalid_request', 'days or maxRecords is required', {
          details: [{ path: 'body', message: 'must have days or maxRecords' }],
        })
      const limits = omitUndefined({
        olderThan: days === undefined ? undefined : clock.now() - days * DAY_MS,
        keep: maxRecords,
      })
      const current = await ready()
      return dryRun ? current.previewCleanup(limits) : current.cleanup(limits)
    }),
  ]
}
