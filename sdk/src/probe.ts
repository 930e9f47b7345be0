import type { Health } from '@mynah/contract/types'
import { isBase, normalizeBase } from './address.js'
import { withTimeout, systemClock, type Clock } from './clock.js'
import { isRecord, NetworkError } from './errors.js'
import { isMixedContent, obstacleOf, type Fetch, type Obstacle } from './obstacle.js'

const TIMEOUT_MS = 5000
const PREFIX = /^(?:\/[\w.@~-]+)+$/

/** The result of {@link probe}. */
export type ProbeResult =
  | {
      readonly reachable: true
      readonly base: string
      readonly latency: number
      readonly status: Health['status']
      readonly apiPrefix: string
      readonly name: string
      readonly version: string
      readonly contract: string
    }
  | { readonly reachable: false; readonly reason: 'invalid-url' | 'timeout' | 'not-mynah' | Obstacle }

/** Returns a body as the response of `GET /pub/health`, or undefined when it is not one. */
export function healthOf(body: unknown): Health | undefined {
  if (!isRecord(body)) return undefined
  const { status, apiPrefix, name, version, contract, uptime } = body
  const texts = [status, name, version, contract].every((field) => typeof field === 'string')
  const path = typeof apiPrefix === 'string' && PREFIX.test(apiPrefix) && !/\/\.\.?(?:\/|$)/.test(apiPrefix)
  return texts && path && typeof uptime === 'number' ? (body as unknown as Health) : undefined
}

/** Checks whether a host is reachable at an address, and why not. Rejects only when `signal` aborts. */
export async function probe(
  base: string,
  options: {
    readonly fetch?: Fetch
    readonly signal?: AbortSignal
    readonly timeout?: number
    readonly clock?: Clock
  } = {},
): Promise<ProbeResult> {
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  const clock = options.clock ?? systemClock
  if (!isBase(base)) return unreachable('invalid-url')
  const root = normalizeBase(base)
  const url = `${root}/pub/health`
  if (isMixedContent(url)) return unreachable('mixed-content')
  const timeoutError = () => new NetworkError('timeout', `${url} did not respond in time`)
  try {
    return await withTimeout(clock, options.timeout ?? TIMEOUT_MS, options.signal, timeoutError, async (signal) => {
      const began = clock.now()
      let response: Response
      try {
        response = await fetch(url, { cache: 'no-store', credentials: 'omit', redirect: 'error', signal })
      } catch {
        signal.throwIfAborted()
        return unreachable(await obstacleOf(url, fetch, signal))
      }
      const latency = clock.now() - began
      const health = healthOf(parse(await response.text()))
      if (!health) return unreachable('not-mynah')
      const { status, apiPrefix, name, version, contract } = health
      return { reachable: true, base: root, latency, status, apiPrefix, name, version, contract }
    })
  } catch (error) {
    options.signal?.throwIfAborted()
    return unreachable(error instanceof NetworkError && error.reason === 'timeout' ? 'timeout' : 'refused')
  }
}

const unreachable = (reason: Exclude<ProbeResult, { reachable: true }>['reason']): ProbeResult => ({
  reachable: false,
  reason,
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
