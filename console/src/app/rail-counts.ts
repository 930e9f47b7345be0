// What the rail says beside a page: only what somebody would act on, in a word.
import type { EndpointRow, ExecApproval } from '@mynah/contract/types'
import { t } from '../lib/i18n.js'
import { useResource } from '../lib/use-resource.js'
import { useCatalogue } from './catalogue.js'
import { host } from './host.js'

/** `alert`: something is wrong there; `waits`: somebody is to answer. */
export interface Count {
  readonly text: string
  readonly tone?: 'alert' | 'waits'
}

export interface CountSources {
  readonly endpoints?: readonly EndpointRow[]
  readonly pending?: readonly ExecApproval[]
  readonly failedPlugins?: number
  readonly failedPages?: number
}

const labelledCount = (
  key: 'nav.offline' | 'nav.failed' | 'nav.waits' | 'nav.unread',
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
  '/agent/approvals': ({ pending = [] }) => labelledCount('nav.waits', pending.length, 'waits'),
}

/** The count of the page at `path`, if there is one. */
export const countOf = (path: string, known: CountSources): Count | undefined => counts[path]?.(known)

const NONE: readonly never[] = []

/** Loads what is counted, each where the host serves it. */
export function useCountSources(failedPages: number): CountSources {
  const { has, failed } = useCatalogue()
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
  return {
    endpoints: endpoints.data ?? NONE,
    pending: pending.data?.pending ?? NONE,
    failedPlugins: failed,
    failedPages,
  }
}
