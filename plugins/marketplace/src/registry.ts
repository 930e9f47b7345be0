// Talking to an npm registry: few requests at once, each bounded in time and size, answers kept for five minutes.
import { messageOf } from '@mynah/kernel'
import { WireError } from '@mynah/contract'

const FRESH_MS = 300_000
const TIMEOUT_MS = 10_000
const AT_ONCE = 4
const MAX_BYTES = 32 * 1024 * 1024
const KEPT = 500

interface Answer { readonly body: unknown; readonly at: number }

/** What a registry said, and whether it is the last good answer of one that no longer answers. */
export interface Said { readonly body: unknown; readonly stale: boolean }

/** Thrown where the registry has no such document. */
export class Missing extends Error {}

export class Registry {
  readonly #base: string | undefined
  readonly #now: () => number
  readonly #signal: AbortSignal
  readonly #answers = new Map<string, Answer>()
  readonly #asking = new Map<string, Promise<unknown>>()
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(base: string | undefined, now: () => number, signal: AbortSignal) {
    this.#base = base?.replace(/\/+$/, '')
    this.#now = now
    this.#signal = signal
  }

  /** A document of the registry, from the cache where it is fresh. */
  async get(path: string): Promise<Said> {
    if (this.#base === undefined) throw new WireError('upstream_unavailable', 'No plugin registry is configured: set marketplace.registry')
    const known = this.#answers.get(path)
    if (known && this.#now() - known.at < FRESH_MS) return { body: known.body, stale: false }
    let asking = this.#asking.get(path)
    if (!asking) {
      asking = this.#ask(path).finally(() => this.#asking.delete(path))
      this.#asking.set(path, asking)
    }
    try {
      return { body: await asking, stale: false }
    } catch (error) {
      if (error instanceof Missing) throw error
      if (known) return { body: known.body, stale: true }
      throw new WireError('upstream_unavailable', `The plugin registry did not answer: ${reason(error)}`, { cause: error })
    }
  }

  async #ask(path: string): Promise<unknown> {
    await this.#enter()
    try {
      const response = await fetch(this.#base + path, { headers: { accept: 'application/json' }, signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#signal]) })
      if (response.status === 404) {
        await response.body?.cancel()
        throw new Missing(path)
      }
      if (!response.ok) {
        await response.body?.cancel()
        throw new Error(`status ${response.status}`)
      }
      const body: unknown = JSON.parse(await text(response))
      this.#answers.delete(path)
      this.#answers.set(path, { body, at: this.#now() })
      if (this.#answers.size > KEPT) this.#answers.delete(this.#answers.keys().next().value as string)
      return body
    } finally {
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
    if (size > MAX_BYTES) throw new Error('the answer is too large')
    chunks.push(chunk as Uint8Array)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function reason(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`
  // The cause of a failed fetch holds addresses: only its code is told.
  const code = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code
  return typeof code === 'string' ? code : error instanceof SyntaxError ? 'the answer is not JSON' : messageOf(error)
}
