import type { EndpointRow } from '@mynah/contract/types'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useEvent } from '../../kit/use-event.js'
import { failureOf } from '../../lib/failure.js'
import { resources } from '../../lib/resources.js'
import { useResource } from '../../lib/use-resource.js'
import { fromEvent, withEndpoint, type Message, type Notice, type EndpointRef, type Request } from './model.js'
import { allUnread, endpointKey, loadMessages, withReadElsewhere, type AllUnread } from './unread-rows.js'
import { readCachedRows, cacheRows, type Kind, type Rows } from './row-cache.js'

interface Problem extends EndpointRef {
  readonly text: string
  readonly notReady: boolean
}

interface State {
  readonly messages: ReadonlyMap<string, Message>
  readonly requests: ReadonlyMap<string, Request>
  readonly notices: ReadonlyMap<string, Notice>
}

const EMPTY: State = { messages: new Map(), requests: new Map(), notices: new Map() }
const rowKey = (row: EndpointRef & { readonly id: string }): string => `${row.adapter}/${row.endpoint}/${row.id}`

function put<T extends EndpointRef & { readonly id: string }>(
  map: ReadonlyMap<string, T>,
  rows: readonly T[],
): ReadonlyMap<string, T> {
  if (rows.length === 0) return map
  const next = new Map(map)
  for (const row of rows) next.set(rowKey(row), row)
  return next
}

export interface Inbox {
  readonly messages: readonly Message[]
  readonly requests: readonly Request[]
  readonly notices: readonly Notice[]
  readonly endpoints: readonly EndpointRow[] | undefined
  readonly problems: readonly Problem[]
  /** Whether the host has answered for every endpoint. */
  readonly known: boolean
  readonly updatedAt: number | undefined
  readonly resource: {
    readonly failure?: import('../../lib/failure.js').Failure
    readonly data?: unknown
    readonly updatedAt?: number
    readonly reload: () => void
    readonly loading: boolean
  }
  readonly add: <K extends Kind>(kind: K, rows: Rows[K]) => void
  readonly markRead: (kind: Kind, rows: readonly (EndpointRef & { readonly id: string })[]) => Promise<void>
}

interface Loaded {
  readonly endpoints: EndpointRow[]
  readonly problems: Problem[]
  readonly rows: Rows
  readonly allUnread: ReadonlyMap<string, AllUnread>
}

async function load(signal: AbortSignal): Promise<Loaded> {
  const client = host()
  const { endpoints } = await client.rpc('endpoint:list', {}, { signal })
  const rows: Rows = { messages: [], requests: [], notices: [] }
  const problems: Problem[] = []
  const known = new Map<string, AllUnread>()
  await Promise.all(
    endpoints.map(async (endpoint) => {
      const of = { adapter: endpoint.adapter, endpoint: endpoint.name }
      const at = { adapter: endpoint.adapter, endpointId: endpoint.name }
      try {
        const [messages, requests, notices] = await Promise.all([
          loadMessages(endpoint, signal),
          client.rpc('endpoint:inboxRequests', { ...at, limit: 50 }, { signal }),
          client.rpc('endpoint:inboxNotices', { ...at, limit: 50 }, { signal }),
        ])
        rows.messages.push(...withEndpoint(messages, of))
        const all = allUnread(messages, endpoint)
        if (all) known.set(endpointKey(of), all)
        rows.requests.push(...withEndpoint(requests.requests, of))
        rows.notices.push(...withEndpoint(notices.notices, of))
      } catch (error) {
        if (signal.aborted) throw error
        const failure = failureOf(error)
        problems.push({ ...of, text: failure.text, notReady: failure.kind === 'not-ready' })
      }
    }),
  )
  return { endpoints, problems, rows, allUnread: known }
}

/** Key of the resource that has the rows of all endpoints. */
export const INBOX = 'inbox endpoint:inboxMessages'

const consumers = {
  messages: 'endpoint:messageConsumed',
  requests: 'endpoint:requestConsumed',
  notices: 'endpoint:noticeConsumed',
} as const

export function useInbox(): Inbox {
  const { base } = host()
  const [state, setState] = useState(EMPTY)
  // Count an answer only after its rows are merged, else the open conversation would seem to be gone.
  const [placed, setPlaced] = useState(false)
  const resource = useResource<Loaded>(INBOX, load, 'endpoint:inboxMessages')
  const add = <K extends Kind>(kind: K, rows: Rows[K]): void => {
    setState((former) => ({ ...former, [kind]: put(former[kind] as ReadonlyMap<string, never>, rows as never[]) }))
    void cacheRows(base, kind, rows)
  }
  useEffect(() => {
    let gone = false
    void readCachedRows(base).then((rows) => {
      // Rows that arrived meanwhile are newer than the cached ones.
      if (!gone)
        setState((now) => ({
          messages: new Map([...put(new Map(), rows.messages), ...now.messages]),
          requests: new Map([...put(new Map(), rows.requests), ...now.requests]),
          notices: new Map([...put(new Map(), rows.notices), ...now.notices]),
        }))
    })
    return () => {
      gone = true
    }
  }, [base])
  useEffect(() => {
    const rows = resource.data?.rows
    if (!rows) return
    add('messages', rows.messages)
    add('requests', rows.requests)
    add('notices', rows.notices)
    setPlaced(true)
    // Merge an unchanged answer, too: local changes since then are not on the host.
  }, [resource.data, resource.updatedAt])
  useNewRows(add)

  const markRead = async (kind: Kind, rows: readonly (EndpointRef & { readonly id: string })[]): Promise<void> => {
    const byEndpoint = new Map<string, (EndpointRef & { readonly id: string })[]>()
    for (const row of rows)
      byEndpoint.set(`${row.adapter}\n${row.endpoint}`, [
        ...(byEndpoint.get(`${row.adapter}\n${row.endpoint}`) ?? []),
        row,
      ])
    await Promise.all(
      [...byEndpoint.values()].map(async (group) => {
        const [first] = group
        if (!first) return
        await host().rpc(consumers[kind], {
          adapter: first.adapter,
          endpointId: first.endpoint,
          ids: group.slice(0, 1000).map((row) => row.id),
        })
        add(kind, group.map((row) => ({ ...row, read: true })) as never)
      }),
    )
    resources.reload('endpoint:list')
  }
  const lists = useMemo(
    () => ({
      messages: withReadElsewhere(state.messages.values(), resource.data?.allUnread),
      requests: [...state.requests.values()].sort((a, b) => b.timestamp - a.timestamp),
      notices: [...state.notices.values()].sort((a, b) => b.timestamp - a.timestamp),
    }),
    [state, resource.data],
  )
  return {
    ...lists,
    endpoints: resource.data?.endpoints,
    problems: resource.data?.problems ?? [],
    known: placed,
    updatedAt: resource.updatedAt,
    resource,
    add,
    markRead,
  }
}

function useNewRows(add: Inbox['add']) {
  useEvent('endpoint:message', (data) => {
    const row = fromEvent<Message>(data)
    if (row) add('messages', [row])
  })
  useEvent('endpoint:messageChanged', (data) => {
    const row = fromEvent<Message>(data)
    if (row) add('messages', [row])
  })
  useEvent('endpoint:request', (data) => {
    const row = fromEvent<Request>(data)
    if (row) add('requests', [row])
  })
  useEvent('endpoint:notice', (data) => {
    const row = fromEvent<Notice>(data)
    if (row) add('notices', [row])
  })
}
