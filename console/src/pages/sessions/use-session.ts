import type { SessionTree } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { call } from '../../kit/call.js'
import { useReadAction } from '../../kit/use-action.js'
import { useResource } from '../../lib/use-resource.js'
import type { Entry, SessionPage, Sessions, Turn } from './wire.js'

const LIMIT = 100
const isRunning = (turn: Turn): boolean => ['queued', 'running', 'waiting', 'delivering'].includes(turn.state)

/** Names one session of a key: the current one, or the archived one of `epoch`. */
const epochOf = (epoch: string): { sessionId?: string } => (epoch ? { sessionId: epoch } : {})

/** Entries after a place that are shown with it. */
const FOLLOWING = 40

/** The part of a session that is loaded, and the branch that it is of; by default the active one. */
export interface LoadedPage extends SessionPage {
  readonly leaf?: number
}

/** Loads the newest entries of a session's path, or those around the entry `at`, which may be on another branch. */
async function loadPage(
  sessionKey: string,
  epoch: string,
  { leaf, at }: { readonly leaf: number | undefined; readonly at: number | undefined },
  signal: AbortSignal,
): Promise<LoadedPage> {
  const params = { sessionKey, limit: LIMIT, ...epochOf(epoch) }
  const load = (more: object): Promise<SessionPage> =>
    call<SessionPage>('agent:session', { ...params, ...more }, signal)
  if (at !== undefined) {
    const around = await load({ before: at + FOLLOWING })
    return around.entries.some(({ id }) => id === at) ? around : { ...(await load({ leaf: at })), leaf: at }
  }
  return leaf === undefined ? load({}) : { ...(await load({ leaf })), leaf }
}

/**
 * Loads everything that the page of one session shows.
 *
 * @param at the entry whose surroundings are shown, instead of the end
 */
export function useSession(sessionKey: string, epoch: string, at: number | undefined) {
  const { has } = useCatalogue()
  const reads = has('agent:session')
  const hasTurns = has('agent:turns')
  const treeKey = `GET /agent/sessions/${sessionKey}/tree`
  const tree = useResource<SessionTree>(
    treeKey,
    (signal) => host().rest('GET /agent/sessions/:sessionKey/tree', { params: { sessionKey }, signal }),
    'GET /agent/sessions/:sessionKey/tree',
  )
  const turns = useResource<{ turns: readonly Turn[] }>(
    hasTurns ? 'agent:turns' : 'absent turns',
    (signal) => (hasTurns ? call('agent:turns', { active: true, limit: 50 }, signal) : Promise.resolve({ turns: [] })),
    'agent:turns',
  )
  const turn = turns.data?.turns.find((item) => item.sessionKey === sessionKey && isRunning(item))
  // The entries of an open turn are on a path of their own, which joins the conversation with its end.
  const leaf = epoch === '' ? turn?.entryId : undefined
  const pageKey = reads
    ? `agent:session ${sessionKey} ${epoch} ${at ?? ''} ${leaf ?? ''}`
    : `absent conversation of ${sessionKey}`
  const page = useResource<LoadedPage | null>(
    pageKey,
    (signal) => (reads ? loadPage(sessionKey, epoch, { leaf, at }, signal) : Promise.resolve(null)),
    'agent:session',
  )
  const recent = useResource<Sessions>(
    'agent:sessions recent',
    (signal) => call('agent:sessions', { limit: 20 }, signal),
    'agent:sessions',
  )
  const named = useResource<Sessions>(
    `agent:sessions of ${sessionKey}`,
    (signal) => call('agent:sessions', { filter: sessionKey.slice(0, 256), limit: 50 }, signal),
    'agent:sessions',
  )
  const older = useOlderEntries(sessionKey, epoch, page.data)
  return {
    reads,
    treeKey,
    tree,
    pageKey,
    page,
    turns,
    recent,
    more: older.more,
    entries: [...(page.data?.entries ?? []), ...older.entries],
    turn,
    row: named.data?.sessions.find(
      (item) => item.sessionKey === sessionKey && (epoch === '' || item.sessionId === epoch),
    ),
    reload: () => {
      tree.reload()
      page.reload()
      turns.reload()
    },
  }
}

/** Loads entries before those of `page`, a page at a time. */
function useOlderEntries(sessionKey: string, epoch: string, page: LoadedPage | null | undefined) {
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const [next, setNext] = useState<number>()
  useEffect(() => {
    setEntries([])
    setNext(page?.nextBefore)
  }, [page?.sessionId, page?.activeLeafMessageId])
  const load = useReadAction(async () => {
    const before = await call<SessionPage>('agent:session', {
      sessionKey,
      limit: LIMIT,
      ...epochOf(epoch),
      ...(page?.leaf === undefined ? {} : { leaf: page.leaf }),
      before: next,
    })
    setEntries([...entries, ...before.entries])
    setNext(before.nextBefore)
  })
  return { entries, more: next === undefined ? undefined : { busy: load.busy, run: () => load.run() } }
}
