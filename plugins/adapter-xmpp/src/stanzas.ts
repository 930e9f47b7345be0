import { xml, type Element } from '@xmpp/client'

export const MUC = 'http://jabber.org/protocol/muc'
export const MUC_USER = 'http://jabber.org/protocol/muc#user'
const MAX_TEXT = 100_000

/** Returns the condition that a server names in its refusal of a question. */
export function conditionOf(error: unknown): string | undefined {
  const { name, condition } = (error ?? {}) as { name?: unknown; condition?: unknown }
  return name === 'StanzaError' && typeof condition === 'string' ? condition : undefined
}

/** Returns an address without its resource. */
export const bare = (address: string): string => address.split('/', 1)[0] ?? ''
/** Returns the part of an address after the slash: in a room, the nick. */
export const resourceOf = (address: string): string => address.slice(bare(address).length + 1)
export const isAddress = (value: string): boolean =>
  /^(?:[^@/\s<>&"']{1,255}@)?[^@/\s<>&"']{1,255}(?:\/.{1,512})?$/u.test(value)

/**
 * Returns the id that an archive has given. Others can write such an element too, and prosody passes it on: that of the
 * server is the last.
 */
export const archiveIdOf = (message: Element, owner: string): string | undefined =>
  message.getChildren('stanza-id', 'urn:xmpp:sid:0').findLast(({ attrs }) => attrs.by === owner)?.attrs.id

/** Returns the time of a delay in milliseconds since the epoch. */
export function timeOf(stamp: string | undefined): number | undefined {
  const time = Date.parse(stamp ?? '')
  return Number.isNaN(time) || time < 0 ? undefined : time
}

/** Returns the text of a message, without what it quotes for clients that show no answers. */
export function bodyOf(message: Element): string {
  const body = (message.getChildText('body') ?? '').slice(0, MAX_TEXT)
  const fallback = message
    .getChildren('fallback', 'urn:xmpp:fallback:0')
    .find(({ attrs }) => attrs.for === 'urn:xmpp:reply:0')
    ?.getChild('body')
  const characters = Array.from(body)
  const [start, end] = [Number(fallback?.attrs.start), Number(fallback?.attrs.end)]
  const isRange =
    Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= characters.length
  return isRange ? characters.toSpliced(start, end - start).join('') : body
}

/** Returns what of a text XML can hold. */
export const writable = (text: string): string =>
  text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')

export const storeHint = (): Element => xml('store', { xmlns: 'urn:xmpp:hints' })
