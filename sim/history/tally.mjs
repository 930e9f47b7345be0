// Sums up many histories.

/** Returns a finding without what differs from history to history. */
const kindOf = ({ sentence, text }) =>
  `${sentence}: ${text
    .split('\n')[0]
    .replace(/\b[0-9a-z]{20}\b/g, '…')
    .replace(/\b[a-z]\d+\b/g, 'N')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\d+/g, '#')}`

const variantOf = ({ seed, crashAt, swapAt }) => {
  if (crashAt !== undefined) return `crash at ${crashAt}`
  return swapAt === undefined ? `seed ${seed}` : `overtaken at ${swapAt}`
}

export class Tally {
  /** The first history that broke a sentence. */
  first
  #startedAt = performance.now()
  #histories = 0
  #events = 0
  #kinds = new Map()

  add(plan, { events, findings }) {
    this.#histories++
    this.#events += events
    for (const finding of findings) {
      this.first ??= { plan, finding }
      const kind = kindOf(finding)
      const known = this.#kinds.get(kind) ?? { times: 0, where: variantOf(plan) }
      known.times++
      this.#kinds.set(kind, known)
    }
  }

  get lines() {
    const seconds = (performance.now() - this.#startedAt) / 1000
    const rate = Math.round((this.#histories / seconds) * 60)
    return [
      `${this.#histories} histories, ${this.#events} events, ${seconds.toFixed(1)} s, ${rate} histories a minute`,
      ...[...this.#kinds]
        .sort(([, one], [, other]) => other.times - one.times)
        .map(([kind, { times, where }]) => `${String(times).padStart(5)} × ${kind} (${where})`),
    ]
  }
}
