// The events of a history in their order: the digest of a history is that of these lines.

export class Recorder {
  lines = []
  #world
  #low = 0x811c9dc5
  #high = 0x9747b28c

  constructor(world) {
    this.#world = world
  }

  /** An event of the queue; it is shown in verbose histories only. */
  event(label, count) {
    this.#hash(`${count} ${label}`)
    if (this.#world.plan.verbose) this.#push(`  ${label}`)
  }

  /** Something that people, the platform or the log would see. */
  line(text) {
    this.#hash(text)
    this.#push(text)
  }

  #push(text) {
    this.lines.push(`${(this.#world.scheduler.now / 1000).toFixed(3).padStart(9)} ${text}`)
  }

  #hash(text) {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      this.#low = Math.imul(this.#low ^ code, 0x01000193)
      this.#high = Math.imul(this.#high ^ code, 0x85ebca6b) + 1
    }
    this.#low = Math.imul(this.#low ^ Math.floor(this.#world.scheduler.now * 1000), 0x01000193)
  }

  get digest() {
    const hex = (value) => (value >>> 0).toString(16).padStart(8, '0')
    return hex(this.#low) + hex(this.#high)
  }
}
