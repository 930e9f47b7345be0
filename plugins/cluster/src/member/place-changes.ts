import { HOUSE, messageOf, type Clock, type Logger } from '@mynah/kernel'
import { connect } from '../database/connect.js'
import { declareDead, type Identity } from '../database/host-tables.js'
import { addPlaces, offer, release, take } from '../database/place-tables.js'
import { connectionName } from '../database/tables.js'
import type { Control } from './control.js'
import type { Durations, HostRow } from './state.js'
import type { Works } from './works.js'

interface PlaceChangeParts {
  readonly url: string
  readonly self: Identity
  readonly durations: Durations
  readonly clock: Clock
  readonly log: Logger
  readonly control: Control
  readonly works: Works
  /** Stops the host and starts it again. */
  restart(): Promise<void>
  /** Looks at the rows again. */
  changed(): Promise<void>
  /** A place could not be given away. */
  giveFailed(place: string): void
}

/** Changes the rows of places: offers, takes and gives them, and frees those of dead hosts. */
export class PlaceChanges {
  readonly #parts: PlaceChangeParts
  readonly #declaring = new Set<string>()
  #offered: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(parts: PlaceChangeParts) {
    this.#parts = parts
  }

  /** Resolves when the last {@link PlaceChanges.offer} was tried. */
  get offered(): Promise<void> {
    return this.#offered
  }

  /** Tells the others which places this host can run. It is tried again until the database has it. */
  offer(): Promise<void> {
    return (this.#offered = this.#offered.then(() => this.#offerNow()))
  }

  /** Takes those of some places that are still free. */
  async take(places: readonly string[]): Promise<void> {
    const { control, self, log, changed } = this.#parts
    try {
      await control.use((session) => take(session, self, places))
    } catch (error) {
      log.debug(`failed to take a place: ${messageOf(error)}`)
      return
    }
    await changed()
  }

  /** Gives a place away when its work has ended. */
  async handOver(place: string): Promise<void> {
    const { control, self, log, works, restart, changed, giveFailed } = this.#parts
    try {
      // All plugins are part of it: it ends with the process only.
      if (place === HOUSE) return await restart()
      await works.idle(place)
      // It ends in order with the process, and the next owner goes on with it.
      if (works.isBusy(place)) return await restart()
      await control.use((session) => release(session, self, place))
      await changed()
    } catch (error) {
      log.warn(`failed to give a place away: ${messageOf(error)}`, { place })
      giveFailed(place)
    }
  }

  /** Declares another host dead, if its row is still the same. */
  async declare(host: HostRow): Promise<void> {
    if (this.#declaring.has(host.id)) return
    this.#declaring.add(host.id)
    const { url, self, log, changed } = this.#parts
    try {
      const session = await connect(url, connectionName(self.id, self.epoch), () => {})
      try {
        if (await declareDead(session, host))
          log.warn('a host did not beat for a whole lease and was declared dead; its places are free', {
            host: host.id,
          })
      } finally {
        await session.end()
      }
      await changed()
    } catch (error) {
      log.warn(`failed to declare a host dead: ${messageOf(error)}`, { host: host.id })
    } finally {
      this.#declaring.delete(host.id)
    }
  }

  /** Offers nothing more: the host stops. */
  close(): void {
    this.#isClosed = true
  }

  async #offerNow(): Promise<void> {
    if (this.#isClosed) return
    const { control, self, log, works, clock, durations, changed } = this.#parts
    const places = [...works.offered.keys()]
    try {
      await control.use(async (session) => {
        await addPlaces(session, places)
        await offer(session, self, places)
      })
    } catch (error) {
      log.debug(`failed to offer places: ${messageOf(error)}`)
      if (!this.#isClosed) clock.setTimeout(() => void this.offer(), durations.look)
      return
    }
    await changed()
  }
}
