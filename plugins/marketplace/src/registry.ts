// Talking to an npm registry: few requests at once, each bounded in time and size, answers kept for five minutes.
import { messageOf, type Clock } from '@mynah/kernel'
import { WireError } from '@mynah/contract'

const FRESH_MS = 300_000
const TIMEOUT_MS = 10_000
const AT_ONCE = 4
const MAX_BYTES = 32 * 1024 * 1024
const KEPT = 500

class TimedOut extends Error {}

interface Answer<T> { readonly value: T; readonly at: number }

/** What a registry said, and whether it is the last good answer of one that no longer answers. */
export interface Said<T> { readonly value: T; readonly stale: boolean }

/** Thrown where the registry has no such document. */
export class Missing extends Error {}

/** A resource of the registry; `read` makes what is kept of its answer, which may be thousands of times larger. */
export interface Resource<T> { readonly path: string; readonly read: (body: unknown) => T }

export class Registry {
  readonly #base: string | undefined
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #answers = new Map<string, Answer<unknown>>()
  readonly #asking = new Map<string, Promise<unknown>>()
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(base: string | undefined, clock: Clock, signal: AbortSignal) {
    this.#base = base?.replace(/\/+$/, '')
    this.#clock = clock
    this.#signal = signal
  }

  /** A resource, from the cache where it is fresh. A path is always read in the same way. */
  async get<T>({ path, read }: Resource<T>): Promise<Said<T>> {
    if (this.#base === undefined) throw new WireError('upstream_unavailable', 'No plugin registry is configured: set marketplace.registry')
    const known = this.#answers.get(path) as Answer<T> | undefined
    if (known && this.#clock.now() - known.at < FRESH_MS) return { value: known.value, stale: false }
    let asking = this.#asking.get(path) as Promise<T> | undefined
    if (!asking) {
      asking = this.#ask(this.#base, path, read).finally(() => this.#asking.delete(path))
      this.#asking.set(path, asking)
    }
    try {
      return { value: await asking, stale: false }
    } catch (error) {
      if (error instanceof Missing) throw error
      if (known) return { value: known.value, stale: true }
      throw new WireError('upstream_unavailable', `The plugin registry did not answer: ${reason(error)}`, { cause: error })
    }
  }

  async #ask<T>(base: string, path: string, read: (body: unknown) => T): Promise<T> {
    await this.#enter()
    const patience = new AbortController()
    const cancel = this.#clock.setTimeout(() => patience.abort(new TimedOut()), TIMEOUT_MS)
    try {
      const response = await fetch(base + path, { headers: { accept: 'application/json' }, signal: AbortSignal.any([patience.signal, this.#signal]) })
      if (!response.ok) {
        await response.body?.cancel()
        throw response.status === 404 ? new Missing(path) : new Error(`it answered with status ${response.status}`)
      }
      const value = read(JSON.parse(await text(response)))
      this.#answers.delete(path)
      this.#answers.set(path, { value, at: this.#clock.now() })
      if (this.#answers.size > KEPT) this.#answers.delete(this.#answers.keys().next().value as string)
      return value
    } finally {
      cancel()
      this.#leave()
    }
  }

  #enter(): Promise<void> | undefined {
    if (this.#running < AT_ONCE) {
      this.#running++
      return undefined
    }
    return new Promise((resolve) => this.#queue.push(resolve))
  }

  #leave(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#running--
  }
}

async function text(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length
    if (size > MAX_BYTES) throw new Error('its answer is too large')
    chunks.push(chunk as Uint8Array)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function reason(error: unknown): string {
  if (error instanceof TimedOut) return `no answer within ${TIMEOUT_MS / 1000} s`
  // The cause of a failed fetch holds addresses: only its code is told.
  const code = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code
  return typeof code === 'string' ? code : error instanceof SyntaxError ? 'its answer is not JSON' : messageOf(error)
}
