// The event stream at work: what it makes stale, what it counts, how a restart of the host is waited for.
import type { Client, StreamState } from '@mynah/sdk'
import { invalidates, invalidatingEvents } from '../lib/invalidation.js'
import { t } from '../lib/i18n.js'
import { countEvent, markDown } from '../lib/activity-history.js'
import { hostDown, resources } from '../lib/resources.js'
import { createStore } from '../lib/store.js'
import { useStore } from '../lib/use-store.js'

export const streamState = createStore<StreamState>({ status: 'connecting' })
export const restarting = createStore(false)
/** The host has just come back from a restart. */
export const justRestarted = createStore(false)

const COALESCE_MS = 1000
const RESTORED_MS = 5000

/** Follows the stream of `client` until the returned function is called. */
export function followEvents(client: Client): () => void {
  const pending = new Set<string>()
  // A page that is left loses its stream too, which says nothing about the host.
  let leaving = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    timer = undefined
    if (pending.size === 0) return
    const types = [...pending]
    pending.clear()
    resources.invalidate((key) => types.some((type) => invalidates(type, key)))
    timer = setTimeout(flush, COALESCE_MS)
  }
  const scheduleInvalidation = (type: string): void => {
    pending.add(type)
    if (timer === undefined) flush()
  }
  const ends = [
    client.events.onState((state) => {
      streamState.set(state)
      if (state.status === 'waiting' && !leaving) markDown(client.base)
      // What failed while the host was away is asked for again, now that it is back.
      if (state.status === 'live' && hostDown.get()) resources.refreshStale()
    }),
    client.events.on('*', (frame) => {
      if (frame.type !== 'sync' && frame.type !== 'init-data' && frame.type !== 'reset') countEvent(client.base)
      if (invalidatingEvents.includes(frame.type)) scheduleInvalidation(frame.type)
    }),
    client.events.on('reset', () => resources.invalidate()),
    client.events.on('system:restarting', () => void awaitRestart(client)),
  ]
  streamState.set(client.events.state)
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') resources.refreshStale()
  }
  const onLeave = (event: PageTransitionEvent): void => {
    leaving = event.type === 'pagehide'
  }
  document.addEventListener('visibilitychange', onVisible)
  addEventListener('pagehide', onLeave)
  addEventListener('pageshow', onLeave)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisible)
    removeEventListener('pagehide', onLeave)
    removeEventListener('pageshow', onLeave)
    for (const end of ends) end()
    restarting.set(false)
  }
}

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Waits until a host answers that has started after now, then loads everything again. */
async function awaitRestart(client: Client): Promise<void> {
  if (restarting.get()) return
  restarting.set(true)
  const began = Date.now()
  for (let pause = 1000; restarting.get(); pause = Math.min(10_000, pause * 1.5)) {
    await wait(pause)
    if (!restarting.get()) return
    const health = await client.rest('GET /pub/health', { timeout: 3000 }).catch(() => undefined)
    if (!health || health.uptime * 1000 > Date.now() - began + 1000) continue
    restarting.set(false)
    client.events.start()
    resources.invalidate()
    justRestarted.set(true)
    setTimeout(() => justRestarted.set(false), RESTORED_MS)
  }
}

/** Why nothing may be written now, or nothing. */
export function useWriteBlock(): string | undefined {
  const state = useStore(streamState)
  const down = useStore(restarting)
  if (down) return t('restart.banner')
  return state.status === 'live' ? undefined : t('write.notLive')
}
