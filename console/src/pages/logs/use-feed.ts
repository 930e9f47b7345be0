// The tail of the host's log: what is new every two seconds while somebody looks, held back while they read.
import type { LogEntry } from '@mynah/contract/types'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { failureOf, type Failure } from '../../lib/failure.js'
import { append, EMPTY_BUFFER, prepend, BUFFER_ROWS, type LogBuffer } from './log-buffer.js'

const STEP_MS = 2000
const RETRY_MS = 4000
const PAGE = 1000
const FIRST = 500
/** Pages asked for to close the gap to what is known; a host that writes more in two seconds shows its newest. */
const MOST_PAGES = 10
const SLICE = 1000

export interface Feed {
  readonly ring: LogBuffer
  /** Lines that came while following was off. */
  readonly held: number
  readonly failure: Failure | undefined
  readonly retryAt: number | undefined
  readonly known: boolean
  readonly complete: boolean
  readonly older: () => Promise<void>
  readonly loadingOlder: boolean
  readonly reload: () => void
}

interface Query {
  readonly name: string
  readonly search: string
}

const ask = (
  { name, search }: Query,
  limit: number,
  before: string | undefined,
  signal: AbortSignal,
): Promise<LogEntry[]> =>
  host().rest('GET /logs', {
    query: { limit, ...(name ? { name } : {}), ...(search ? { search } : {}), ...(before ? { before } : {}) },
    signal,
  })

/** What is newer than `newest`, newest first. */
async function since(query: Query, newest: LogEntry | undefined, signal: AbortSignal): Promise<LogEntry[]> {
  const found: LogEntry[] = []
  let before: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const entries = await ask(query, page === 0 ? 100 : PAGE, before, signal)
    const known =
      newest === undefined
        ? -1
        : entries.findIndex((entry) => entry.id === newest.id || entry.timestamp < newest.timestamp)
    found.push(...(known < 0 ? entries : entries.slice(0, known)))
    if (known >= 0 || entries.length < (page === 0 ? 100 : PAGE) || newest === undefined) break
    before = entries.at(-1)?.id
  }
  return found
}

export function useFeed(query: Query, following: boolean): Feed {
  const [ring, setRing] = useState(EMPTY_BUFFER)
  const [held, setHeld] = useState<readonly LogEntry[]>([])
  const [failure, setFailure] = useState<Failure>()
  const [retryAt, setRetryAt] = useState<number>()
  const [known, setKnown] = useState(false)
  const [complete, setComplete] = useState(false)
  const [loadingOlder, setLoadingOlder] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const state = useRef({
    following,
    newest: undefined as LogEntry | undefined,
    asked: false,
    held: [] as readonly LogEntry[],
  })
  state.current.following = following
  const key = `${query.name}\n${query.search}`

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    state.current.newest = undefined
    state.current.asked = false
    state.current.held = []
    setHeld([])
    setKnown(false)
    setComplete(false)
    const later = (ms: number): void => {
      if (!signal.aborted) timer = setTimeout(() => void step(), ms)
    }
    const take = (entries: readonly LogEntry[]): void => {
      if (entries.length === 0) return
      state.current.newest = entries[0]
      if (state.current.following) setRing((former) => prepend(former, entries))
      else {
        state.current.held = [...entries, ...state.current.held].slice(0, BUFFER_ROWS)
        setHeld(state.current.held)
      }
    }
    const step = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      try {
        if (!state.current.asked) {
          const entries = await ask(query, FIRST, undefined, signal)
          if (signal.aborted) return
          state.current.newest = entries[0]
          state.current.asked = true
          setRing(append(EMPTY_BUFFER, entries))
          setComplete(entries.length < FIRST)
          setKnown(true)
        } else {
          const entries = await since(query, state.current.newest, signal)
          if (signal.aborted) return
          // In slices, the oldest first, so that a burst is no long task.
          for (let end = entries.length; end > 0 && !signal.aborted; end -= SLICE) {
            take(entries.slice(Math.max(0, end - SLICE), end))
            if (end > SLICE)
              await new Promise((resolve) => {
                setTimeout(resolve)
              })
          }
          if (signal.aborted) return
        }
        setFailure(undefined)
        setRetryAt(undefined)
        later(STEP_MS)
      } catch (error) {
        if (signal.aborted) return
        const found = failureOf(error, 'GET /logs')
        setFailure(found)
        if (found.kind === 'missing') return
        setRetryAt(Date.now() + RETRY_MS)
        later(RETRY_MS)
      }
    }
    const onVisible = (): void => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') void step()
    }
    document.addEventListener('visibilitychange', onVisible)
    void step()
    return () => {
      controller.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [key, attempt])

  useEffect(() => {
    if (!following || state.current.held.length === 0) return
    const entries = state.current.held
    state.current.held = []
    setHeld([])
    setRing((former) => prepend(former, entries))
  }, [following])

  const older = async (): Promise<void> => {
    if (!ring.oldest || loadingOlder || complete || ring.rows.length >= BUFFER_ROWS) return
    setLoadingOlder(true)
    try {
      const entries = await ask(query, PAGE, ring.oldest, new AbortController().signal)
      setRing((former) => append(former, entries))
      if (entries.length < PAGE) setComplete(true)
    } catch (error) {
      setFailure(failureOf(error, 'GET /logs'))
    } finally {
      setLoadingOlder(false)
    }
  }
  const reload = useCallback(() => setAttempt((count) => count + 1), [])
  return { ring, held: held.length, failure, retryAt, known, complete, older, loadingOlder, reload }
}
