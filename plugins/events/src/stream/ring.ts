// The newest frames, in memory: what most clients missed when they come back.
import type { NumberedFrame } from './frame.js'

export class FrameRing<T extends NumberedFrame> {
  readonly #capacity: number
  #frames: T[] = []
  #start = 0
  #before = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Forgets everything; `before` is the newest id that is not held. */
  clear(before: number): void {
    this.#frames = []
    this.#start = 0
    this.#before = before
  }

  push(frame: T): void {
    if (this.#frames.length < this.#capacity) {
      this.#frames.push(frame)
      return
    }
    this.#before = (this.#frames[this.#start] as T).id
    this.#frames[this.#start] = frame
    this.#start = (this.#start + 1) % this.#capacity
  }

  /** Whether nothing after `id` has been forgotten. */
  covers(id: number): boolean {
    return id >= this.#before
  }

  /** Frames after `id` up to `until`, oldest first, about `bytes` of them and at least one. */
  after(id: number, until: number, bytes: number): T[] {
    const found: T[] = []
    let size = 0
    for (let index = this.#firstAfter(id); index < this.#frames.length && size < bytes; index++) {
      const frame = this.#at(index)
      if (frame.id > until) break
      found.push(frame)
      size += frame.bytes.length
    }
    return found
  }

  /** All frames, oldest first. */
  all(): T[] {
    return Array.from(this.#frames, (_, index) => this.#at(index))
  }

  #at(index: number): T {
    return this.#frames[(this.#start + index) % this.#frames.length] as T
  }

  #firstAfter(id: number): number {
    let low = 0
    let high = this.#frames.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#at(middle).id > id) high = middle
      else low = middle + 1
    }
    return low
  }
}
