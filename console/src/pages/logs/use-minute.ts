import type { LogEntry } from '@mynah/contract/types'
import { useMemo } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useResource } from '../../lib/use-resource.js'
import { filterOf, keyOf, type LineQuery } from './line-query.js'
import { append, BUFFER_ROWS, EMPTY_BUFFER, type LogRow } from './log-buffer.js'

const MINUTE_MS = 60_000
const PAGE = 1_000

interface MinuteLines {
  readonly at: number | undefined
  readonly entries: readonly LogEntry[]
}

/**
 * Returns the lines of the minute of `at`, newest first, or `undefined` until they are loaded. They may be older than
 * the lines that the page has loaded.
 */
export function useMinute(at: number | undefined, query: LineQuery): readonly LogRow[] | undefined {
  const minute = at === undefined ? undefined : Math.floor(at / MINUTE_MS) * MINUTE_MS
  const lines = useResource<MinuteLines>(
    `GET /logs of ${minute} ${keyOf(query)}`,
    async (signal) => ({ at: minute, entries: minute === undefined ? [] : await linesOf(minute, query, signal) }),
    'GET /logs',
  )
  const entries = minute !== undefined && lines.data?.at === minute ? lines.data.entries : undefined
  return useMemo(() => entries && append(EMPTY_BUFFER, entries).rows, [entries])
}

async function linesOf(from: number, query: LineQuery, signal: AbortSignal): Promise<readonly LogEntry[]> {
  const found: LogEntry[] = []
  while (found.length < BUFFER_ROWS) {
    const before = found.at(-1)?.id
    const page = await host().rest('GET /logs', {
      query: { limit: PAGE, ...filterOf(query), from, to: from + MINUTE_MS, ...(before ? { before } : {}) },
      signal,
    })
    found.push(...page)
    if (page.length < PAGE) break
  }
  return found
}
