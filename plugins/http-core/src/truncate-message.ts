const MAX_NAME = 100
/** Characters that may surround a name within its word. */
const PUNCTUATION = 8
const MAX_TEXT = 2_000
/** Characters of a message that are processed at all. */
const MAX_READ = 65_536

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text)

/** Truncates quoted names and single words to 100 characters, so that an answer does not echo long parts of a request. */
export function truncateMessage(message: string): string {
  return cut(message, MAX_READ)
    .split('"')
    .map((part, index) => (index % 2 ? cut(part, MAX_NAME) : part))
    .join('"')
    .split(' ')
    .map((word) => cut(word, MAX_NAME + PUNCTUATION))
    .join(' ')
    .slice(0, MAX_TEXT)
}
