// Sends messages to the sandbox of a host at a rate, and counts their answers and errors.
import { messageOf } from '@mynah/kernel'
import { setTimeout as pause } from 'node:timers/promises'
import { HostError, NetworkError, type Client } from '@mynah/sdk'
import { quantilesOf, type Quantiles } from './samples.js'

export interface LoadOptions {
  /** Messages per second. */
  readonly rate: number
  readonly seconds: number
  readonly endpoint: string
  readonly text: string
  /** Ends the run early, with what it has. */
  readonly signal: AbortSignal
}

/** The counts and latencies of a run. */
export interface LoadResult {
  readonly asked: number
  /** Messages per second that were sent. */
  readonly reached: number
  readonly seconds: number
  readonly sent: number
  readonly accepted: number
  readonly answered: number
  /** Accepted messages without an answer, and those whose request was cut off. */
  readonly lost: number
  /** Answers whose time is not known, because the stream of events was interrupted. */
  readonly untimed: number
  readonly errors: Readonly<Record<string, number>>
  readonly acceptedMs: Quantiles | undefined
  readonly answeredMs: Quantiles | undefined
  readonly interrupted: boolean
}

/** Users of a run. Each has a chat of its own, so that many are handled at once. */
const USERS = 200
/** More requests at once would measure the queue of this process. */
const MAX_OPEN = 1_000
const TICK_MS = 5
/** How long the last answers may take. */
const PATIENCE_MS = 30_000
const POLL_MS = 50

/** One run against the sandbox of a host. */
export class LoadRun {
  readonly #client: Client
  readonly #options: LoadOptions
  readonly #prefix = `load-${Date.now().toString(36)}`
  /** Times of sending of the messages of each user that have no answer, the oldest first. */
  readonly #waiting = new Map<string, number[]>()
  readonly #acceptedMs: number[] = []
  readonly #answeredMs: number[] = []
  readonly #errors = new Map<string, number>()
  #open = 0
  #sent = 0
  #untimed = 0

  constructor(client: Client, options: LoadOptions) {
    this.#client = client
    this.#options = options
  }

  /** Runs to its end. */
  async run(): Promise<LoadResult> {
    const { events } = this.#client
    const stopListening = events.on('sandbox:message', ({ endpoint_id, channel }) => {
      if (endpoint_id === this.#options.endpoint) this.#answered(channel.id)
    })
    try {
      await this.#listening()
      const began = performance.now()
      await this.#sendAll(began)
      const seconds = (performance.now() - began) / 1_000
      await this.#lastAnswers()
      await this.#searchHistory()
      return this.#result(seconds)
    } finally {
      stopListening()
    }
  }

  /** Waits for the stream of events: an answer before it would not be seen. */
  async #listening(): Promise<void> {
    const { events } = this.#client
    while (events.state.status !== 'live') {
      if (this.#options.signal.aborted) return
      if (events.state.status === 'stopped' && events.state.reason !== 'idle')
        throw new Error(`the host does not stream its events (${events.state.reason})`)
      await pause(POLL_MS)
    }
  }

  /** Sends on time, whether or not earlier messages have an answer. */
  async #sendAll(began: number): Promise<void> {
    const { rate, seconds, signal } = this.#options
    const total = Math.round(rate * seconds)
    while (this.#sent < total && !signal.aborted) {
      const elapsed = performance.now() - began
      // A host that accepts more slowly than messages are due lengthens no run.
      if (elapsed > seconds * 1_000) return
      const due = Math.min(total, Math.floor((elapsed / 1_000) * rate) + 1)
      while (this.#sent < due && this.#open < MAX_OPEN) void this.#send(this.#sent++)
      await pause(TICK_MS)
    }
  }

  async #send(index: number): Promise<void> {
    const user = `${this.#prefix}-${index % USERS}`
    const times = this.#waiting.get(user) ?? []
    this.#waiting.set(user, times)
    const began = performance.now()
    times.push(began)
    this.#open++
    try {
      await this.#client.rpc('sandbox:send', {
        endpointId: this.#options.endpoint,
        channel: { type: 'private', id: user },
        sender: { id: user, name: user },
        content: this.#options.text,
      })
      this.#acceptedMs.push(performance.now() - began)
    } catch (error) {
      const at = times.indexOf(began)
      if (at >= 0) times.splice(at, 1)
      const code = codeOf(error)
      this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1)
    } finally {
      this.#open--
    }
  }

  /** Counts an answer. The messages of a chat are answered in their order. */
  #answered(user: string): void {
    const began = this.#waiting.get(user)?.shift()
    if (began !== undefined) this.#answeredMs.push(performance.now() - began)
  }

  get #unanswered(): number {
    return Array.from(this.#waiting.values()).reduce((sum, times) => sum + times.length, 0)
  }

  /** Waits while answers arrive, and for the time of patience after the last one. */
  async #lastAnswers(): Promise<void> {
    let end = performance.now() + PATIENCE_MS
    let left = this.#unanswered
    while ((this.#open > 0 || left > 0) && performance.now() < end && !this.#options.signal.aborted) {
      await pause(POLL_MS)
      if (this.#unanswered < left) end = performance.now() + PATIENCE_MS
      left = this.#unanswered
    }
  }

  /** Looks for answers that the stream did not deliver. A host that has gone leaves them lost. */
  async #searchHistory(): Promise<void> {
    for (const [user, times] of this.#waiting) {
      if (times.length === 0 || this.#options.signal.aborted) continue
      try {
        const found = await this.#answersInHistory(user, times.length)
        times.splice(0, found)
        this.#untimed += found
      } catch (error) {
        if (error instanceof HostError || error instanceof NetworkError) return
        throw error
      }
    }
  }

  async #answersInHistory(user: string, missing: number): Promise<number> {
    const { messages } = await this.#client.rpc('sandbox:history', {
      endpointId: this.#options.endpoint,
      channel: { type: 'private', id: user },
      limit: 500,
    })
    const count = (direction: 'in' | 'out'): number => messages.filter((one) => one.direction === direction).length
    return Math.min(missing, Math.max(0, count('out') - (count('in') - missing)))
  }

  #result(seconds: number): LoadResult {
    const { rate, signal } = this.#options
    return {
      asked: rate,
      reached: seconds > 0 ? this.#sent / seconds : 0,
      seconds,
      sent: this.#sent,
      accepted: this.#acceptedMs.length,
      answered: this.#answeredMs.length + this.#untimed,
      lost: this.#unanswered,
      untimed: this.#untimed,
      errors: Object.fromEntries(this.#errors),
      acceptedMs: quantilesOf(this.#acceptedMs),
      answeredMs: quantilesOf(this.#answeredMs),
      interrupted: signal.aborted,
    }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof HostError) return error.code
  return error instanceof NetworkError ? error.reason : messageOf(error)
}
