import type { MessageEntity } from 'grammy/types'

const ADDRESS = /^[^\s\p{C}]{1,2048}$/u
const MAX_LINKS = 50

/** A place in a text, behind which an address is shown. */
interface Link {
  readonly end: number
  readonly address: string
}

/** Returns the addresses behind words, by their places, which count UTF-16 units. */
export function linksOf(text: string, entities: readonly MessageEntity[]): Link[] {
  return entities
    .flatMap((entity): Link[] => {
      if (entity.type !== 'text_link' || !ADDRESS.test(entity.url)) return []
      const end = entity.offset + entity.length
      const isShown = text.slice(entity.offset, end).includes(entity.url)
      return isShown || end > text.length || entity.offset < 0 ? [] : [{ end, address: entity.url }]
    })
    .sort((a, b) => a.end - b.end)
    .slice(0, MAX_LINKS)
}

/** Returns the text between two places with the addresses there, and takes these from `links`. */
export function withAddresses(text: string, from: number, to: number, links: Link[]): string {
  let out = ''
  let at = from
  for (let link = links[0]; link && link.end <= to; link = links[0]) {
    links.shift()
    const end = Math.max(at, link.end)
    out += `${text.slice(at, end)} (${link.address})`
    at = end
  }
  return out + text.slice(at, to)
}

/** Returns a text with the addresses behind its words. */
export const withLinks = (text: string, entities: readonly MessageEntity[]): string =>
  withAddresses(text, 0, text.length, linksOf(text, entities))
