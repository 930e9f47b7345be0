import { messageOf, type Logger, type PlaceWork } from '@mynah/kernel'

interface Running {
  readonly work: PlaceWork
  /** Starts and stops of this work, one after the other. */
  last: Promise<void>
}

/** The work of places, started and stopped as the places come and go. */
export class Works {
  readonly #log: Logger
  readonly #works = new Map<string, Set<Running>>()
  readonly #started = new Set<string>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Adds work, and starts it where the place is here. Returns how to remove it; who removes it has stopped it. */
  add(place: string, work: PlaceWork): () => void {
    const added: Running = { work, last: Promise.resolve() }
    const works = this.#works.get(place) ?? new Set()
    this.#works.set(place, works.add(added))
    if (this.#started.has(place)) this.#queue(added, () => work.start())
    return () => void works.delete(added)
  }

  start(place: string): void {
    this.#started.add(place)
    for (const running of this.#works.get(place) ?? []) this.#queue(running, () => running.work.start())
  }

  stop(place: string): void {
    this.#started.delete(place)
    for (const running of this.#works.get(place) ?? []) this.#queue(running, () => running.work.stop())
  }

  /** Resolves when no work is starting or stopping. */
  async idle(): Promise<void> {
    await Promise.all([...this.#works.values()].flatMap((works) => [...works].map(({ last }) => last)))
  }

  #queue(running: Running, change: () => Promise<void> | void): void {
    running.last = running.last.then(change).catch((error: unknown) => {
      this.#log.error(`work of a place failed to start or stop: ${messageOf(error)}`)
    })
  }
}
