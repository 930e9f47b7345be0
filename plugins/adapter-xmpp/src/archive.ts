import { xml, type Element } from '@xmpp/client'
import { conditionOf } from './stanzas.js'
import type { XmppStream } from './stream.js'

const MAM = 'urn:xmpp:mam:2'
const RSM = 'http://jabber.org/protocol/rsm'
const PAGE = 100
const MAX_PAGES = 200

export interface Archived {
  /** Id in the archive, which is the `stanza-id` of the live message. */
  readonly id: string
  readonly message: Element
  readonly stamp: string | undefined
}

/** The messages that a server or a room keeps. */
export class Archive {
  readonly #stream: XmppStream
  /** Address of the room; undefined for that of the account. */
  readonly #room: string | undefined
  readonly #results: Map<string, (result: Element) => void>
  #queries = 0

  /** @param results takes the results of a query by its id, which come as messages */
  constructor(stream: XmppStream, room: string | undefined, results: Map<string, (result: Element) => void>) {
    this.#stream = stream
    this.#room = room
    this.#results = results
  }

  async #query(set: readonly Element[], fields: Readonly<Record<string, string>> = {}) {
    const queryid = `${this.#room ?? 'own'} ${this.#queries++}`
    const found: Archived[] = []
    this.#results.set(queryid, (result) => {
      const forwarded = result.getChild('forwarded', 'urn:xmpp:forward:0')
      const message = forwarded?.getChild('message')
      const { id } = result.attrs
      if (!message || !id || id.length > 512 || found.length >= PAGE) return
      found.push({ id, message, stamp: forwarded?.getChild('delay', 'urn:xmpp:delay')?.attrs.stamp })
    })
    const field = (name: string, value: string, type?: string): Element =>
      xml('field', { var: name, ...(type ? { type } : {}) }, xml('value', {}, value))
    const form = xml(
      'x',
      { xmlns: 'jabber:x:data', type: 'submit' },
      field('FORM_TYPE', MAM, 'hidden'),
      ...Object.entries(fields).map(([name, value]) => field(name, value)),
    )
    try {
      const query = xml('query', { xmlns: MAM, queryid }, form, xml('set', { xmlns: RSM }, ...set))
      const iq = xml('iq', { type: 'set', ...(this.#room === undefined ? {} : { to: this.#room }) }, query)
      const fin = (await this.#stream.ask(iq)).getChild('fin', MAM)
      return { found, isComplete: fin?.attrs.complete === 'true' }
    } finally {
      this.#results.delete(queryid)
    }
  }

  /** Returns the id of the newest message; undefined where there is none, or no archive. */
  async newest(): Promise<string | undefined> {
    const { found } = await this.#query([xml('max', {}, '1'), xml('before')])
    return found.at(-1)?.id
  }

  /**
   * Yields the messages after one, or all of them for an empty id. Throws with the condition `item-not-found` where
   * that is not kept any more.
   */
  async *after(id: string): AsyncGenerator<Archived> {
    let last = id
    for (let page = 0; page < MAX_PAGES; page++) {
      const after = last === '' ? [] : [xml('after', {}, last)]
      const { found, isComplete } = await this.#query([xml('max', {}, String(PAGE)), ...after])
      yield* found
      const newest = found.at(-1)
      if (isComplete || !newest) return
      last = newest.id
    }
  }

  /** Looks for a message of this account; null where it is certainly not there, undefined where that is not known. */
  async find(key: string, since: number, partner: string | undefined): Promise<Archived | null | undefined> {
    const fields = { start: new Date(since).toISOString(), ...(partner === undefined ? {} : { with: partner }) }
    let after: Element[] = []
    try {
      for (let page = 0; page < MAX_PAGES; page++) {
        const { found, isComplete } = await this.#query([xml('max', {}, String(PAGE)), ...after], fields)
        const match = found.find(({ message }) => message.attrs.id === key)
        const newest = found.at(-1)
        if (match) return match
        if (isComplete || !newest) return null
        after = [xml('after', {}, newest.id)]
      }
    } catch (error) {
      // Without an archive nothing can be said.
      if (conditionOf(error) === undefined) throw error
    }
    return undefined
  }
}
