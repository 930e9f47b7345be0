import { LruMap } from '@mynah/kernel/util'
import type { Cursors, EndpointHandle } from '@mynah/plugin-chat/api'
import { idOf, tsOf } from './wire.js'

/** Cursors of each kind. Each has room for so many places in 4,096 bytes. */
const PARTS = 2
const PLACES_A_PART = 64

const partOf = (channel: string): number => (channel.charCodeAt(channel.length - 1) || 0) % PARTS
const laterOf = (a = '0', b = '0'): string => (Number(a) < Number(b) ? b : a)

/** A channel, or a thread in one. */
export interface Place {
  readonly channel: string
  /** The first message of the thread. */
  readonly thread?: string | undefined
  /** The last message that was accepted. */
  readonly last: string
}

/** The last accepted messages of up to 128 channels and 128 threads. */
export class Positions {
  readonly #cursor: EndpointHandle['cursor']
  readonly #last = new Map<string, LruMap<string, string>>()
  #isLoaded = false

  constructor(cursor: EndpointHandle['cursor']) {
    this.#cursor = cursor
    for (const kind of ['channels', 'threads'])
      for (let part = 0; part < PARTS; part++) this.#last.set(`${kind}${part}`, new LruMap(PLACES_A_PART))
  }

  async load(): Promise<void> {
    if (this.#isLoaded) return
    for (const [name, places] of this.#last)
      for (const pair of ((await this.#cursor.get(name)) ?? '').split(',')) {
        const [place = '', last] = pair.split('=')
        if (idOf(place.split(':')[0]) !== undefined && tsOf(last) !== undefined) places.set(place, last as string)
      }
    this.#isLoaded = true
  }

  /** Returns all places, those with the latest messages first. */
  all(): Place[] {
    const places = [...this.#last.values()].flatMap((part) => [...part.entries()])
    return places
      .map(([place, last]) => {
        const [channel = '', thread] = place.split(':')
        return { channel, thread, last }
      })
      .sort((a, b) => Number(b.last) - Number(a.last))
  }

  /** Returns what has to be written with a message. */
  with(channel: string, ts: string, thread: string | undefined): Cursors {
    const cursors: Record<string, string> = {}
    for (const [name, place] of this.#placesOf(channel, ts, thread)) {
      const known = this.#last.get(name)?.entries() ?? []
      const others = Array.from(known).filter(([other]) => other !== place)
      const last = laterOf(ts, this.#last.get(name)?.get(place))
      const kept = others.slice(-(PLACES_A_PART - 1))
      cursors[name] = [...kept, [place, last]].map((pair) => pair.join('=')).join(',')
    }
    return cursors
  }

  /** Notes that a message was accepted. */
  pass(channel: string, ts: string, thread: string | undefined): void {
    for (const [name, place] of this.#placesOf(channel, ts, thread)) {
      const places = this.#last.get(name) as LruMap<string, string>
      places.set(place, laterOf(ts, places.get(place)))
    }
  }

  /** A message of a thread says nothing about others of its channel, unless that is new. */
  #placesOf(channel: string, ts: string, thread: string | undefined): [name: string, place: string][] {
    const part = partOf(channel)
    const inChannel: [string, string] = [`channels${part}`, channel]
    if (thread === undefined) return [inChannel]
    const inThread: [string, string] = [`threads${part}`, `${channel}:${thread}`]
    const isFirst = thread === ts || this.#last.get(inChannel[0])?.get(channel) === undefined
    return isFirst ? [inChannel, inThread] : [inThread]
  }

  forget({ channel, thread }: Place): void {
    const [kind, place] = thread === undefined ? ['channels', channel] : ['threads', `${channel}:${thread}`]
    this.#last.get(`${kind}${partOf(channel)}`)?.delete(place as string)
  }
}
