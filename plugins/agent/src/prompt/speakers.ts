// Who said what and what things are called, as a model reads it: nobody speaks in the name of another, or of the host, by a line break.
import type { Person } from '@mynah/contract/types'

const NAME = 64

/** A text of others in one line, and not long. Letters that turn the direction of writing or have no width are none. */
export const singleLine = (text: string, most: number): string =>
  Array.from(
    text
      .slice(0, 4 * most)
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim(),
  )
    .slice(0, most)
    .join('')

/** What a person is called. */
export const displayName = ({ id, name }: Person): string => singleLine(name ?? '', NAME) || singleLine(id, NAME)

/** What somebody said, further lines set in. */
export const speakerLine = (person: Person, text: string): string =>
  `${displayName(person)}: ${text.replace(/\r\n?|[\n\u2028\u2029]/g, '\n  ')}`
