import { RingBuffer } from '@mynah/kernel/util'
import type { NumberedFrame } from './frame.js'

/** The newest frames in memory, from which most clients resume. */
export class FrameRing<T extends NumberedFrame> {
  readonly #frames: RingBuffer<T>
  #before = 0

  constructor(capacity: number) {
    this.#frames = new RingBuffer(capacity)
  }

  /** Removes all frames. `before` is the newest id that is not held. */
  clear(before: number): void {
    this.#frames.clear()
    this.#before = before
  }

  push(frame: T): void {
    const removed = this.#frames.push(frame)
    if (removed) this.#before = removed.id
  }

  /** Returns whether all frames after `id` are held. */
  covers(id: number): boolean {
    return id >= this.#before
  }

  /** Returns frames after `id` up to `until`, oldest first: at least one, and about `bytes` of them. */
  after(id: number, until: number, bytes: number): T[] {
    const found: T[] = []
    let size = 0
    for (let index = this.#firstAfter(id); index < this.#frames.size && size < bytes; index++) {
      const frame = this.#frames.at(index) as T
      if (frame.id > until) break
      found.push(frame)
      size += frame.bytes.length
    }
    return found
  }

  /** Returns all frames, oldest first. */
  all(): T[] {
    return this.#frames.toArray()
  }

  /** Returns the index of the first frame after `id`, by binary search. */
  #firstAfter(id: number): number {
    let low = 0
    let high = this.#frames.size
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#frames.at(middle) as T).id > id) high = middle
      else low = middle + 1
    }
    return low
  }
}
