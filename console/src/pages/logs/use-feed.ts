import type { LogEntry } from '@mynah/contract/types'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { failureOf, type Failure } from '../../lib/failure.js'
import { filterOf, keyOf, type LineQuery } from './line-query.js'
import { append, EMPTY_BUFFER, prepend, BUFFER_ROWS, type LogBuffer } from './log-buffer.js'

const STEP_MS = 2000
const RETRY_MS = 4000
const PAGE = 1000
const FIRST = 500
/** Most pages to load for the gap since the last poll. Beyond that only the newest lines are shown. */
const MOST_PAGES = 10
const SLICE = 1000

export interface Feed {
  readonly ring: LogBuffer
  /** Lines that arrived while paused. */
  readonly held: number
  readonly failure: Failure | undefined
  readonly retryAt: number | undefined
  readonly known: boolean
  readonly complete: boolean
  readonly older: () => Promise<void>
  readonly loadingOlder: boolean
  readonly reload: () => void
}

const ask = (query: LineQuery, limit: number, before: string | undefined, signal: AbortSignal): Promise<LogEntry[]> =>
  host().rest('GET /logs', {
    query: { limit, ...filterOf(query), ...(before ? { before } : {}) },
    signal,
  })

/** Loads the lines after `newest`, newest first. */
async function since(query: LineQuery, newest: LogEntry | undefined, signal: AbortSignal): Promise<LogEntry[]> {
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

/** Runs `step` now, after each delay that it returns, and whenever the tab becomes visible. Returns how to stop. */
function poll(step: () => Promise<number | undefined>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const run = async (): Promise<void> => {
    if (document.visibilityState !== 'visible') return
    const delay = await step()
    if (!stopped && delay !== undefined) timer = setTimeout(() => void run(), delay)
  }
  const onVisible = (): void => {
    clearTimeout(timer)
    void run()
  }
  document.addEventListener('visibilitychange', onVisible)
  void run()
  return () => {
    stopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

/** Adds bursts in slices, oldest first, to avoid a long task. */
async function addInSlices(
  entries: readonly LogEntry[],
  add: (slice: readonly LogEntry[]) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let end = entries.length; end > 0 && !signal.aborted; end -= SLICE) {
    add(entries.slice(Math.max(0, end - SLICE), end))
    if (end > SLICE)
      await new Promise((resolve) => {
        setTimeout(resolve)
      })
  }
}

/** Keeps the loaded lines, and holds new ones back while paused. */
function useLines(following: boolean) {
  const [ring, setRing] = useState(EMPTY_BUFFER)
  const [held, setHeld] = useState<readonly LogEntry[]>([])
  const state = useRef({
    following,
    newest: undefined as LogEntry | undefined,
    held: [] as readonly LogEntry[],
  })
  state.current.following = following
  const hold = (entries: readonly LogEntry[]): void => {
    state.current.held = entries
    setHeld(entries)
  }
  return {
    ring,
    held: held.length,
    newest: (): LogEntry | undefined => state.current.newest,
    clear: (): void => {
      state.current.newest = undefined
      hold([])
    },
    start: (entries: readonly LogEntry[]): void => {
      state.current.newest = entries[0]
      setRing(append(EMPTY_BUFFER, entries))
    },
    add: (entries: readonly LogEntry[]): void => {
      if (entries.length === 0) return
      state.current.newest = entries[0]
      if (state.current.following) setRing((former) => prepend(former, entries))
      else hold([...entries, ...state.current.held].slice(0, BUFFER_ROWS))
    },
    addOlder: (entries: readonly LogEntry[]): void => setRing((former) => append(former, entries)),
    release: (): void => {
      const entries = state.current.held
      if (entries.length === 0) return
      hold([])
      setRing((former) => prepend(former, entries))
    },
  }
}

export function useFeed(query: LineQuery, following: boolean): Feed {
  const lines = useLines(following)
  const { ring, held } = lines
  const [failure, setFailure] = useState<Failure>()
  const [retryAt, setRetryAt] = useState<number>()
  const [known, setKnown] = useState(false)
  const [complete, setComplete] = useState(false)
  const [loadingOlder, setLoadingOlder] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const key = keyOf(query)

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let started = false
    lines.clear()
    setKnown(false)
    setComplete(false)
    const load = async (): Promise<void> => {
      if (started) return addInSlices(await since(query, lines.newest(), signal), lines.add, signal)
      const entries = await ask(query, FIRST, undefined, signal)
      if (signal.aborted) return
      started = true
      lines.start(entries)
      setComplete(entries.length < FIRST)
      setKnown(true)
    }
    const stop = poll(async () => {
      try {
        await load()
        if (signal.aborted) return undefined
        setFailure(undefined)
        setRetryAt(undefined)
        return STEP_MS
      } catch (error) {
        if (signal.aborted) return undefined
        const found = failureOf(error, 'GET /logs')
        setFailure(found)
        if (found.kind === 'missing') return undefined
        setRetryAt(Date.now() + RETRY_MS)
        return RETRY_MS
      }
    })
    return () => {
      controller.abort()
      stop()
    }
  }, [key, attempt])

  // Below the effect of the query, which drops the lines held for the former one.
  useEffect(() => {
    if (following) lines.release()
  }, [following])

  const older = async (): Promise<void> => {
    if (!ring.oldest || loadingOlder || complete || ring.rows.length >= BUFFER_ROWS) return
    setLoadingOlder(true)
    try {
      const entries = await ask(query, PAGE, ring.oldest, new AbortController().signal)
      lines.addOlder(entries)
      if (entries.length < PAGE) setComplete(true)
    } catch (error) {
      setFailure(failureOf(error, 'GET /logs'))
    } finally {
      setLoadingOlder(false)
    }
  }
  const reload = useCallback(() => setAttempt((count) => count + 1), [])
  return { ring, held, failure, retryAt, known, complete, older, loadingOlder, reload }
}
