import { WireError } from '@mynah/contract'
import { assertJsonLimits } from './json-limits.js'

/**
 * Parses the JSON text of a body. Rejects the key `__proto__`, which would replace the prototype of an object that it
 * is
 * copied into.
 *
 * @throws WireError `invalid_request`
 */
export function parseJson(text: string): unknown {
  assertJsonLimits(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new WireError('invalid_request', 'The body is not valid JSON', { cause: error })
  }
  if (typeof value !== 'object' || value === null)
    throw new WireError('invalid_request', 'The body must be a JSON object or list')
  if (text.includes('__proto__') || text.includes('\\u')) assertNoProto(value)
  return value
}

function assertNoProto(value: object): void {
  const open: object[] = [value]
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [key, inner] of Object.entries(next)) {
      if (key === '__proto__') throw new WireError('invalid_request', 'The body has a key __proto__')
      if (typeof inner === 'object' && inner !== null) open.push(inner as object)
    }
  }
}
