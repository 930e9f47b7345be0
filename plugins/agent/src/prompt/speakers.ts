import { createHash } from 'node:crypto'
import type { Person } from '@mynah/contract/types'
import { neutralize } from '@mynah/plugin-ai/api'

const MAX_NAME = 64
const ID_LENGTH = 8
const LINE_BREAK = /\r\n?|[\n\u2028\u2029]/g

/**
 * Returns a text of others in one line, shortened, and without characters that have no width or change the direction of
 * writing. So a line break cannot start a line in the name of another person or of the host.
 */
export const singleLine = (text: string, maxLength: number): string =>
  Array.from(
    text
      .slice(0, 4 * maxLength)
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim(),
  )
    .slice(0, maxLength)
    .join('')

/** Returns the name by which a model knows a person. */
export const displayName = ({ id, name }: Person): string =>
  singleLine(name ?? '', MAX_NAME) || singleLine(id, MAX_NAME)

/** Returns a text of others for a place in brackets, which it can neither end nor leave. */
export const bracketed = (text: string, maxLength: number): string =>
  neutralize(singleLine(text, maxLength)).replace(/[[\]]/g, (bracket) => (bracket === '[' ? '(' : ')'))

/** A person who speaks in a group, as the request shows them. */
export interface Speaker {
  readonly adapter: string
  readonly endpoint: string
  readonly person: Person
  readonly roles: ReadonlySet<string>
}

/** Roles that matter to a model, the highest first. */
const SHOWN_ROLES = [
  ['master', 'owner'],
  ['trusted', 'trusted'],
  ['group_owner', 'group owner'],
  ['group_admin', 'group admin'],
] as const

const shownRole = (roles: ReadonlySet<string>): string => SHOWN_ROLES.find(([role]) => roles.has(role))?.[1] ?? 'user'

/** Returns a short id that distinguishes people with the same name. It is the same in all conversations. */
const shortId = ({ adapter, endpoint, person }: Speaker): string =>
  createHash('sha256')
    .update(JSON.stringify([adapter, endpoint, person.id]))
    .digest('hex')
    .slice(0, ID_LENGTH)

/** Returns a name that cannot end its attribute. */
const attribute = (name: string): string => neutralize(name).replace(/["'`<>＜＞＂]/g, '·')

/**
 * Returns a text of a person in an element that the text cannot end. Id and role are those that the host knows.
 *
 * @param element `message` for words to the bot, `overheard` for words to others
 */
export function speakerElement(element: 'message' | 'overheard', speaker: Speaker, text: string, at?: string): string {
  const { person, roles } = speaker
  const name = attribute(displayName(person))
  const attributes = `from="${shortId(speaker)}" role="${shownRole(roles)}" name="${name}"${timeAttribute(at)}`
  return spokenElement(element, attributes, element === 'message' ? text : indented(text))
}

/** Returns an earlier answer of the bot itself. It may repeat words of others, so it is contained as theirs are. */
export const ownElement = (text: string, at: string): string =>
  spokenElement('overheard', `from="you"${timeAttribute(at)}`, indented(text))

const timeAttribute = (at: string | undefined): string => (at === undefined ? '' : ` at="${at}"`)

const indented = (text: string): string => text.replace(LINE_BREAK, '\n  ')

const spokenElement = (element: string, attributes: string, text: string): string =>
  `<${element} ${attributes}>\n${neutralize(text)}\n</${element}>`
