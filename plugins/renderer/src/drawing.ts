// One worker thread for all pictures. It starts with the first picture, and ends when idle or after a timeout.
import { Worker } from 'node:worker_threads'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { RenderedImage } from '@mynah/plugin-chat/api'
import type { Job, Outcome } from './job.js'

const PATIENCE_MS = 15_000
const IDLE_MS = 60_000
const MAX_WAITING = 16
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 } as const

interface Wanted {
  readonly job: Job
  readonly resolve: (image: RenderedImage) => void
  readonly reject: (error: Error) => void
}

export class Drawing {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #waiting: Wanted[] = []
  #worker: Worker | undefined
  #current: Wanted | undefined
  #cancel = (): void => {}
  /** Error of a missing package. It is checked again only after a restart. */
  #unsupported: WireError | undefined
  #closed = false

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  draw(job: Job): Promise<RenderedImage> {
    if (this.#closed) return Promise.reject(new WireError('not_ready', 'The plugin renderer has stopped'))
    if (this.#unsupported) return Promise.reject(this.#unsupported)
    if (this.#waiting.length >= MAX_WAITING)
      return Promise.reject(new WireError('rate_limited', `${MAX_WAITING} pictures are waiting already`))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#current) return
    this.#cancel()
    this.#current = this.#waiting.shift()
    if (!this.#current) {
      this.#cancel = this.#worker ? this.#clock.setTimeout(() => void this.#end(), IDLE_MS) : () => {}
      return
    }
    this.#cancel = this.#clock.setTimeout(
      () => this.#broken(new WireError('too_large', `It could not be drawn within ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
    )
    const worker = (this.#worker ??= this.#begin())
    worker.ref()
    worker.postMessage(this.#current.job)
  }

  #begin(): Worker {
    const worker = new Worker(new URL('worker.js', import.meta.url), {
      resourceLimits: MEMORY,
      name: 'renderer',
      env: {},
      stdin: false,
    })
    worker.on('message', (outcome: Outcome) => {
      if (worker === this.#worker) this.#settle(outcome)
    })
    worker.on('error', (error) => {
      if (worker === this.#worker)
        this.#broken(
          (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new WireError('too_large', 'It needs too much memory')
            : new WireError('internal', messageOf(error), { cause: error }),
        )
    })
    worker.on('exit', () => {
      if (worker === this.#worker) this.#broken(new WireError('internal', 'The thread that draws has ended'))
    })
    return worker
  }

  #settle(outcome: Outcome): void {
    const wanted = this.#current
    this.#current = undefined
    this.#worker?.unref()
    if ('image' in outcome) wanted?.resolve(outcome.image)
    else {
      const error = new WireError(outcome.code, outcome.message)
      if (outcome.message.includes('npm install')) {
        this.#unsupported = error
        this.#log.warn(outcome.message)
        for (const { reject } of this.#waiting.splice(0)) reject(error)
      }
      wanted?.reject(error)
    }
    this.#next()
  }

  /** Discards the worker. Pending pictures get a new one. */
  #broken(error: WireError): void {
    const wanted = this.#current
    this.#current = undefined
    void this.#end()
    wanted?.reject(error)
    this.#next()
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    const error = new WireError('not_ready', 'The plugin renderer has stopped')
    for (const { reject } of [...(this.#current ? [this.#current] : []), ...this.#waiting.splice(0)]) reject(error)
    this.#current = undefined
    await this.#end()
  }
}
