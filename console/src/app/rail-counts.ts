import type { EndpointRow, ExecApproval } from '@mynah/contract/types'
import { t } from '../lib/i18n.js'
import { useResource } from '../lib/use-resource.js'
import { useCatalogue } from './catalogue.js'
import { host } from './host.js'

/** `alert`: there is a problem. `waits`: a person must answer. */
export interface Count {
  readonly text: string
  readonly tone?: 'alert' | 'waits'
}

export interface CountSources {
  readonly endpoints?: readonly EndpointRow[]
  readonly pending?: readonly ExecApproval[]
  readonly failedPlugins?: number
  readonly brokenFile?: number
  readonly failedPages?: number
  readonly updates?: number
}

/** Everything that is counted. */
export const COUNTED: readonly (keyof CountSources)[] = [
  'endpoints',
  'pending',
  'failedPlugins',
  'brokenFile',
  'failedPages',
  'updates',
]

const labelledCount = (
  key: 'nav.offline' | 'nav.failed' | 'nav.waits' | 'nav.unread' | 'nav.updates',
  count: number,
  tone?: Count['tone'],
): Count | undefined => (count > 0 ? { text: t(key, { count }), ...(tone ? { tone } : {}) } : undefined)

const counts: Readonly<Record<string, (known: CountSources) => Count | undefined>> = {
  '/endpoints': ({ endpoints = [] }) =>
    labelledCount('nav.offline', endpoints.filter(({ status }) => status === 'offline').length, 'alert'),
  '/inbox': ({ endpoints = [] }) =>
    labelledCount(
      'nav.unread',
      endpoints.reduce((sum, { unread }) => sum + unread.messages + unread.requests, 0),
    ),
  '/plugins': ({ failedPlugins = 0, failedPages = 0 }) =>
    labelledCount('nav.failed', failedPlugins + failedPages, 'alert'),
  '/config': ({ brokenFile = 0 }) => labelledCount('nav.failed', brokenFile, 'alert'),
  '/marketplace': ({ updates = 0 }) => labelledCount('nav.updates', updates),
  '/agent/approvals': ({ pending = [] }) => labelledCount('nav.waits', pending.length, 'waits'),
}

/** Returns the count of the page at `path`, or undefined. */
export const countOf = (path: string, known: CountSources): Count | undefined => counts[path]?.(known)

const NONE: readonly never[] = []

/** Loads the lists that are counted, if the host serves them. */
export function useCountSources(failedPages: number): CountSources {
  const { has, failed, broken } = useCatalogue()
  const served = (address: string): string => (has(address) ? address : `absent ${address}`)
  const endpoints = useResource<readonly EndpointRow[]>(
    served('endpoint:list'),
    async (signal) => (has('endpoint:list') ? (await host().rpc('endpoint:list', {}, { signal })).endpoints : []),
    'endpoint:list',
  )
  const pending = useResource<{ pending: readonly ExecApproval[] }>(
    served('exec:pending'),
    (signal) => (has('exec:pending') ? host().rpc('exec:pending', {}, { signal }) : Promise.resolve({ pending: [] })),
    'exec:pending',
  )
  const updates = useResource<readonly unknown[]>(served('GET /marketplace/updates'), (signal) =>
    has('GET /marketplace/updates') ? host().rest('GET /marketplace/updates', { signal }) : Promise.resolve([]),
  )
  return {
    updates: updates.data?.length ?? 0,
    endpoints: endpoints.data ?? NONE,
    pending: pending.data?.pending ?? NONE,
    failedPlugins: failed,
    brokenFile: broken ? 1 : 0,
    failedPages,
  }
}
