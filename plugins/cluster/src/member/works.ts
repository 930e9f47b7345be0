import { messageOf, type Clock, type Logger, type PlaceWork } from '@mynah/kernel'

/** The longest time that work in progress has to end before its place moves. */
const LEAVE_MS = 30_000
const LOOK_MS = 100

interface Running {
  readonly work: PlaceWork
  /** Names of the hosts that may run it, the preferred one first. */
  readonly hosts: readonly string[]
  /** Starts and stops of this work, one after the other. */
  last: Promise<void>
}

/** The work of places, started and stopped as the places come and go. */
export class Works {
  readonly #log: Logger
  readonly #clock: Clock
  /** Whether this host may act. */
  readonly #holds: () => boolean
  readonly #works = new Map<string, Set<Running>>()
  readonly #started = new Set<string>()
  readonly #checks = new Set<(place: string) => boolean>()

  constructor({ log, clock, holds }: { readonly log: Logger; readonly clock: Clock; readonly holds: () => boolean }) {
    this.#log = log
    this.#clock = clock
    this.#holds = holds
  }

  /** Adds work, and starts it where the place is here. Returns how to remove it; who removes it has stopped it. */
  add(place: string, work: PlaceWork, hosts: readonly string[]): () => void {
    const added: Running = { work, hosts, last: Promise.resolve() }
    const works = this.#works.get(place) ?? new Set()
    this.#works.set(place, works.add(added))
    if (this.#started.has(place)) this.#queue(added, () => work.start())
    return () => {
      works.delete(added)
      if (works.size === 0) this.#works.delete(place)
    }
  }

  /** The places that have work, with the names of the hosts that may run them. */
  get offered(): ReadonlyMap<string, readonly string[]> {
    return new Map(Array.from(this.#works, ([place, works]) => [place, [...works].flatMap(({ hosts }) => hosts)]))
  }

  /** The places in which something is going on. */
  get busy(): ReadonlySet<string> {
    return new Set([...this.#works.keys()].filter((place) => this.isBusy(place)))
  }

  isBusy(place: string): boolean {
    return (
      [...(this.#works.get(place) ?? [])].some(({ work }) => work.isBusy?.()) ||
      [...this.#checks].some((check) => check(place))
    )
  }

  watchBusy(check: (place: string) => boolean): () => void {
    this.#checks.add(check)
    return () => void this.#checks.delete(check)
  }

  start(place: string): void {
    this.#started.add(place)
    for (const running of this.#works.get(place) ?? []) this.#queue(running, () => running.work.start())
  }

  stop(place: string): void {
    this.#started.delete(place)
    for (const running of this.#works.get(place) ?? []) this.#queue(running, () => running.work.stop())
  }

  /** Lets what is going on in a place end, and stops its work then. */
  leave(place: string): void {
    this.#started.delete(place)
    const idle = Promise.resolve().then(() => this.#untilIdle(place))
    for (const running of this.#works.get(place) ?? [])
      this.#queue(running, async () => {
        running.work.leave?.()
        await idle
        await running.work.stop()
      })
  }

  /** Resolves when nothing is going on in a place, this host may not act any more, or the time is over. */
  async #untilIdle(place: string): Promise<void> {
    for (let waited = 0; waited < LEAVE_MS && this.#holds() && this.isBusy(place); waited += LOOK_MS)
      await new Promise<void>((resolve) => void this.#clock.setTimeout(resolve, LOOK_MS))
  }

  /** Resolves when no work of a place, or none at all, is starting or stopping. */
  async idle(place?: string): Promise<void> {
    const works = place === undefined ? [...this.#works.values()] : [this.#works.get(place) ?? []]
    await Promise.all(works.flatMap((some) => [...some].map(({ last }) => last)))
  }

  #queue(running: Running, change: () => Promise<void> | void): void {
    running.last = running.last.then(change).catch((error: unknown) => {
      this.#log.error(`work of a place failed to start or stop: ${messageOf(error)}`)
    })
  }
}
