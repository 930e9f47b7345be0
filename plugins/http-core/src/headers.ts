import type { IncomingMessage } from 'node:http'
import { WireError } from '@mynah/contract'

/** Maximum number of headers. The parser keeps one more, which shows that the request had too many. */
export const MAX_HEADERS = 1_000

/**
 * Checks that a request has exactly one Host header and not so many headers that the parser dropped some.
 *
 * @throws WireError `too_large:headers`, `invalid_request`
 */
export function assertHeaders({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (rawHeaders.length > 2 * MAX_HEADERS)
    throw new WireError('too_large:headers', `A request may have at most ${MAX_HEADERS} headers`)
  if (headers.host === undefined) {
    if (httpVersion !== '1.0') throw new WireError('invalid_request', 'The header Host is missing')
    return
  }
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host' && ++hosts > 1)
      throw new WireError('invalid_request', 'The request has two Host headers')
  }
}
