// One queue for everything that does not happen at once: answers of the store, the platform, the model and the tools,
// timers, and what people do. Between two events all promises run as far as they can.

/** The real one, taken before the simulation replaces it. */
const { setImmediate } = globalThis

/** Events after which a history is given up: something goes round in circles. */
const MAX_EVENTS = 60_000

/** Resolves when nothing is left to run but what waits for an event of the queue. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

export class Endless extends Error {}

export class Scheduler {
  /** Milliseconds since the start of the history. Only this grows evenly; the wall clock may leap. */
  now = 0
  /** Events that have run. */
  count = 0
  /** The life of the host to which new events belong. */
  life = 1
  #heap = []
  #added = 0
  #onEvent
  #afterEvent
  #swapAt

  /**
   * @param onEvent called with the label of each event before it runs
   * @param afterEvent called when everything that an event led to has run
   * @param swapAt number of the event that lets the next answer overtake it
   */
  constructor({ onEvent = () => {}, afterEvent = () => {}, swapAt } = {}) {
    this.#onEvent = onEvent
    this.#afterEvent = afterEvent
    this.#swapAt = swapAt
  }

  /**
   * Adds an event.
   *
   * @param life the life of the host with which the event is forgotten; 0 for what outlives a crash
   * @returns a function that removes it
   */
  add(label, ms, run, life = this.life, isAnswer = false) {
    const event = { at: this.now + Math.max(0, ms), order: this.#added++, label, run, life, isAnswer }
    push(this.#heap, event)
    return () => {
      event.run = undefined
    }
  }

  /** Forgets all events of the host: it is dead, and none of its promises will ever settle. */
  crash() {
    this.life++
  }

  #next() {
    for (;;) {
      const [first] = this.#heap
      if (!first) return undefined
      if (first.run && (first.life === 0 || first.life === this.life)) return first
      pop(this.#heap)
    }
  }

  /** Runs all events up to a time, and those that they add. */
  async runUntil(time) {
    await settled()
    for (let event = this.#next(); event && event.at <= time; event = this.#next()) {
      pop(this.#heap)
      if (event.isAnswer && this.count >= this.#swapAt) {
        const other = this.#overtaking(event)
        if (other) {
          this.#swapAt = undefined
          push(this.#heap, { ...event, at: other.at, order: this.#added++ })
          event = other
        }
      }
      await this.#run(event)
    }
    this.now = Math.max(this.now, time)
  }

  /** Takes the next answer out of the queue. */
  #overtaking(event) {
    const later = this.#heap
      .filter(({ run, isAnswer, life }) => run && isAnswer && life === event.life)
      .sort(compare)[0]
    if (!later) return undefined
    const taken = { ...later }
    later.run = undefined
    return taken
  }

  async #run(event) {
    this.now = Math.max(this.now, event.at)
    if (++this.count > MAX_EVENTS) throw new Endless(`the history did not end within ${MAX_EVENTS} events`)
    this.#onEvent(event.label, this.count)
    event.run()
    await settled()
    this.#afterEvent(this.count)
  }
}

const compare = (one, other) => one.at - other.at || one.order - other.order

function push(heap, event) {
  let at = heap.push(event) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (compare(heap[parent], event) <= 0) break
    heap[at] = heap[parent]
    at = parent
  }
  heap[at] = event
}

function pop(heap) {
  const first = heap[0]
  const last = heap.pop()
  if (heap.length === 0) return first
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && compare(heap[child + 1], heap[child]) < 0) child++
    if (compare(heap[child], last) >= 0) break
    heap[at] = heap[child]
    at = child
  }
  heap[at] = last
  return first
}
