/** A host that a command has reached, or was kept from. */
export interface Destination {
  readonly host: string
  readonly port: number
  /** The address that was dialled. */
  readonly address?: string
  readonly allowed: boolean
  /** Why it was refused. */
  readonly reason?: string
  /** Whether the owner can allow it. */
  readonly mayAsk: boolean
  /** Bytes to the host and from it. */
  readonly sent: number
  readonly received: number
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** A hostile command may ask for names without end. */
const MAX_DESTINATIONS = 100

/** Collects the destinations of one command, each once. */
export class Destinations {
  readonly #found = new Map<string, Mutable<Destination>>()

  /** Adds a connection. Its bytes may be counted later. */
  add(found: Omit<Destination, 'sent' | 'received'>): Mutable<Destination> {
    const key = [found.host, found.port, found.allowed, found.reason].join(' ')
    const known = this.#found.get(key)
    if (known) return known
    const made = { ...found, sent: 0, received: 0 }
    if (this.#found.size < MAX_DESTINATIONS) this.#found.set(key, made)
    return made
  }

  list(): readonly Destination[] {
    return [...this.#found.values()]
  }
}
