import type { Activity, EndpointActivity, EndpointRow, ExecApproval, PluginItem, Ready } from '@mynah/contract/types'
import type { EntryState } from '@mynah/sdk'
import { shortName } from '../../lib/format.js'
import { minuteSlots, type Minute } from '../../lib/activity-history.js'
import type { Tick, TickTone } from '../../ui/ticks.js'
import type { CronList } from './wire.js'

type IssueKind = 'offline' | 'connecting' | 'plugin' | 'waiting' | 'degraded' | 'check' | 'job' | 'entry' | 'approval'

/** A problem that needs attention. */
export interface Issue {
  readonly id: string
  readonly kind: IssueKind
  readonly tone: 'err' | 'warn'
  /** Name of the affected item. */
  readonly name: string
  /** The owner of the item, such as the adapter of an endpoint. */
  readonly of?: string
  /** When the problem began or last occurred, milliseconds since the epoch. */
  readonly since?: number
  /** Message of the host. */
  readonly said?: string
}

export interface IssueSources {
  readonly endpoints?: readonly EndpointRow[] | undefined
  readonly plugins?: readonly PluginItem[] | undefined
  readonly entries: readonly EntryState[]
  readonly pageFailures: Readonly<Record<string, string>>
  readonly ready?: Ready | undefined
  readonly cron?: CronList | undefined
  readonly approvals?: readonly ExecApproval[] | undefined
  readonly now: number
}

/** Endpoints that have been connecting for longer than this count as an issue. */
const CONNECTING_MS = 60_000
const WEIGHT = { err: 0, warn: 1 }

/** Returns the checks that a host sends with its 503 answer. */
export function readinessFromError(error: unknown): Ready {
  const data = (error as { data?: unknown } | null)?.data
  const checks = (data as { checks?: unknown } | null | undefined)?.checks
  if (typeof checks !== 'object' || checks === null) throw error
  return data as Ready
}

const saying = (said: string | undefined): { said?: string } => (said ? { said } : {})

function pluginIssues(plugins: readonly PluginItem[]): Issue[] {
  return plugins.flatMap(({ name, state, error, waitingFor = [] }): Issue[] => {
    const id = `plugin:${name}`
    if (state === 'failed') return [{ id, kind: 'plugin', tone: 'err', name, ...saying(error) }]
    if (state === 'degraded') return [{ id, kind: 'degraded', tone: 'warn', name, ...saying(error) }]
    return state === 'pending' && waitingFor.length > 0
      ? [{ id, kind: 'waiting', tone: 'warn', name, said: waitingFor.join('; ') }]
      : []
  })
}

/** Returns all issues of a host, errors first. */
export function issues({
  endpoints = [],
  plugins = [],
  entries,
  pageFailures,
  ready,
  cron,
  approvals = [],
  now,
}: IssueSources): Issue[] {
  const ofPlugins = pluginIssues(plugins)
  const told = new Set(ofPlugins.map(({ name }) => name))
  const isPlugin = (name: string): boolean => plugins.some((plugin) => plugin.name === name)
  const found: Issue[] = [
    ...endpoints.flatMap(({ name, adapter, status, since, error }): Issue[] => {
      const id = `endpoint:${adapter}:${name}`
      if (status === 'offline')
        return [{ id, kind: 'offline', tone: 'err', name, of: adapter, since, ...saying(error) }]
      return status === 'pending' && now - since > CONNECTING_MS
        ? [{ id, kind: 'connecting', tone: 'warn', name, of: adapter, since, ...saying(error) }]
        : []
    }),
    ...ofPlugins,
    // Each plugin is a check, too. The issue of the plugin itself has more detail.
    ...Object.entries(ready?.checks ?? {})
      .filter(([name, { status }]) => status !== 'ok' && !told.has(name))
      .map(([name, { status, reason }]): Issue => {
        const failed = status === 'failed'
        const kind = failed ? 'plugin' : 'degraded'
        return {
          id: `check:${name}`,
          kind: isPlugin(name) ? kind : 'check',
          tone: failed ? 'err' : 'warn',
          name,
          ...saying(reason),
        }
      }),
    ...(cron?.persistent ?? [])
      .filter(({ enabled, lastStatus }) => enabled && (lastStatus === 'error' || lastStatus === 'undelivered'))
      .map((job): Issue => ({
        id: `job:${job.id}`,
        kind: 'job',
        tone: 'err',
        name: job.label ?? shortName(job.prompt),
        ...(job.lastRun === undefined ? {} : { since: job.lastRun }),
        ...saying(job.lastError),
      })),
    ...approvals
      .filter(({ status }) => status === 'pending')
      .map((approval): Issue => ({
        id: `approval:${approval.id}`,
        kind: 'approval',
        tone: 'warn',
        name: approval.title,
        ...(approval.endpointId === undefined ? {} : { of: approval.endpointId }),
        since: approval.createdAt,
      })),
    ...entries.flatMap((state): Issue[] => {
      const said = state.error?.message ?? pageFailures[state.id]
      return said === undefined
        ? []
        : [
            {
              id: `entry:${state.id}`,
              kind: 'entry',
              tone: 'err',
              name: state.entry.meta.name,
              ...(state.entry.meta.plugin ? { of: state.entry.meta.plugin } : {}),
              said,
            },
          ]
    }),
  ]
  return found.sort((a, b) => WEIGHT[a.tone] - WEIGHT[b.tone])
}

