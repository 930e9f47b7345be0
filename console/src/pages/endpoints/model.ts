import type { Activity, EndpointChange, EndpointRow } from '@mynah/contract/types'
import { paginate, parsePageNumber, type ListPage } from '../../lib/paginate.js'
import { minuteSlots, type Minute } from '../../lib/activity-history.js'
import type { Tick } from '../../ui/ticks.js'

export type Status = EndpointRow['status']

const WORST: Readonly<Record<Status, number>> = { offline: 0, pending: 1, online: 2 }

export const address = ({ adapter, name }: { readonly adapter: string; readonly name: string }): string =>
  `/endpoints/${encodeURIComponent(adapter)}/${encodeURIComponent(name)}`

/** A slow machine draws as many without a long task. */
const PAGE_SIZE = 20

/** Returns the rows of a query, problems first unless sorted by a column. */
export function endpointPage(
  all: readonly EndpointRow[],
  query: Readonly<Record<string, string>>,
): ListPage<EndpointRow> {
  const { status = '', platform = '', filter = '', sort = '', page = '' } = query
  const chosen = all
    .filter((row) => (!status || row.status === status) && (!platform || row.adapter === platform))
    .sort(
      (a, b) =>
        WORST[a.status] - WORST[b.status] || b.unread.messages - a.unread.messages || a.name.localeCompare(b.name),
    )
  return paginate(chosen, {
    filter,
    page: parsePageNumber(page),
    pageSize: PAGE_SIZE,
    sort,
    text: (row) => [row.name, row.adapter, row.platform, row.selfName, row.selfId].join('\n'),
    by: {
      name: (row) => row.name,
      platform: (row) => row.adapter,
      messages: (row) => row.unread.messages,
      requests: (row) => row.unread.requests,
      state: (row) => WORST[row.status],
    },
  })
}

/** Returns how many endpoints are in each state. */
export function countStates(all: readonly EndpointRow[]): Readonly<Record<Status, number>> {
  const counts = { online: 0, pending: 0, offline: 0 }
  for (const row of all) counts[row.status]++
  return counts
}

/** Returns the last hour of an endpoint, from the letters of the host or else the samples of this browser. */
export function hourTicks(
  letters: string | undefined,
  ring: readonly Minute[],
  key: string,
  now: number,
): { readonly ticks: Tick[]; readonly up: number; readonly seen: number } {
  const states: (Status | undefined)[] = letters
    ? [...letters].map((letter) => ({ o: 'online' as const, p: 'pending' as const, x: 'offline' as const })[letter])
    : minuteSlots(ring, now).map((minute) => {
        const up = minute?.up?.[key]
        if (up === undefined) return undefined
        return up ? 'online' : 'offline'
      })
  return {
    ticks: states.map(tickOf),
    up: states.filter((state) => state === 'online').length,
    seen: states.filter((state) => state !== undefined).length,
  }
}

const UNKNOWN_TICK: Tick = { value: 0.15, tone: 'off' }
const TICKS: Readonly<Record<Status, Tick>> = {
  online: { value: 1, tone: 'on' },
  pending: { value: 0.6, tone: 'warn' },
  offline: { value: 0.4, tone: 'err' },
}
const tickOf = (state: Status | undefined): Tick => (state === undefined ? UNKNOWN_TICK : TICKS[state])

/** Returns the end of the last minute with a message, within the activity of the host. */
export function lastEvent(activity: Activity | null | undefined, row: EndpointRow): number | undefined {
  const own = activity?.endpoints.find((item) => item.adapter === row.adapter && item.endpointId === row.name)
  const index = own ? own.received.findLastIndex((count, minute) => count + (own.sent[minute] ?? 0) > 0) : -1
  return activity && index >= 0 ? activity.from + (index + 1) * activity.step : undefined
}

/** Changes of state that the page of all endpoints shows. */
export const NEWEST = 8

/** Returns the newest changes of several endpoints, each with the endpoint that it is of. */
export function newestChanges<T extends object>(
  endpoints: readonly { readonly row: T; readonly changes: readonly EndpointChange[] }[],
): (EndpointChange & { readonly row: T })[] {
  return endpoints
    .flatMap(({ row, changes }) => changes.map((change) => ({ ...change, row })))
    .sort((a, b) => b.at - a.at)
    .slice(0, NEWEST)
}

const BAR_MS = 600_000
const BARS = 144

/** Returns the last 24 hours in bars of ten minutes. Bars before the oldest change are unknown. */
export function dayTicks(
  changes: readonly EndpointChange[],
  now: number,
): { readonly ticks: Tick[]; readonly share: number | undefined } {
  const ordered = [...changes].sort((a, b) => a.at - b.at)
  const first = now - BARS * BAR_MS
  let known = 0
  let up = 0
  const ticks = Array.from({ length: BARS }, (_, index) => {
    const end = first + (index + 1) * BAR_MS
    const start = end - BAR_MS
    const before = ordered.findLast((change) => change.at <= start)
    const during = ordered.filter((change) => change.at > start && change.at <= end)
    const states = [...(before ? [before.status] : []), ...during.map((change) => change.status)]
    if (states.length === 0) return tickOf(undefined)
    known++
    const worst = (['offline', 'pending'] as const).find((state) => states.includes(state)) ?? 'online'
    if (worst === 'online') up++
    return tickOf(worst)
  })
  return { ticks, share: known > 0 ? up / known : undefined }
}

export interface Outage {
  readonly from: number
  readonly until: number | undefined
  readonly reason: string | undefined
}

/** Returns the outages of an endpoint, newest first. */
export function outages(changes: readonly EndpointChange[]): Outage[] {
  const ordered = [...changes].sort((a, b) => a.at - b.at)
  const found: Outage[] = []
  let open: { from: number; reason: string | undefined } | undefined
  for (const change of ordered) {
    if (change.status === 'online') {
      if (open) found.push({ ...open, until: change.at })
      open = undefined
    } else if (!open && change.status === 'offline') open = { from: change.at, reason: change.reason }
  }
  if (open) found.push({ ...open, until: undefined })
  return found.reverse()
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns the settings of an endpoint as paths and values, without defaults. */
export function settingRows(
  config: Readonly<Record<string, unknown>>,
  prefix = '',
): { readonly path: string; readonly value: string }[] {
  return Object.entries(config).flatMap(([key, value]) => {
    const path = prefix ? `${prefix}.${key}` : key
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return settingRows(value as Record<string, unknown>, path)
    return [{ path, value: Array.isArray(value) ? value.map(asText).join(', ') : asText(value) }]
  })
}

export interface Target {
  readonly type: 'private' | 'group' | 'channel'
  readonly id: string
  readonly name?: string
  readonly guild?: string
}

/** Parses the stored target of an endpoint, or returns undefined if it is invalid. */
export function parseTarget(text: string | null): Target | undefined {
  if (!text) return undefined
  try {
    const value = JSON.parse(text) as Partial<Target> | null
    if (
      typeof value !== 'object' ||
      value === null ||
      typeof value.id !== 'string' ||
      !['private', 'group', 'channel'].includes(value.type ?? '')
    )
      return undefined
    return {
      type: value.type as Target['type'],
      id: value.id,
      ...(typeof value.name === 'string' ? { name: value.name } : {}),
      ...(typeof value.guild === 'string' ? { guild: value.guild } : {}),
    }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
