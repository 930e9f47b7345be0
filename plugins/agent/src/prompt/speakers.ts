import type { Person } from '@mynah/contract/types'

const MAX_NAME = 64

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

/** Returns a message with its sender. Further lines are indented. */
export const speakerLine = (person: Person, text: string): string =>
  `${displayName(person)}: ${text.replace(/\r\n?|[\n\u2028\u2029]/g, '\n  ')}`
