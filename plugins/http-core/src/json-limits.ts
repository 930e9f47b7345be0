import { WireError } from '@mynah/contract'

const MAX_DEPTH = 64
/** Maximum keys of one object. Engines slow down above this number. */
const MAX_KEYS = 10_000
/** Maximum values of one body, so that a handler can walk through them without blocking the process. */
const MAX_VALUES = 100_000

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92

const limitError = (why: string): WireError => new WireError('invalid_request', `The body ${why}`)

/** Returns the index of the quote that ends the string which starts before `at`. */
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
 * Checks levels, keys and values of JSON text in one pass, before anything is allocated. Does not check the syntax, which is
 * left to the parser.
 *
 * @throws WireError `invalid_request`
 */
export function assertJsonLimits(text: string): void {
  const isObject: boolean[] = []
  const commas: number[] = []
  let values = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === QUOTE) index = endOfString(text, index + 1)
    else if (unit === COMMA) {
      const top = commas.length - 1
      if (top >= 0 && (commas[top] = (commas[top] as number) + 1) >= MAX_KEYS && isObject[top])
        throw limitError(`has an object of more than ${MAX_KEYS} keys`)
      if (++values > MAX_VALUES) throw limitError(`has more than ${MAX_VALUES} values`)
    } else if (unit === 123 || unit === 91) {
      commas.push(0)
      isObject.push(unit === 123)
      if (commas.length > MAX_DEPTH) throw limitError(`is nested deeper than ${MAX_DEPTH} levels`)
      if (++values > MAX_VALUES) throw limitError(`has more than ${MAX_VALUES} values`)
    } else if (unit === 125 || unit === 93) {
      commas.pop()
      isObject.pop()
    }
  }
}
