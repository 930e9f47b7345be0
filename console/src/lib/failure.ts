// What went wrong with a call, in the terms that a page shows.

/** `not-ready`: something on the host is still starting; `host`: it answered with a failure; `network`: it did not answer. */
export interface Failure {
  readonly kind: 'not-ready' | 'host' | 'network' | 'missing'
  /** The host's own text, or the browser's. */
  readonly text: string
  readonly status?: number
  /** The host's code, as `unknown_method`. */
  readonly code?: string
  /** The call, as `GET /plugins`. */
  readonly call?: string
  /** Milliseconds after which the host asks to be called again. */
  readonly retryAfter?: number
}

interface HostErrorShape {
  status?: unknown
  code?: unknown
  message?: unknown
  retryAfter?: unknown
  reason?: unknown
}

/** Reads an error of the client; one that is neither the host's nor the network's is a mistake of the page, and shown as what it is. */
export function failureOf(error: unknown, call?: string): Failure {
  const { status, message, code, retryAfter, reason } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as HostErrorShape
  const text = typeof message === 'string' && message ? message : String(error)
  const named = call === undefined ? {} : { call }
  if (typeof status !== 'number') return { kind: typeof reason === 'string' ? 'network' : 'host', text, ...named }
  const wait = typeof retryAfter === 'number' ? { retryAfter: retryAfter * 1000 } : {}
  const notReady = status === 503 || (typeof code === 'string' && code.split(':')[0] === 'not_ready')
  const answered = status === 404 ? 'missing' : 'host'
  return {
    kind: notReady ? 'not-ready' : answered,
    text,
    status,
    ...(typeof code === 'string' ? { code } : {}),
    ...named,
    ...wait,
  }
}
