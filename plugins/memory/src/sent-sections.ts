import { LruMap } from '@mynah/kernel/util'

const MAX_SESSIONS = 2_000

/** Remembers the sections that were sent to each session, so that its preamble repeats only changed ones. */
export class SentSections {
  readonly #sessions = new LruMap<string, Map<string, string>>(MAX_SESSIONS)

  /** Returns the text of a section if it differs from the last one, and records it. */
  changed(session: string, section: string, text: string): string | undefined {
    const sent = this.#sessions.getOrCreate(session, () => new Map())
    const hasChanged = (sent.get(section) ?? '') !== text
    sent.set(section, text)
    return hasChanged && text !== '' ? text : undefined
  }

  /** Forgets a session, whose sections are sent again. */
  forget(session: string): void {
    this.#sessions.delete(session)
  }
}
