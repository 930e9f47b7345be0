// How deep, how wide and how large JSON text is, told in one pass before anything of it is made.
import { WireError } from '@mynah/contract'

const MAX_DEPTH = 64
/** Keys of one object: engines slow down beyond, and nothing of ours has as many. */
const MAX_KEYS = 10_000
/** Values of one text: what a handler may walk through without being noticed. */
const MAX_VALUES = 100_000

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92

const refused = (why: string): WireError => new WireError('invalid_request', `The body ${why}`)

/** Where the string that begins before `at` ends. */
function endOfString(text: string, at: number): number {
  let index = at
  while (index < text.length) {
    const unit = text.charCodeAt(index)
    if (unit === QUOTE) break
    index += unit === BACKSLASH ? 2 : 1
  }
  return index
}

/**
 * Throws `invalid_request` where a text has more levels, keys or values than a body may have. Says nothing about whether it is
 * JSON: what is none is refused by the parser, which this keeps from working long.
 */
export function assertBounded(text: string): void {
  const isObject: boolean[] = []
  const commas: number[] = []
  let values = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === QUOTE) index = endOfString(text, index + 1)
    else if (unit === COMMA) {
      const top = commas.length - 1
      if (top >= 0 && (commas[top] = (commas[top] as number) + 1) >= MAX_KEYS && isObject[top])
        throw refused(`has an object of more than ${MAX_KEYS} keys`)
      if (++values > MAX_VALUES) throw refused(`has more than ${MAX_VALUES} values`)
    } else if (unit === 123 || unit === 91) {
      commas.push(0)
      isObject.push(unit === 123)
      if (commas.length > MAX_DEPTH) throw refused(`is nested deeper than ${MAX_DEPTH} levels`)
      if (++values > MAX_VALUES) throw refused(`has more than ${MAX_VALUES} values`)
    } else if (unit === 125 || unit === 93) {
      commas.pop()
      isObject.pop()
    }
  }
}
