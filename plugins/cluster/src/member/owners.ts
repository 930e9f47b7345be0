import { HOUSE } from '@mynah/kernel'
import type { Callee } from '../calls/calls.js'
import type { Identity } from '../database/host-tables.js'
import type { Seen } from '../database/place-tables.js'
import { MAX_FALLS } from '../database/tables.js'
import { ownerName } from './state.js'

/** The owners of places, as the last look has shown them. */
export class Owners {
  #seen: Pick<Seen, 'places' | 'known' | 'restsUntil'> = { places: [], known: new Map(), restsUntil: new Map() }

  /** Follows a look. Says whether {@link HOUSE} has another owner or rests, and whether hosts have come or gone. */
  follow(seen: Seen): { readonly house: boolean; readonly hosts: boolean } {
    const before = this.#seen
    const owner = this.#ownerOf(HOUSE)
    this.#seen = seen
    return {
      house: owner !== this.#ownerOf(HOUSE) || before.restsUntil.get(HOUSE) !== seen.restsUntil.get(HOUSE),
      hosts: [...before.known.keys()].sort().join() !== [...seen.known.keys()].sort().join(),
    }
  }

  /** Whether a place is in the database. */
  knows(place: string): boolean {
    return this.#seen.places.some(({ id }) => id === place)
  }

  /** Returns another host that owns a place, or is the process with this name as an owner. */
  of(place: string): Callee | undefined {
    return this.#seen.known.get(this.#ownerOf(place) ?? place)
  }

  /** Returns all places, with the names of the hosts that have them. */
  places({ id, name, epoch }: Identity): ReadonlyMap<string, string | undefined> {
    const own = ownerName(id, epoch)
    const { places, known } = this.#seen
    return new Map(places.map((place) => [place.id, place.owner === own ? name : known.get(place.owner ?? '')?.name]))
  }

  /** Returns the other hosts. */
  others(): readonly { readonly owner: string; readonly name: string }[] {
    return Array.from(this.#seen.known, ([owner, { name }]) => ({ owner, name }))
  }

  /** Returns why a host that does not own {@link HOUSE}, or may not act, runs nothing of it; for people. */
  reason({ id, epoch }: Identity): string {
    const owner = this.#ownerOf(HOUSE)
    if (owner === ownerName(id, epoch)) return 'this host may not act until it reaches the database again'
    const other = this.#seen.known.get(owner ?? '')
    if (other) return `${other.name} runs what belongs to no endpoint`
    const rest = this.#seen.restsUntil.get(HOUSE)
    if (rest === undefined) return 'no host runs what belongs to no endpoint yet'
    const end = new Date(rest).toISOString()
    return `what belongs to no endpoint rests until ${end}, since ${MAX_FALLS} hosts in a row died with it`
  }

  #ownerOf(place: string): string | null | undefined {
    return this.#seen.places.find(({ id }) => id === place)?.owner
  }
}
