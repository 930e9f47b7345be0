// Who said what, as a model reads it: nobody speaks in the name of another by a line break in a text or in a name.
import type { Person } from '@mynah/contract/types'

const NAME = 64

/** What a person is called: one line, and not long. Letters that turn the direction of writing or have no width are none. */
export function nameOf({ id, name }: Person): string {
  const line = (text: string): string => Array.from(text.slice(0, 4 * NAME).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()).slice(0, NAME).join('')
  return line(name ?? '') || line(id)
}

/** What somebody said, further lines set in. */
export const lineOf = (person: Person, text: string): string => `${nameOf(person)}: ${text.replace(/\r\n?|[\n\u2028\u2029]/g, '\n  ')}`
