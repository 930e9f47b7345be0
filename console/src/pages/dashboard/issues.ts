import type { EndpointRow, ExecApproval, PluginItem, Ready } from '@mynah/contract/types'
import type { EntryState } from '@mynah/sdk'
import { shortName } from '../../lib/format.js'
import type { CronList, OpenTurn } from './wire.js'

type IssueKind =
  | 'offline'
  | 'connecting'
  | 'plugin'
  | 'waiting'
  | 'degraded'
  | 'check'
  | 'job'
  | 'entry'
  | 'approval'
  | 'question'

/** A problem that needs attention, or a request that waits for a person. */
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
  /** It waits for a person. */
  readonly waits?: true
  /** End of the time in which it can be answered, milliseconds since the epoch. */
  readonly expiresAt?: number
}

export interface IssueSources {
  readonly endpoints?: readonly EndpointRow[] | undefined
  readonly plugins?: readonly PluginItem[] | undefined
  readonly entries: readonly EntryState[]
  readonly pageFailures: Readonly<Record<string, string>>
  readonly ready?: Ready | undefined
  readonly cron?: CronList | undefined
  readonly approvals?: readonly ExecApproval[] | undefined
  readonly turns?: readonly OpenTurn[] | undefined
  readonly now: number
}

/** Endpoints that have been connecting for longer than this count as an issue. */
const CONNECTING_MS = 60_000
const WEIGHT = { err: 0, warn: 1 }

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

function questionIssues({ id, sessionKey, startedAt, waitingFor }: OpenTurn): Issue[] {
  if (waitingFor?.kind !== 'question') return []
  return [
    {
      id: `question:${id}`,
      kind: 'question',
      tone: 'warn',
      name: waitingFor.text ?? '',
      of: sessionKey,
      since: startedAt,
      waits: true,
      ...(waitingFor.expiresAt === undefined ? {} : { expiresAt: waitingFor.expiresAt }),
    },
  ]
}

/** A number, so that two without an end compare as equal. */
const endOf = ({ expiresAt = Number.MAX_SAFE_INTEGER }: Issue): number => expiresAt
const urgency = ({ waits, tone }: Issue): number => (waits ? -1 : WEIGHT[tone])

/** Returns what waits for a person, what ends first before the rest, and then the issues of a host, errors first. */
export function issues({
  endpoints = [],
  plugins = [],
  entries,
  pageFailures,
  ready,
  cron,
  approvals = [],
  turns = [],
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
        waits: true,
        expiresAt: approval.expiresAt,
      })),
    ...turns.flatMap(questionIssues),
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
  return found.sort((a, b) => urgency(a) - urgency(b) || endOf(a) - endOf(b))
}
