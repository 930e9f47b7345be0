import type { LogVolume } from '@mynah/contract/types'
import { useMemo } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useResource } from '../../lib/use-resource.js'
import { filterOf, keyOf, type LineQuery } from './line-query.js'
import { useReloads } from './use-reloads.js'

/** The lines of one minute. */
export interface Minute {
  /** Its beginning, milliseconds since the epoch. */
  readonly at: number
  readonly count: number
  readonly errors: number
}

const MINUTES = 60
const MINUTE_MS = 60_000

/**
 * Returns the lines a minute of the last hour, oldest first, as the store of the host counts them, or `undefined` where
 * it does not.
 */
export function useVolume(query: LineQuery, newest: string | undefined): readonly Minute[] | undefined {
  const volume = useResource<LogVolume>(
    `GET /logs/volume ${keyOf(query)}`,
    (signal) => host().rest('GET /logs/volume', { query: { ...filterOf(query), minutes: MINUTES }, signal }),
    'GET /logs/volume',
  )
  useReloads(volume, newest)
  const isMissing = volume.data === undefined && volume.failure !== undefined
  return useMemo(
    () => (isMissing ? undefined : minutesOf(volume.data ?? noVolume(Date.now()))),
    [volume.data, isMissing],
  )
}

const minutesOf = ({ from, step, total, errors }: LogVolume): readonly Minute[] =>
  total.map((count, index) => ({ at: from + index * step, count, errors: errors[index] ?? 0 }))

/** The minutes before the host has counted. */
function noVolume(now: number): LogVolume {
  const zeros = Array<number>(MINUTES).fill(0)
  const from = (Math.floor(now / MINUTE_MS) - MINUTES + 1) * MINUTE_MS
  return { from, step: MINUTE_MS, total: zeros, errors: zeros }
}
