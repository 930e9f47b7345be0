// Sums up many histories.

/** Returns a finding without what differs from history to history. */
const kindOf = ({ sentence, text }) =>
  `${sentence}: ${text
    .split('\n')[0]
    .replace(/\b[0-9a-z]{20}\b/g, '…')
    .replace(/\b[a-z]\d+\b/g, 'N')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\d+/g, '#')}`

/** Histories that are named for each finding. */
const MAX_NAMED = 10

const variantOf = ({ seed, crashAt, swapAt }) => {
  if (crashAt !== undefined) return `crash at ${crashAt}`
  return swapAt === undefined ? `seed ${seed}` : `overtaken at ${swapAt}`
}

export class Tally {
  /** The first history that broke a sentence. */
  first
  #startedAt = performance.now()
  #spentBefore = process.cpuUsage()
  #histories = 0
  #events = 0
  #kinds = new Map()

  add(plan, { events, findings }) {
    this.#histories++
    this.#events += events
    for (const finding of findings) {
      this.first ??= { plan, finding }
      const kind = kindOf(finding)
      const known = this.#kinds.get(kind) ?? { times: 0, where: [] }
      known.times++
      if (known.where.length < MAX_NAMED) known.where.push(variantOf(plan))
      this.#kinds.set(kind, known)
    }
  }

  get lines() {
    const seconds = (performance.now() - this.#startedAt) / 1000
    // Time of the processor: a busy machine stretches the other one.
    const { user, system } = process.cpuUsage(this.#spentBefore)
    const spent = (user + system) / 1e6
    const rate = Math.round((this.#histories / spent) * 60)
    return [
      `${this.#histories} histories, ${this.#events} events, ${seconds.toFixed(1)} s`,
      `${spent.toFixed(1)} s of the processor, ${rate} histories in a minute of it`,
      ...[...this.#kinds]
        .sort(([, one], [, other]) => other.times - one.times)
        .map(([kind, { times, where }]) => `${String(times).padStart(5)} × ${kind} (${where.join(', ')})`),
    ]
  }
}
