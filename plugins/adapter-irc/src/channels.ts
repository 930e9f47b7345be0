import type { Member } from '@mynah/plugin-chat/api'

/** Bounds on users of a channel and on channels, far above those of any network. */
const MAX_PEOPLE = 50_000
const MAX_CHANNELS = 2_000

interface Person {
  readonly nick: string
  readonly modes: ReadonlySet<string>
}
interface State {
  readonly name: string
  people: Map<string, Person>
}

/** Maps the modes of a user to a role. Half-operators count as members, since they may not do what admins may. */
function roleOf(modes: ReadonlySet<string>): Member['role'] {
  if (modes.has('q')) return 'owner'
  return modes.has('a') || modes.has('o') ? 'admin' : 'member'
}

export class Channels {
  #states = new Map<string, State>()
  readonly #lower: (name: string) => string

  /** @param lower folds the case of names as the network does */
  constructor(lower: (name: string) => string) {
    this.#lower = lower
  }

  #state(channel: string): State | undefined {
    return this.#states.get(this.#lower(channel))
  }

  /** Files all names again, after the network has said how it folds their case. */
  foldAgain(): void {
    const states = Array.from(this.#states.values())
    this.#states = new Map(states.map((state) => [this.#lower(state.name), state]))
    for (const state of states)
      state.people = new Map(Array.from(state.people.values(), (person) => [this.#lower(person.nick), person]))
  }

  has(channel: string): boolean {
    return this.#state(channel) !== undefined
  }

  /** Returns the name of a channel in the spelling of the network. */
  nameOf(channel: string): string {
    return this.#state(channel)?.name ?? channel
  }

  list(): { readonly name: string; readonly size: number }[] {
    return Array.from(this.#states.values(), ({ name, people }) => ({ name, size: people.size }))
  }

  members(channel: string): Member[] | undefined {
    const state = this.#state(channel)
    return (
      state && Array.from(state.people.values(), ({ nick, modes }) => ({ id: nick, name: nick, role: roleOf(modes) }))
    )
  }

  role(channel: string, nick: string): Member['role'] | undefined {
    const person = this.#state(channel)?.people.get(this.#lower(nick))
    return person && roleOf(person.modes)
  }

  /** Returns the channels that a user shares with the bot. */
  sharedWith(nick: string): string[] {
    return Array.from(this.#states.values())
      .filter(({ people }) => people.has(this.#lower(nick)))
      .map(({ name }) => name)
  }

  enter(channel: string): void {
    if (!this.has(channel) && this.#states.size < MAX_CHANNELS)
      this.#states.set(this.#lower(channel), { name: channel, people: new Map() })
  }

  leave(channel: string): void {
    this.#states.delete(this.#lower(channel))
  }

  /** Replaces the users of a channel. */
  fill(channel: string, people: readonly { readonly nick: string; readonly modes: readonly string[] }[]): void {
    const state = this.#state(channel)
    if (!state) return
    state.people.clear()
    for (const { nick, modes } of people.slice(0, MAX_PEOPLE))
      if (nick) state.people.set(this.#lower(nick), { nick, modes: new Set(modes) })
  }

  add(channel: string, nick: string): void {
    const people = this.#state(channel)?.people
    if (people && people.size < MAX_PEOPLE) people.set(this.#lower(nick), { nick, modes: new Set() })
  }

  remove(channel: string, nick: string): void {
    this.#state(channel)?.people.delete(this.#lower(nick))
  }

  quit(nick: string): void {
    for (const { people } of this.#states.values()) people.delete(this.#lower(nick))
  }

  rename(nick: string, next: string): void {
    for (const { people } of this.#states.values()) {
      const person = people.get(this.#lower(nick))
      if (!person) continue
      people.delete(this.#lower(nick))
      people.set(this.#lower(next), { nick: next, modes: person.modes })
    }
  }

  /** Adds or removes one mode of a user. */
  rank(channel: string, nick: string, mode: string, enable: boolean): void {
    const people = this.#state(channel)?.people
    const person = people?.get(this.#lower(nick))
    if (!people || !person) return
    const modes = new Set(person.modes)
    if (enable) modes.add(mode)
    else modes.delete(mode)
    people.set(this.#lower(nick), { nick: person.nick, modes })
  }
}
