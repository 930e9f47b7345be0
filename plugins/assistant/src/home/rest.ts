import { messageOf, systemClock } from '@mynah/kernel'
import { withTimeout } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { EntityState, Home } from './home.js'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024

type Method = 'GET' | 'POST'

/** Reads a body of at most 1 MB. */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new WireError('upstream_unavailable:home', 'The home answered with more than 1 MB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The home behind the REST API of Home Assistant. */
export class RestHome implements Home {
  readonly #base: string
  readonly #token: string

  constructor(url: string, token: string) {
    this.#base = url.replace(/\/{1,10}$/, '')
    this.#token = token
  }

  async state(entity: string, signal: AbortSignal): Promise<EntityState> {
    const found = await this.#request('GET', `/api/states/${encodeURIComponent(entity)}`, undefined, signal)
    const {
      state,
      attributes,
      last_changed: changed,
    } = (typeof found === 'object' && found !== null ? found : {}) as {
      state?: unknown
      attributes?: unknown
      last_changed?: unknown
    }
    if (typeof state !== 'string')
      throw new WireError('upstream_unavailable:home', 'The home answered with something that is no state')
    return {
      state,
      attributes: typeof attributes === 'object' && attributes !== null ? (attributes as Record<string, unknown>) : {},
      ...(typeof changed === 'string' ? { changedAt: changed } : {}),
    }
  }

  async call(
    domain: string,
    service: string,
    entity: string | undefined,
    data: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#request(
      'POST',
      `/api/services/${domain}/${service}`,
      { ...data, ...(entity === undefined ? {} : { entity_id: entity }) },
      signal,
    )
  }

  async #request(method: Method, path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const { status, text } = await this.#fetch(method, path, body, signal)
    checkStatus(status)
    try {
      return JSON.parse(text) as unknown
    } catch (error) {
      throw new WireError(
        unavailableCode(method),
        'The home answered with something that is no JSON; is assistant.home.url the address of Home Assistant itself?',
        { cause: error },
      )
    }
  }

  async #fetch(
    method: Method,
    path: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const ask = async (limited: AbortSignal): Promise<{ readonly status: number; readonly text: string }> => {
      const response = await fetch(`${this.#base}${path}`, {
        method,
        // Redirects could send the token to another server.
        redirect: 'manual',
        signal: limited,
        headers: {
          authorization: `Bearer ${this.#token}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await textOf(response) }
    }
    try {
      return await withTimeout(systemClock, TIMEOUT_MS, ask, { parent: signal })
    } catch (error) {
      if (error instanceof WireError || signal.aborted) throw error
      throw connectionError(method, error)
    }
  }
}

/** Returns the code of a missing answer. A service may have run, so `unknown` keeps such a call from being repeated. */
const unavailableCode = (method: Method) =>
  method === 'POST' ? ('upstream_unavailable:unknown' as const) : ('upstream_unavailable:home' as const)

function connectionError(method: Method, error: unknown): WireError {
  const { code } = ((error as { cause?: unknown }).cause ?? {}) as { code?: unknown }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return new WireError('upstream_unavailable:home', 'The home is not reached', { cause: error })
  const isTimeout = (error as Error).name === 'TimeoutError'
  const message = isTimeout
    ? `The home did not answer within ${TIMEOUT_MS / 1_000} s`
    : `The home was not reached: ${messageOf(error)}`
  return new WireError(unavailableCode(method), message, { cause: error })
}

/** @throws WireError for a status that is no success */
function checkStatus(status: number): void {
  if (status >= 200 && status < 300) return
  if (status === 401 || status === 403)
    throw new WireError('forbidden', 'The home refuses its token (assistant.home.token)')
  if (status === 404) throw new WireError('not_found', 'The home has no such entity or service')
  if (status === 429) throw new WireError('rate_limited', 'The home is asked too often')
  if (status >= 500) throw new WireError('upstream_unavailable:home', `The home failed (status ${status})`)
  if (status >= 300 && status < 400)
    throw new WireError(
      'invalid_request',
      `The home sends elsewhere (status ${status}); is assistant.home.url the address of Home Assistant itself?`,
    )
  throw new WireError('invalid_request', `The home refused it (status ${status})`)
}
