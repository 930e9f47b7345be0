// What a conversation was told last, so that its preamble says only what has changed. Forgotten when its messages are summarised.

const SESSIONS = 2_000

export class Told {
  readonly #sessions = new Map<string, Map<string, string>>()

  /** The text where it is not what was told last under this name, else nothing. */
  news(session: string, name: string, text: string): string | undefined {
    const known = this.#sessions.get(session) ?? new Map<string, string>()
    const changed = (known.get(name) ?? '') !== text
    this.#sessions.delete(session)
    this.#sessions.set(session, known.set(name, text))
    if (this.#sessions.size > SESSIONS) this.#sessions.delete(this.#sessions.keys().next().value as string)
    return changed && text !== '' ? text : undefined
  }

  forget(session: string): void {
    this.#sessions.delete(session)
  }
}