/** Returns the key of an endpoint in the activity history. */
export const endpointKey = (endpoint: { readonly adapter: string; readonly name: string }): string =>
  `${endpoint.adapter}/${endpoint.name}`

export interface Traffic {
  readonly received: readonly number[]
  readonly sent: readonly number[]
  readonly failed: number
  readonly total: number
  /** A round number at or above the most in a minute. */
  readonly top: number
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Returns the messages of all endpoints, minute by minute. */
export function trafficOf({ endpoints }: Activity): Traffic {
  const length = Math.max(0, ...endpoints.map(({ received }) => received.length))
  const add = (of: (endpoint: EndpointActivity) => readonly number[]): number[] =>
    Array.from({ length }, (_, index) => sum(endpoints.map((endpoint) => of(endpoint)[index] ?? 0)))
  const [received, sent] = [add((endpoint) => endpoint.received), add((endpoint) => endpoint.sent)]
  const failed = sum(endpoints.map((endpoint) => sum(endpoint.failed)))
  return {
    received,
    sent,
    failed,
    total: sum(received),
    top: roundUp(Math.max(4, ...received.map((value, index) => value + (sent[index] ?? 0)))),
  }
}

/** Returns the next number of the form 1, 2, 4 or 5 times a power of ten. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return power * ([1, 2, 4, 5, 10].find((step) => step * power >= value) ?? 10)
}

const TONES: Readonly<Record<string, TickTone>> = { o: 'on', p: 'warn', x: 'err' }
const HEIGHTS: Readonly<Record<string, number>> = { o: 1, p: 0.5, x: 0.35 }

export interface EndpointHour {
  readonly ticks: readonly Tick[]
  /** Minutes online, of those that are known. */
  readonly up: number
  readonly seen: number
  /** Messages in both directions. */
  readonly messages?: number
  /** When it last received or sent something, to the minute. */
  readonly last?: number
}

/** Returns the last hour of an endpoint, as counted by the host or else sampled by this browser. */
export function hourOf(
  endpoint: { readonly adapter: string; readonly name: string },
  activity: Activity | undefined,
  ring: readonly Minute[],
  now: number,
): EndpointHour {
  const counted = activity?.endpoints.find(
    ({ adapter, endpointId }) => adapter === endpoint.adapter && endpointId === endpoint.name,
  )
  if (!activity || !counted) return seenHour(endpointKey(endpoint), ring, now)
  const letters = [...counted.status]
  const busy = counted.received.map((value, index) => value + (counted.sent[index] ?? 0))
  const last = busy.findLastIndex((value) => value > 0)
  return {
    ticks: letters.map((letter) => ({ value: HEIGHTS[letter] ?? 0, tone: TONES[letter] ?? 'off' })),
    up: letters.filter((letter) => letter === 'o').length,
    seen: letters.filter((letter) => letter in TONES).length,
    messages: sum(busy),
    ...(last < 0 ? {} : { last: activity.from + last * activity.step }),
  }
}

function seenHour(key: string, ring: readonly Minute[], now: number): EndpointHour {
  const states = minuteSlots(ring, now).map((minute) => minute?.up?.[key])
  return {
    ticks: states.map((up) => {
      if (up === undefined) return { value: 0, tone: 'off' }
      return up ? { value: 1, tone: 'on' } : { value: 0.35, tone: 'err' }
    }),
    up: states.filter((up) => up === true).length,
    seen: states.filter((up) => up !== undefined).length,
  }
}

const STATUS_ORDER = { offline: 0, pending: 1, online: 2 }

/** Sorts endpoints: offline ones first, then by messages. */
export function byUrgency<T extends { readonly row: EndpointRow; readonly hour: EndpointHour }>(
  endpoints: readonly T[],
): T[] {
  return [...endpoints].sort(
    (a, b) =>
      STATUS_ORDER[a.row.status] - STATUS_ORDER[b.row.status] ||
      (b.hour.messages ?? 0) - (a.hour.messages ?? 0) ||
      a.row.name.localeCompare(b.row.name),
  )
}

/** Returns the memory of each minute of the last hour, scaled to a round number above the maximum. */
export function memoryHour(ring: readonly Minute[], now: number): { readonly ticks: Tick[]; readonly top: number } {
  const all = minuteSlots(ring, now)
  const top = roundUp(Math.max(1, ...all.map((minute) => minute?.memory ?? 0)))
  return {
    top,
    ticks: all.map((minute) =>
      minute?.memory === undefined ? { value: 0, tone: 'off' } : { value: minute.memory / top, tone: 'on' },
    ),
  }
}
