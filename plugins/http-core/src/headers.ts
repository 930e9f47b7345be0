// The headers of a request as such: one host, and none of them dropped.
import type { IncomingMessage } from 'node:http'
import { WireError } from '@mynah/contract'

/** Headers that a request may have; the parser keeps one more, which tells that there were others. */
export const MAX_HEADERS = 1_000

/** Throws where a request names no host or two, or has headers that nobody will see. */
export function assertHeaders({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (rawHeaders.length > 2 * MAX_HEADERS)
    throw new WireError('too_large:headers', `A request may have ${MAX_HEADERS} headers`)
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
