import type {
  Activity,
  EndpointRow,
  ExecApproval,
  LogEntry,
  PluginItem,
  Ready,
  SystemStatus,
  Trace,
} from '@mynah/contract/types'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { useStats } from '../../app/use-navigation.js'
import { call } from '../../kit/call.js'
import type { Load } from '../../lib/resource-cache.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { readinessFromError } from './model.js'
import { MOST_PROBLEMS } from './summaries.js'
import type { CronList, OpenTurn, Usage } from './wire.js'

/** Parts of the time that the dashboard shows: their length and that of a figure, in minutes. */
const RANGES = { hour: [60, 1], day: [1440, 30], week: [10_080, 180] } as const
export type RangeName = keyof typeof RANGES

/** Loads a resource only if the host serves it. */
function useServed<T>(served: boolean, key: string, load: Load<T>): Resource<T> | undefined {
  const resource = useResource<T | undefined>(
    served ? key : `absent ${key}`,
    served ? load : () => Promise.resolve(undefined),
    key.split(' {')[0] ?? key,
  )
  const { failure } = resource
  return !served || failure?.kind === 'missing' || failure?.code === 'unknown_method' || failure?.status === 403
    ? undefined
    : (resource as Resource<T>)
}

const problems: Load<LogEntry[]> = async (signal) => {
  const of = (level: 'error' | 'warn') => host().rest('GET /logs', { query: { level, limit: MOST_PROBLEMS }, signal })
  return (await Promise.all([of('error'), of('warn')])).flat()
}

export function useSources(range: RangeName) {
  const [minutes, step] = RANGES[range] ?? RANGES.hour
  const stats = useStats()
  const { known, has } = useCatalogue()
  const sources = {
    stats,
    system: useResource<SystemStatus>('GET /system/status', (signal) => host().rest('GET /system/status', { signal })),
    // The catalogue prefills it.
    plugins: useServed<PluginItem[]>(known, 'GET /plugins', (signal) => host().rest('GET /plugins', { signal })),
    // Demo tokens may not call it.
    ready: useServed<Ready>(!__DEMO__, 'GET /ready', (signal) =>
      host().rest('GET /ready', { signal }).catch(readinessFromError),
    ),
    endpoints: useServed<EndpointRow[]>(
      has('endpoint:list'),
      'endpoint:list',
      async (signal) => (await host().rpc('endpoint:list', {}, { signal })).endpoints,
    ),
    activity: useServed<Activity>(has('chat:activity'), `chat:activity {"minutes":${minutes}}`, (signal) =>
      host().rpc('chat:activity', { minutes, step }, { signal }),
    ),
    cron: useServed<CronList>(has('cron:list'), 'cron:list', (signal) => call<CronList>('cron:list', {}, signal)),
    // Ask for failed ones only, because the newest of thousands may not include them.
    failedJobs: useServed<CronList>(has('cron:list'), 'cron:list {"state":"failed"}', (signal) =>
      call<CronList>('cron:list', { state: 'failed', limit: 50 }, signal),
    ),
    approvals: useServed<{ pending: ExecApproval[] }>(has('exec:pending'), 'exec:pending', (signal) =>
      host().rpc('exec:pending', {}, { signal }),
    ),
    turns: useServed<{ turns: OpenTurn[] }>(!__DEMO__ && has('agent:turns'), 'agent:turns {"active":true}', (signal) =>
      call('agent:turns', { active: true, limit: 50 }, signal),
    ),
    usage: useServed<Usage>(has('agent:usage'), 'agent:usage {"days":1}', (signal) =>
      call<Usage>('agent:usage', { days: 1 }, signal),
    ),
    problems: useServed<LogEntry[]>(has('GET /logs'), 'GET /logs {"problems":true}', problems),
    traces: useServed<{ traces: Trace[] }>(!__DEMO__ && has('chat:traces'), 'chat:traces {"limit":5}', (signal) =>
      host().rpc('chat:traces', { limit: 5 }, { signal }),
    ),
  }
  /** False until the catalogue of the host is loaded. */
  return { known, sources }
}

export type Sources = ReturnType<typeof useSources>['sources']
