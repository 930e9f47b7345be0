import type { LogStats } from '@mynah/contract/types'
import { useEffect } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { figuresOf, type Choice, type Figures } from './figures.js'
import { filterOf, isNarrowed, keyOf, type LineQuery } from './line-query.js'
import type { LogBuffer, LogRow } from './log-buffer.js'
import { useReloads } from './use-reloads.js'

/** Returns the figures of the page. The host counts again whenever lines came, so that they go on with the lines. */
export function useFigures(
  stats: Resource<LogStats>,
  query: LineQuery,
  { newest, rows }: LogBuffer,
  shown: readonly LogRow[],
  choice: Choice,
): Figures {
  const narrowed = isNarrowed(query)
  useEffect(() => {
    if (newest !== undefined && stats.data !== undefined) stats.reload()
  }, [newest])
  const matching = useResource<LogStats>(
    narrowed ? `GET /logs/stats ${keyOf(query)}` : 'GET /logs/stats',
    (signal) => host().rest('GET /logs/stats', { query: filterOf(query), signal }),
    'GET /logs/stats',
  )
  useReloads(matching, narrowed ? newest : undefined)
  const all = figuresOf(stats.data, rows, shown, choice)
  return narrowed ? { ...figuresOf(matching.data, rows, shown, choice), total: all.total } : all
}
