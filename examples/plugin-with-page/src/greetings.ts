// Counts the greetings of each name. Independent of the host.

const MOST_NAMES = 1000

export class Greetings {
  readonly #times = new Map<string, number>()

  /** Greets `name`; the one greeted longest ago is forgotten when there are too many. */
  greet(greeting: string, name: string): { text: string; times: number } {
    const times = (this.#times.get(name) ?? 0) + 1
    this.#times.delete(name)
    this.#times.set(name, times)
    if (this.#times.size > MOST_NAMES) this.#times.delete(this.#times.keys().next().value as string)
    return { text: times > 1 ? `${greeting} again, ${name}!` : `${greeting}, ${name}!`, times }
  }

  /** Lists all greeted people, the last one first. */
  list(): { name: string; times: number }[] {
    return Array.from(this.#times, ([name, times]) => ({ name, times })).reverse()
  }
}
