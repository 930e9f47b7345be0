// What an answer repeats of a request: names are cut, so that nobody is sent back what he has sent.

const MAX_NAME = 100
/** What may stand around a name within its word. */
const PUNCTUATION = 8
const MAX_TEXT = 2_000
/** What is looked at. */
const MAX_READ = 65_536

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text)

/** A message whose quoted names, and whose single words, are cut at 100 characters. */
export function bounded(message: string): string {
  return cut(message, MAX_READ)
    .split('"')
    .map((part, index) => (index % 2 ? cut(part, MAX_NAME) : part))
    .join('"')
    .split(' ')
    .map((word) => cut(word, MAX_NAME + PUNCTUATION))
    .join(' ')
    .slice(0, MAX_TEXT)
}
